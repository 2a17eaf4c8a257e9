// What programs set in the workers of each tile: which events of floats end a run, where random numbers begin. On what
// TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#include <bit>
#include <catch2/catch.hpp>
#include <poplar/CSRFunctions.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::kTiles;

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
#define EVENT(Name, a, operation, b)       \
  class Name : public poplar::Vertex {     \
   public:                                 \
    poplar::InOut<float> x;                \
    void compute() {                       \
      volatile float first = a, second = b; \
      *x = first operation second;         \
    }                                      \
  };
EVENT(Invalid, 0.0f, /, 0.0f)
EVENT(DivideByZero, 1.0f, /, 0.0f)
EVENT(Overflow, 1e30f, *, 1e30f)
)";

TEST_CASE("each switch of the float behaviour is for its event alone") {
  const Device device = attach();
  Graph graph(device);
  std::stringstream source(kCodelets);
  graph.addCodelets(source);
  const Tensor x = graph.addVariable(FLOAT, {}, "x");
  graph.setTileMapping(x, 1);
  const std::vector<std::string> events = {"Invalid", "DivideByZero", "Overflow"};
  const std::vector<FloatingPointBehaviour> switches = {FloatingPointBehaviour(true, false, false, false, false),
                                                        FloatingPointBehaviour(false, true, false, false, false),
                                                        FloatingPointBehaviour(false, false, true, false, false)};
  std::vector<Program> programs;
  for (const FloatingPointBehaviour& on : switches)
    for (const std::string& event : events) {
      Sequence prog;
      setFloatingPointBehaviour(graph, prog, on);
      const ComputeSet cs = graph.addComputeSet(event);
      graph.setTileMapping(graph.addVertex(cs, event, {{"x", x}}), 1);
      prog.add(Execute(cs));
      programs.push_back(prog);
    }
  Engine engine(graph, programs);
  for (unsigned on = 0; on < 3; ++on)
    for (unsigned event = 0; event < 3; ++event) {
      CAPTURE(on, events[event]);
      engine.load(device);
      if (on == event) {
        CHECK_THROWS_WITH(engine.run(3 * on + event), ContainsText("float exception") && ContainsText(events[event]));
      } else {
        CHECK_NOTHROW(engine.run(3 * on + event));
      }
    }
}

// The next number of a generator (arithmetic.md).
std::uint64_t drawn(std::uint64_t s0, std::uint64_t s1) {
  return (s0 ^ s1) ^ (std::rotl(s0 & s1, 1) | std::rotl(s0 & s1, 2));
}

TEST_CASE("seeds are those of the tile and worker whose row they stand in") {
  const Device device = attach();
  Graph graph(device);
  graph.addCodelets(OPTION_CODELETS);
  const unsigned workers = graph.getTarget().getNumWorkerContexts();
  const Tensor seeds = graph.addVariable(UNSIGNED_INT, {kTiles, workers, 4}, VariableMappingMethod::LINEAR, "seeds");
  const Tensor out = graph.addVariable(UNSIGNED_INT, {kTiles, workers, 2}, "out");
  const ComputeSet cs = graph.addComputeSet("draw");
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    graph.setTileMapping(out[tile], tile);
    graph.setTileMapping(graph.addVertex(cs, "Draw", {{"out", out[tile].flatten()}}), tile);
  }
  Sequence prog;
  setHwSeeds(graph, seeds, prog);
  const Tensor there = getHwSeeds(graph, prog);
  prog.add(Execute(cs));
  const Tensor after = getHwSeeds(graph, prog);
  graph.createHostWrite("seeds", seeds);
  graph.createHostRead("out", out);
  graph.createHostRead("there", there);
  graph.createHostRead("after", after);
  Engine engine(graph, prog);
  engine.load(device);
  std::vector<unsigned> given(kTiles * workers * 4), seen(given.size()), left(given.size()), got(kTiles * workers * 2);
  for (unsigned i = 0; i < given.size(); ++i) given[i] = 0x9e3779b9u * (i + 1);
  engine.writeTensor("seeds", given.data(), given.data() + given.size());
  engine.run();
  engine.readTensor("there", seen.data(), seen.data() + seen.size());
  engine.readTensor("after", left.data(), left.data() + left.size());
  engine.readTensor("out", got.data(), got.data() + got.size());
  CHECK(seen == given);
  CHECK(left != given);
  for (unsigned i = 0; i < kTiles * workers; ++i) {
    CAPTURE(i);
    const auto word = [&](unsigned k) { return std::uint64_t{given[4 * i + k + 1]} << 32 | given[4 * i + k]; };
    CHECK((std::uint64_t{got[2 * i + 1]} << 32 | got[2 * i]) == drawn(word(0), word(2)));
  }
}

}  // namespace
