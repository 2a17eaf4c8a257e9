// Where values come from: through registers, memory, exchange and host, the same on model and RTL.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "compiler/passes/compile.h"
#include "inspect/failure/provenance.h"
#include "inspect/recorded_run.h"
#include "sim/engine/model_chip.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"
#ifdef TESSERA_HAS_RTL
#include "sim/engine/rtl_chip.h"
#endif

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr const char* kCodelets = R"(
struct Sum : Vertex {
  Input<Vector<int>> in;
  Output<int> out;
  bool compute() {
    int sum = 0;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
    *out = sum;
    return true;
  }
};
struct SumFloats : Vertex {
  Input<Vector<float>> in;
  Output<float> out;
  bool compute() {
    float sum = 1;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
    *out = sum * 2;
    return true;
  }
};
struct Beyond : Vertex {
  Output<Vector<int>> out;
  bool compute() { volatile int* p = &out[0]; p[out.size()] = 77; return true; }
};
)";

const spec::Machine kMachine = spec::load_machine("mk2-4");

// Answers for the variable that `what` names.
class Asker : public inspect::Part {
 public:
  std::string explain_check(inspect::Run& run, const std::string& what, const std::vector<unsigned>&) override {
    const names::ProgramInfo& info = run.program();
    for (const names::Variable& v : info.variables) {
      if (info.name(v.name) != what) continue;
      const inspect::failure::Words words(info, kMachine);
      inspect::failure::Provenance provenance(run, words, run.frontier(),
                                              {.depth = 12, .lines = 40, .cycles = 1'000'000});
      return inspect::failure::tree(provenance.of_memory(v.tile, v.address, 4), 0);
    }
    return "there is no " + what;
  }
};

struct Program {
  GraphBuilder b{4};
  std::vector<ProgramRef> programs{};
};

using Go = std::function<void(ProgramRunner&)>;
std::string why(const Program& p, const std::string& variable, std::unique_ptr<chip::Chip> chip, const Go& go) {
  // Each variable beside the one before.
  compiler::GraphCompileOptions apart;
  apart.optimise.share_memory = false;
  const image::Executable executable = compiler::compile(p.b.graph, p.programs, kMachine, apart);
  auto recorded = std::make_unique<inspect::RecordedRun>(
      std::move(chip), "", [](inspect::PartKind kind, const inspect::Options&) -> std::unique_ptr<inspect::Part> {
        return kind == inspect::PartKind::kFailure ? std::make_unique<Asker>() : nullptr;
      });
  inspect::RecordedRun& run = *recorded;
  run.set_program(executable.chip().info, false);
  ProgramRunner runner(executable, kMachine, std::move(recorded));
  go(runner);
  return run.explain_check(variable, {});
}

std::string why(
    const Program& p, const std::string& variable, const Go& go = [](ProgramRunner& runner) { runner.run(0); }) {
  const std::string text = why(p, variable, chip::make_model_chip(kMachine), go);
#ifdef TESSERA_HAS_RTL
  CHECK(why(p, variable, chip::make_rtl_chip(kMachine), go) == text);
#endif
  return text;
}

void expect(const std::string& text, const std::vector<std::string>& parts) {
  INFO(text);
  size_t at = 0;
  for (const std::string& part : parts) {
    CAPTURE(part);
    at = text.find(part, at);
    REQUIRE(at != std::string::npos);
  }
}

// x on tile 0 goes to y on tile 1, where `codelet` makes z of it.
Program exchanged(const std::string& codelet, graph::ElementType type, const std::vector<uint32_t>& values) {
  Program p;
  add_codelets(p.b, kCodelets);
  const auto count = values.size();
  const TensorRef x = p.b.variable("net/x", type, {{count, 0}}), y = p.b.variable("net/y", type, {{count, 1}}),
                  z = p.b.variable("net/z", type, {{1, 1}});
  p.b.initial(x, values);
  p.b.handles("x", x);
  const auto set = add_compute_set(p.b, "sum");
  add_vertex(p.b, set, codelet, 1, {{"in", y}, {"out", z}});
  p.programs = {sequence({copy(x, y), execute(set)})};
  return p;
}

}  // namespace

TEST_CASE("a sum leads through its loop and the exchange to what was loaded") {
  const Program p = exchanged("Sum", graph::ElementType::kInt, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::string text = why(p, "net/z");
  expect(text, {"net/z[0]: written in cycle ", "by worker 0: `sw ", "vertex 0 of codelet 'Sum' in compute set 'sum'",
                " = 0x24, from `add ", "net/y[7]: came by exchange in cycle ", "from tile 0, Copy(",
                "of tile 0, net/x[7]: as it was when the program was loaded"});
  expect(text, {"7 earlier turns of `add "});
}

TEST_CASE("what the host wrote is told so") {
  const Program p = exchanged("Sum", graph::ElementType::kInt, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::string text = why(p, "net/z", [](ProgramRunner& runner) {
    runner.write<int>("x", {8, 7, 6, 5, 4, 3, 2, 1});
    runner.run(0);
  });
  expect(text, {"net/z[0]: written", "net/y[7]: came by exchange", "net/x[7]: came by packet in cycle "});
}

TEST_CASE("of a NaN the way of the NaN is followed") {
  std::vector<uint32_t> values(8, std::bit_cast<uint32_t>(1.0f));
  values[2] = std::bit_cast<uint32_t>(std::nanf(""));
  const std::string text = why(exchanged("SumFloats", graph::ElementType::kFloat, values), "net/z");
  expect(text, {"net/z[0]: written", "nan, from `", "earlier turns of `fadd.s", "nan, from `flw ",
                "net/y[2]: came by exchange", "net/x[2]: as it was when the program was loaded"});
}

TEST_CASE("an infinity is followed to where numbers made it") {
  std::vector<uint32_t> values(8, std::bit_cast<uint32_t>(1.0f));
  values[3] = values[4] = std::bit_cast<uint32_t>(3e38f);
  const std::string text = why(exchanged("SumFloats", graph::ElementType::kFloat, values), "net/z");
  expect(text, {"net/z[0]: written", "inf, from `", "earlier turns of `fadd.s", "3e+38, from `flw ", "net/y[4]"});
}

TEST_CASE("a word behind a field leads to the vertex that wrote it") {
  Program p;
  add_codelets(p.b, kCodelets);
  const TensorRef a = p.b.variable("net/a", graph::ElementType::kInt, {{4, 1}}),
                  c = p.b.variable("net/c", graph::ElementType::kInt, {{4, 1}});
  p.b.initial(c, {1, 2, 3, 4});
  const auto set = add_compute_set(p.b, "set");
  add_vertex(p.b, set, "Beyond", 1, {{"out", a}});
  const TensorRef d = p.b.variable("net/d", graph::ElementType::kInt, {{4, 1}});
  p.programs = {sequence({execute(set), copy(c, d)})};
  expect(why(p, "net/c"), {"net/c[0]: written in cycle ", "vertex 0 of codelet 'Beyond' in compute set 'set'",
                           "for which it was just beyond the end of output 'out' (net/a[0..3]", "0x4d, from `addi"});
}
