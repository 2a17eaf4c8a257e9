// What options that the compiler takes change of a program and its memory, on what TESSERA_BACKEND says, mk2-4.
// docs/user/options.md names the cases.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>
#include <poplar/HalfFloat.hpp>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

#include "option_effects.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::OptionEffects;

namespace {

struct SixteenTiles {  // which stand in pairs
  std::string before = std::getenv("TESSERA_MACHINE");
  SixteenTiles() { setenv("TESSERA_MACHINE", "mk2-16", 1); }
  ~SixteenTiles() { setenv("TESSERA_MACHINE", before.c_str(), 1); }
};
struct OnPairs : SixteenTiles, OptionEffects {};

}  // namespace

TEST_CASE_METHOD(OptionEffects,
                 "target.workerStackSizeInBytes is each worker's stack, and refused if a codelet needs more") {
  const Tensor value = graph.addVariable(INT, {}, "value");
  place(value, 0);
  graph.setInitialValue(value, 5);
  vertex("Deep", 0, {{"value", value}});
  graph.createHostRead("value", value);
  CHECK(result<int>({{"target.workerStackSizeInBytes", "1024"}}, value, "value") == std::vector<int>{68});
  Engine engine(graph, Execute(set), {{"target.workerStackSizeInBytes", "1024"}});
  CHECK_THAT(summary(engine), ContainsText("Stacks                           24576 bytes"));  // 4 tiles, 6 workers
  CHECK_THROWS_WITH(Engine(graph, Execute(set), {{"target.workerStackSizeInBytes", "64"}}),
                    ContainsText("target.workerStackSizeInBytes") && ContainsText("'Deep' needs"));
  CHECK_THROWS_WITH(Engine(graph, Execute(set), {{"target.workerStackSizeInBytes", "100"}}),
                    ContainsText("a multiple of 16"));
  const Executable executable = compileGraph(graph, {Execute(set)});
  CHECK_THROWS_WITH(Engine(executable, {{"target.workerStackSizeInBytes", "1024"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OptionEffects,
                 "equal steps take control code once, or each for itself with tessera.outlineCode false") {
  Sequence steps;
  const Tensor last = graph.addVariable(INT, {}, "last");
  place(last, 1);
  for (int n = 0; n < 40; ++n) {
    const Tensor value = graph.addConstant(INT, {}, n);
    place(value, 1);
    steps.add(Copy(value, last));
  }
  graph.createHostRead("last", last);
  const auto control = [&](const OptionFlags& options) {
    Engine engine(graph, steps, options);
    engine.load(device);
    engine.run();
    int value = 0;
    engine.readTensor("last", &value, &value + 1);
    CHECK(value == 39);
    std::istringstream lines(summary(engine));
    std::size_t bytes = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.find("Control code") != std::string::npos)
        bytes = std::stoul(line.substr(line.find_first_of("0123456789")));
    return bytes;
  };
  // Merged, all copies but the last go.
  const std::size_t once = control({{"tessera.mergePhases", "false"}}),
                    each = control({{"tessera.mergePhases", "false"}, {"tessera.outlineCode", "false"}});
  CHECK(once > 0);
  CHECK(once + 40 * 8 < each);
  const Executable executable = compileGraph(graph, {steps}, {{"tessera.outlineCode", "false"}});
  CHECK_THROWS_WITH(Engine(executable, {{"tessera.outlineCode", "true"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OptionEffects, "opt.enableSkipSyncs lets a tile go on that has no part in an exchange") {
  // Tile 0 works, then hands on what it has; tile 2 works as long, but behind that.
  const Tensor first = graph.addVariable(INT, {}, "first"), second = graph.addVariable(INT, {}, "second"),
               copy = graph.addVariable(INT, {}, "copy");
  place(first, 0);
  place(copy, 1);
  place(second, 2);
  graph.setInitialValue(first, 1000);
  graph.setInitialValue(second, 1000);
  vertex("SpinFor", 0, {{"turns", first}});
  const ComputeSet later = graph.addComputeSet("later");
  graph.setTileMapping(graph.addVertex(later, "SpinFor", {{"turns", second}}), 2);
  graph.createHostRead("copy", copy);
  const Sequence steps({Execute(set), Copy(first, copy), Execute(later)});
  const auto cycles = [&](const OptionFlags& options) {
    Engine engine(graph, steps, options);
    engine.load(device);
    const auto before = tessera::machineCounters(device).cycles;
    engine.run();
    const auto after = tessera::machineCounters(device).cycles;
    int value = -1;
    engine.readTensor("copy", &value, &value + 1);
    CHECK(value == 0);
    return static_cast<double>(after - before);
  };
  CHECK(cycles({}) < 0.6 * cycles({{"opt.enableSkipSyncs", "false"}}));
  const Executable executable = compileGraph(graph, {steps});
  CHECK_THROWS_WITH(Engine(executable, {{"opt.enableSkipSyncs", "false"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OptionEffects, "tessera.tileText gives a tile the memory of text that only other tiles need") {
  const Tensor out = graph.addVariable(INT, {2}, "out");
  for (unsigned tile = 0; tile < 2; ++tile) {
    place(out[tile], tile);
    vertex(tile == 0 ? "LongOne" : "LongTwo", tile, {{"out", out[tile]}});
  }
  const Execute steps(set);
  std::vector<Tensor> parts;
  for (int n = 0; n < 24; ++n) {  // 480 kB
    parts.push_back(graph.addVariable(INT, {5000}, "part" + std::to_string(n)));
    place(parts.back(), 0);
    graph.createHostWrite("part" + std::to_string(n), parts.back());
    graph.createHostRead("part" + std::to_string(n), parts.back());
  }
  graph.createHostRead("out", out);
  CHECK_THROWS_AS(Engine(graph, steps, {{"tessera.tileText", "false"}}), graph_memory_allocation_error);
  Engine engine(graph, steps);
  engine.load(device);
  for (int n = 0; n < 24; ++n) {
    const std::vector<int> values(5000, n);
    engine.writeTensor("part" + std::to_string(n), values.data(), values.data() + values.size());
  }
  engine.run();
  std::vector<int> values(5000), numbers(2);
  for (int n = 0; n < 24; ++n) {
    engine.readTensor("part" + std::to_string(n), values.data(), values.data() + values.size());
    CHECK(values == std::vector<int>(5000, n));
  }
  engine.readTensor("out", numbers.data(), numbers.data() + numbers.size());
  CHECK(numbers == std::vector<int>{1, 2});
}

TEST_CASE_METHOD(OptionEffects, "with debug.allowOutOfMemory a program too large can be looked at, not loaded") {
  const Tensor large = graph.addVariable(FLOAT, {400000}, "large"), small = graph.addVariable(FLOAT, {4}, "small");
  place(large, 1);
  place(small, 0);
  const Copy copy(large.slice(0, 4), small);
  CHECK_THROWS_AS(Engine(graph, copy), graph_memory_allocation_error);
  Engine engine(graph, copy, {{"debug.allowOutOfMemory", "true"}});
  CHECK_THAT(summary(engine, {{"showVarStorage", "true"}}),
             ContainsText("Fullest tile: 1, 16") && ContainsText("large                              1600000 bytes"));
  CHECK_THROWS_AS(engine.load(device), graph_memory_allocation_error);
  CHECK_THROWS_WITH(engine.load(device), ContainsText("Out of memory") && ContainsText("tile 1"));
}

TEST_CASE_METHOD(OptionEffects, "options given to compileGraph hold for its engines, which may override them") {
  const Tensor values = graph.addVariable(HALF, {4}, "values");
  place(values, 0);
  graph.setInitialValue<float>(values, {300, 1, 1, 1});
  vertex("Square", 0, {{"values", values}});
  graph.createHostRead("values", values);
  const Executable executable = compileGraph(graph, {Execute(set)}, {{"debug.nanOverflowMode", "true"}});
  const auto first = [&](const OptionFlags& options) {
    Engine engine(executable, options);
    engine.load(device);
    engine.run();
    std::vector<half> read(4);
    engine.readTensor("values", read.data(), read.data() + 4);
    return read[0].bits();
  };
  CHECK(first({}) == 0x7e00);
  CHECK(first({{"debug.nanOverflowMode", "false"}}) == 0x7bff);
}

TEST_CASE_METHOD(OptionEffects, "tessera.mergePhases makes one exchange phase of several") {
  const Tensor a = graph.addVariable(INT, {4}, "a"), b = graph.addVariable(INT, {4}, "b"),
               c = graph.addVariable(INT, {4}, "c");
  place(a, 0);
  place(b, 1);
  place(c, 2);
  graph.setInitialValue<int>(a, {1, 2, 3, 4});
  graph.createHostRead("c", c);
  const Sequence program({Copy(a, b), Copy(b, c)});
  const auto supersteps = [&](const OptionFlags& options) {
    Engine engine(graph, program, options);
    engine.load(device);
    const auto before = tessera::machineCounters(device).supersteps;
    engine.run();
    const auto after = tessera::machineCounters(device).supersteps;
    std::vector<int> values(4);
    engine.readTensor("c", values.data(), values.data() + 4);
    CHECK(values == std::vector<int>{1, 2, 3, 4});
    CHECK_THAT(summary(engine, {{"showExecutionSteps", "true"}}),
               ContainsText(options.begin() == options.end() ? "Copy(a, b) + Copy(b, c)" : "Copy(b, c)"));
    return after - before;
  };
  CHECK(supersteps({}) == 1);
  CHECK(supersteps({{"tessera.mergePhases", "false"}}) == 2);
  const Executable executable = compileGraph(graph, {program});
  CHECK_THROWS_WITH(Engine(executable, {{"tessera.mergePhases", "false"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OnPairs, "tessera.pairTransfers sends two words a cycle to pairs of tiles") {
  const std::size_t words = 2000, tiles = graph.getTarget().getNumTiles();
  const Tensor a = graph.addVariable(INT, {words}, "a"), b = graph.addVariable(INT, {tiles, words}, "b");
  place(a, 0);
  for (unsigned tile = 0; tile < tiles; ++tile) place(b[tile], tile);
  std::vector<int> given(words);
  std::iota(given.begin(), given.end(), 1);
  graph.setInitialValue<int>(a, given);
  graph.createHostRead("b", b);
  const Copy program(a.expand({0}).broadcast(static_cast<unsigned>(tiles), 0), b);
  const auto cycles = [&](const OptionFlags& options) {
    Engine engine(graph, program, options);
    engine.load(device);
    const auto before = tessera::machineCounters(device).cycles;
    engine.run();
    const auto after = tessera::machineCounters(device).cycles;
    std::vector<int> values(tiles * words);
    engine.readTensor("b", values.data(), values.data() + values.size());
    for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(values[i] == given[i % words]);
    return after - before;
  };
  const auto paired = cycles({}), single = cycles({{"tessera.pairTransfers", "false"}});
  CHECK(paired + words / 2 - 10 < single);
  const Executable executable = compileGraph(graph, {program});
  CHECK_THROWS_WITH(Engine(executable, {{"tessera.pairTransfers", "false"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OptionEffects, "tessera.shareMemory lets variables that never live together share memory") {
  std::vector<Tensor> rows;
  for (unsigned i = 0; i < 4; ++i) {
    rows.push_back(graph.addVariable(INT, {1000}, "row" + std::to_string(i)));
    place(rows[i], 1);
  }
  const Tensor first = graph.addConstant<int>(INT, {1000}, 3, "first");
  place(first, 1);
  graph.createHostRead("last", rows[3]);
  Sequence chain({Copy(first, rows[0])});
  for (unsigned i = 0; i + 1 < 4; ++i) chain.add(Copy(rows[i], rows[i + 1]));
  const auto run = [&](const OptionFlags& options) {
    Engine engine(graph, chain, options);
    engine.load(device);
    engine.run();
    std::vector<int> last(1000);
    engine.readTensor("last", last.data(), last.data() + last.size());
    CHECK(last == std::vector<int>(1000, 3));
    return summary(engine, {{"showPerTileMemoryUsage", "true"}});
  };
  const std::string own = run({{"tessera.shareMemory", "false"}}), shared = run({{"tessera.viewCopies", "false"}});
  CHECK_THAT(own, ContainsText("Variables and constants          20000 bytes") &&
                      ContainsText("Not always live                      0 bytes"));
  // The constant lives always; of the others two at a time, and the last between runs.
  CHECK_THAT(shared, ContainsText("Variables and constants          12000 bytes") &&
                         ContainsText("Not always live                   8000 bytes") &&
                         ContainsText("8000 not always live, at its peak in Copy(row0, row1)"));
  const Executable executable = compileGraph(graph, {chain});
  CHECK_THROWS_WITH(Engine(executable, {{"tessera.shareMemory", "false"}}), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(OptionEffects, "tessera.shareConstants keeps equal constants once on a tile") {
  const std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8};
  const Tensor all = graph.addVariable(INT, {4, 8}, "all");
  place(all, 0);
  Sequence copies;
  for (unsigned i = 0; i < 4; ++i) {
    const Tensor constant = i == 3 ? graph.addConstant<int>(INT, {8}, 9) : graph.addConstant<int>(INT, {8}, values);
    place(constant, i == 2 ? 1 : 0);
    copies.add(Copy(constant, all[i]));
  }
  graph.createHostRead("all", all);
  const auto run = [&](const OptionFlags& options) {
    Engine engine(graph, copies, options);
    engine.load(device);
    engine.run();
    std::vector<int> read(32);
    engine.readTensor("all", read.data(), read.data() + read.size());
    CHECK(std::vector<int>(read.begin() + 8, read.begin() + 16) == values);
    CHECK(std::vector<int>(read.begin() + 16, read.begin() + 24) == values);
    CHECK(read[31] == 9);
    return summary(engine);
  };
  const auto sharing = [&](const char* shares) {
    return run({{"tessera.viewCopies", "false"}, {"tessera.shareConstants", shares}});
  };
  CHECK_THAT(sharing("false"), ContainsText("Variables and constants            256 bytes"));
  CHECK_THAT(sharing("true"), ContainsText("Variables and constants            224 bytes"));
}

TEST_CASE_METHOD(OptionEffects, "tessera.viewCopies makes a copy that stays equal a view") {
  const Tensor weights = graph.addVariable(INT, {500}, "weights"), copy = graph.addVariable(INT, {500}, "copy"),
               sum = graph.addVariable(INT, {500}, "sum");
  for (const Tensor& tensor : {weights, copy, sum}) place(tensor, 1);
  vertex("AddTo", 1, {{"in", copy}, {"sum", sum}});
  graph.createHostWrite("weights", weights);
  graph.createHostRead("sum", sum);
  graph.setInitialValue(sum, ArrayRef<int>(std::vector<int>(500, 1)));
  const Sequence steps({Copy(weights, copy), Execute(set)});
  std::uint64_t cycles = 0;
  const auto run = [&](const OptionFlags& options) {
    Engine engine(graph, steps, options);
    engine.load(device);
    const std::vector<int> values(500, 7);
    engine.writeTensor("weights", values.data(), values.data() + values.size());
    const auto before = tessera::machineCounters(device).cycles;
    engine.run();
    cycles = tessera::machineCounters(device).cycles - before;
    std::vector<int> read(500);
    engine.readTensor("sum", read.data(), read.data() + read.size());
    CHECK(read == std::vector<int>(500, 8));
    return summary(engine);
  };
  CHECK_THAT(run({{"tessera.viewCopies", "false"}}), ContainsText("Variables and constants           6000 bytes"));
  const std::uint64_t copied = cycles;
  CHECK_THAT(run({}), ContainsText("Variables and constants           4000 bytes"));
  CHECK(cycles < copied);
  const Executable executable = compileGraph(graph, {steps});
  CHECK_THROWS_WITH(Engine(executable, {{"tessera.viewCopies", "false"}}), ContainsText("compileGraph"));
}
