// Damaged files: each is told in one line that names it, or read as it was written. Nothing crashes.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/damage/damage.h"
#include "tests/damage/kinds.h"
#include "tests/inspect/trace/synthetic_run.h"

using namespace tessera;
using namespace tessera::test;
using inspect::trace::TemporaryFile;

namespace {

constexpr unsigned kFiles = 200;

std::string given(const char* variable, const char* usual) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : usual;
}

const std::vector<Kind>& all_kinds() {
  static const std::vector<Kind> all =
      kinds(given("TESSERA_DAMAGE_ELF", DAMAGE_ELF), given("TESSERA_DAMAGE_GP", DAMAGE_GP));
  return all;
}

void write(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Outcome {
  std::string content, refusal;
};
Outcome outcome_of(const Kind& kind, const std::string& path) {
  try {
    return {kind.read(path), ""};
  } catch (const std::bad_alloc&) {
    return {"", "std::bad_alloc"};
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

}  // namespace

TEST_CASE("whole files of every kind are read") {
  for (const Kind& kind : all_kinds()) {
    INFO(kind.name);
    const TemporaryFile file(kind.ending);
    write(file.path, kind.whole);
    const Outcome outcome = outcome_of(kind, file.path);
    CHECK(outcome.refusal == "");
    CHECK(outcome.content.size() > 20);
  }
}

TEST_CASE("damaged files of every kind are told in one line that names them, and never read as something else") {
  for (const Kind& kind : all_kinds()) {
    const TemporaryFile file(kind.ending);
    write(file.path, kind.whole);
    const std::string whole = outcome_of(kind, file.path).content;
    std::mt19937_64 random(inspect::trace::seed_of_test(11));
    const unsigned files = kFiles * inspect::trace::rounds_of_test(1, 20);
    unsigned told = 0;
    for (unsigned i = 0; i < files; ++i) {
      const Damaged damaged = damage(kind.whole, random);
      write(file.path, damaged.bytes);
      const Outcome outcome = outcome_of(kind, file.path);
      INFO(kind.name << " " << i << ": " << damaged.how << "; " << outcome.refusal);
      if (outcome.refusal.empty()) {
        if (!kind.written_by_people) REQUIRE(outcome.content == whole);
        continue;
      }
      ++told;
      REQUIRE(outcome.refusal.find(file.path) != std::string::npos);
      REQUIRE(outcome.refusal.find('\n') == std::string::npos);
    }
    INFO(kind.name);
    if (!kind.written_by_people) CHECK(told == files);
    std::printf("%s: %u of %u damaged files told\n", kind.name.c_str(), told, files);
  }
}
