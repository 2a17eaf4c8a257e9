// Generated calls of every operator of popops leave what a reference written for that says.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "tb/tier.h"
#include "tests/libs/popops/generated/judge.h"

using namespace popops_test;

namespace {

std::uint64_t from_environment(const char* name, std::uint64_t standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::strtoull(text, nullptr, 0);
}

constexpr std::size_t kAtOnce = 120;
constexpr std::uint64_t kOneOnRtl = 20;  // of so many cases

}  // namespace

// Case n of a run is of operator n modulo their number, drawn with seed TESSERA_SEED + n: the seed that a failure
// names, with TESSERA_PROGRAMS=1, repeats it alone.
TEST_CASE("generated calls of every operator leave what the reference says") {
  const std::uint64_t seed = from_environment("TESSERA_SEED", 0);
  const char* backend = std::getenv("TESSERA_BACKEND");
  const bool on_model = backend != nullptr && std::string(backend) == "model";
  const bool full = tessera::test::in_tier(0, 1) == 1;
  const std::uint64_t all = full ? 50'000 : 3'000;
  const std::uint64_t cases = from_environment("TESSERA_PROGRAMS", on_model ? all : all / kOneOnRtl);
  std::cout << "TESSERA_SEED=" << seed << ", " << cases << " cases" << std::endl;

  Judge judge;
  std::vector<std::size_t> of_operator(operators().size());
  for (std::uint64_t done = 0; done < cases;) {
    std::vector<Case> batch;
    std::vector<std::uint64_t> seeds;
    for (; batch.size() < kAtOnce && done < cases; ++done) {
      const std::size_t op = (seed + done) % operators().size();
      Choices choices(seed + done);
      batch.push_back(draw(op, choices, full));
      seeds.push_back(seed + done);
      ++of_operator[op];
    }
    const std::vector<std::string> wrong = judge.judge(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (wrong[i].empty()) continue;
      const Report least = report(judge, batch[i], wrong[i], full);
      std::ofstream("generated_case.cpp") << least.cpp;
      std::cout << least.cpp << std::endl;
      FAIL_CHECK("TESSERA_SEED=" << seeds[i] << ", " << operators()[batch[i].op].name << ": " << least.wrong
                                 << "\nabove, and in generated_case.cpp of the folder where the test ran");
    }
  }
  std::string none;
  for (std::size_t op = 0; op < operators().size(); ++op) {
    std::cout << operators()[op].name << ": " << of_operator[op] << '\n';
    if (of_operator[op] == 0) none += operators()[op].name + "\n";
  }
  std::cout << "total: " << cases << std::endl;
  if (std::getenv("TESSERA_PROGRAMS") != nullptr) return;
  INFO("without a case:");
  CHECK(none == "");
}
