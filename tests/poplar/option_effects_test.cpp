// What each option of an engine does to a run, on what TESSERA_BACKEND says, mk2-4. docs/user/options.md names the
// cases.
#include <bit>
#include <catch2/catch.hpp>
#include <filesystem>
#include <poplar/HalfFloat.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <tessera/machine.hpp>

#include "scaling.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/worker_start.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::count, tessera::test::scaled, tessera::test::Scaling;

constexpr unsigned kTiles = 4, kWorkers = 6;

struct OptionEffects {
  Device device = attach();
  Graph graph{device.getTarget()};
  ComputeSet set = graph.addComputeSet("set");

  OptionEffects() { graph.addCodelets(OPTION_CODELETS); }

  void place(const Tensor& tensor, unsigned tile) { graph.setTileMapping(tensor, tile); }
  void vertex(const char* codelet, unsigned tile, ArrayRef<ConnectionDesc> fields) {
    graph.setTileMapping(graph.addVertex(set, codelet, fields), tile);
  }
  template <class T>
  std::vector<T> result(const OptionFlags& options, const Tensor& tensor, const std::string& handle) {
    Engine engine(graph, Execute(set), options);
    engine.load(device);
    engine.run();
    std::vector<T> values(tensor.numElements());
    engine.readTensor(handle, values.data(), values.data() + values.size());
    return values;
  }
  static std::string summary(Engine& engine, const OptionFlags& options = {}) {
    std::ostringstream text;
    engine.printProfileSummary(text, options);
    return text.str();
  }
};

struct Rounding : OptionEffects {
  // Values between two f16 numbers, the same on two tiles.
  static constexpr unsigned kValues = 64;
  static constexpr float kUlp = 0x1p-10f;
  Tensor rounded;

  Rounding() {
    std::vector<float> values;
    for (unsigned i = 0; i < kValues; ++i) values.push_back(1 + (float(i) + 0.3f) * kUlp);
    rounded = graph.addVariable(HALF, {2 * kValues}, "rounded");
    for (unsigned tile = 0; tile < 2; ++tile) {
      const Tensor in = graph.addConstant<float>(FLOAT, {kValues}, values, "in");
      place(in, tile);
      const Tensor out = rounded.slice(tile * kValues, (tile + 1) * kValues);
      place(out, tile);
      vertex("ToHalf", tile, {{"in", in}, {"out", out}});
    }
    graph.createHostRead("rounded", rounded);
  }
  std::vector<std::uint16_t> run(const OptionFlags& options) {
    std::vector<std::uint16_t> bits;
    for (const half h : result<half>(options, rounded, "rounded")) bits.push_back(h.bits());
    return bits;
  }
  static std::vector<std::uint16_t> of_tile(const std::vector<std::uint16_t>& bits, unsigned tile) {
    return {bits.begin() + tile * kValues, bits.begin() + (tile + 1) * kValues};
  }
};

}  // namespace

TEST_CASE_METHOD(Rounding, "stochastic rounding changes f16 results, each to one of the two neighbours") {
  const auto nearest = run({}), off = run({{"prng.enableStochasticRounding", "false"}});
  const auto chance = run({{"prng.enableStochasticRounding", "true"}});
  CHECK(off == nearest);
  unsigned up = 0;
  for (unsigned i = 0; i < kValues; ++i) {
    const std::uint16_t below = half(1 + float(i) * kUlp).bits();
    CHECK(nearest[i] == below);  // 0.3 of the way up
    CHECK((chance[i] == below || chance[i] == below + 1));
    up += chance[i] != below;
  }
  CHECK(up > kValues / 10);
  CHECK(up < kValues * 6 / 10);
  CHECK(run({{"prng.enableStochasticRounding", "true"}}) == chance);
}

TEST_CASE_METHOD(Rounding, "the same seed gives the same bits, another seed others; tiles differ only with a seed") {
  const auto with_seed = [&](const char* seed) {
    return run({{"prng.enableStochasticRounding", "true"}, {"prng.seed", seed}});
  };
  const auto one = with_seed("1");
  CHECK(with_seed("0x1") == one);
  CHECK(with_seed("2") != one);
  CHECK(of_tile(one, 0) != of_tile(one, 1));
  const auto unseeded = run({{"prng.enableStochasticRounding", "true"}});
  CHECK(of_tile(unseeded, 0) == of_tile(unseeded, 1));
  CHECK(unseeded != one);
}

TEST_CASE_METHOD(OptionEffects, "every worker of every tile starts its generator where the seed's formula says") {
  const Tensor drawn = graph.addVariable(UNSIGNED_INT, {kTiles, 2 * kWorkers}, "drawn");
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    place(drawn[tile], tile);
    vertex("Draw", tile, {{"out", drawn[tile]}});
  }
  graph.createHostRead("drawn", drawn);
  const std::uint64_t seed = 0x123456789abcdef;
  const auto words = result<unsigned>({{"prng.seed", "0x123456789abcdef"}}, drawn, "drawn");
  for (unsigned tile = 0; tile < kTiles; ++tile) {
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const auto state = tessera::runtime::generator_state(seed, tile, worker);
      const std::uint64_t s0 = state[0] | std::uint64_t{state[1]} << 32, s1 = state[2] | std::uint64_t{state[3]} << 32;
      // The first draw of xoroshiro128aox (docs/reference/arithmetic.md).
      const std::uint64_t first = (s0 ^ s1) ^ (std::rotl(s0 & s1, 1) | std::rotl(s0 & s1, 2));
      const unsigned* at = &words[(tile * kWorkers + worker) * 2];
      CHECK((at[0] | std::uint64_t{at[1]} << 32) == first);
    }
  }
}

TEST_CASE("the formula of a seed's generators is the one of the page") {
  // docs/reference/control.md, worked by hand for seed 0: M(0) = 0, so the words are those of splitmix64 from 0.
  const auto first = tessera::runtime::generator_state(0, 0, 0);
  CHECK(first == std::array<std::uint32_t, 4>{0x7b1dcdaf, 0xe220a839, 0xa1b965f4, 0x6e789e6a});
  CHECK(tessera::runtime::generator_state(0, 0, 1)[1] == 0x06c45d18u);
}

TEST_CASE_METHOD(OptionEffects, "an f16 overflow gives infinity, the largest number, or NaN") {
  const Tensor values = graph.addVariable(HALF, {4}, "values");
  place(values, 1);
  graph.setInitialValue<float>(values, {300, -2, 1000, 255});
  vertex("Square", 1, {{"values", values}});
  graph.createHostRead("values", values);
  const auto bits = [&](const OptionFlags& options) {
    std::vector<unsigned> all;
    for (const half h : result<half>(options, values, "values")) all.push_back(h.bits());
    return all;
  };
  const unsigned four = half(4.0f).bits(), square = half(65025.0f).bits();
  CHECK(bits({}) == std::vector<unsigned>{0x7c00, four, 0x7c00, square});
  CHECK(bits({{"debug.nanOverflowMode", "false"}}) == std::vector<unsigned>{0x7bff, four, 0x7bff, square});
  CHECK(bits({{"debug.nanOverflowMode", "true"}}) == std::vector<unsigned>{0x7e00, four, 0x7e00, square});
}

TEST_CASE_METHOD(OptionEffects, "with float exceptions an f16 overflow stops the run and names the vertex") {
  const Tensor values = graph.addVariable(HALF, {4}, "values");
  place(values, 3);
  graph.setInitialValue<float>(values, {300, 300, 300, 300});
  vertex("Square", 3, {{"values", values}});
  Engine engine(graph, Execute(set), {{"debug.floatPointOpException", "true"}});
  engine.load(device);
  CHECK_THROWS_WITH(engine.run(),
                    ContainsText("Tile 3") && ContainsText("float exception") && ContainsText("'Square'"));
}

namespace {

struct Spinning : OptionEffects {
  Spinning() {
    const Tensor turns = graph.addVariable(INT, {}, "turns");
    place(turns, 2);
    graph.setInitialValue(turns, 1000);
    vertex("SpinFor", 2, {{"turns", turns}});
  }
  Engine loaded(const OptionFlags& options) {
    Engine engine(graph, Execute(set), options);
    engine.load(device);
    return engine;
  }
};

}  // namespace

TEST_CASE_METHOD(Spinning, "a compute phase longer than target.computeBudget ends the run, 0 takes the limit away") {
  CHECK_THROWS_WITH(loaded({{"target.computeBudget", "1000"}}).run(),
                    ContainsText("Tile 2 computed for more than its cycle budget"));
  CHECK_NOTHROW(loaded({{"target.computeBudget", "0"}}).run());
}

TEST_CASE_METHOD(Spinning, "a host sync later than target.hostSyncTimeout of the machine's time ends the run") {
  CHECK_THROWS_WITH(loaded({{"target.hostSyncTimeout", "10us"}}).run(), ContainsText("No host sync for 13251 cycles") &&
                                                                            ContainsText("tile 2 computing") &&
                                                                            ContainsText("target.hostSyncTimeout"));
  CHECK_NOTHROW(loaded({{"target.hostSyncTimeout", "300"}}).run());
}

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

namespace {

// A step of training in small: three streams bring data, two take results, and one more is asked for what the last
// result makes of it.
struct HostLoop : OptionEffects {
  static constexpr unsigned kTurns = 3;
  std::vector<Tensor> variables;
  Sequence turn;

  HostLoop() {
    for (const char* name : {"a", "b", "c", "x", "y", "z"}) {
      variables.push_back(graph.addVariable(INT, {2}, name));
      place(variables.back(), static_cast<unsigned>(variables.size() - 1) % kTiles);
    }
    const Tensor ab = concat(variables[0], variables[1]), xy = concat(variables[3], variables[4]);
    for (const unsigned in : {0u, 1u, 2u}) turn.add(Copy(from_host(in), variables[in]));
    turn.add(Copy(ab, xy));
    for (const unsigned out : {3u, 4u}) turn.add(Copy(variables[out], to_host(out)));
    turn.add(Copy(from_host(5), variables[5]));
    graph.createHostRead("z", variables[5]);
  }
  static std::string name(unsigned variable) { return std::string(1, "abcxyz"[variable]); }
  DataStream from_host(unsigned v) { return graph.addHostToDeviceFIFO(name(v), INT, 2); }
  DataStream to_host(unsigned v) { return graph.addDeviceToHostFIFO(name(v), INT, 2); }

  struct Run {
    std::string log;
    int z[2];
    std::uint64_t cycles;
  };
  Run run(const OptionFlags& options) {
    Engine engine(graph, Repeat(kTurns, turn), options);
    Run made{};
    int next = 0, sum = 0;
    for (const unsigned in : {0u, 1u, 2u})
      engine.connectStreamToCallback(name(in), [&, in](void* data) {
        made.log += name(in);
        static_cast<int*>(data)[0] = static_cast<int*>(data)[1] = ++next;
      });
    for (const unsigned out : {3u, 4u})
      engine.connectStreamToCallback(name(out), [&, out](void* data) {
        made.log += name(out) + std::to_string(static_cast<int*>(data)[1]);
        sum = 10 * sum + static_cast<int*>(data)[0];
      });
    engine.connectStreamToCallback("z", [&](void* data) {
      made.log += "z ";
      static_cast<int*>(data)[0] = sum;
      static_cast<int*>(data)[1] = -sum;
    });
    engine.load(device);
    const auto before = tessera::machineCounters(device);
    engine.run();
    const auto after = tessera::machineCounters(device);
    made.cycles = after.cycles - before.cycles;
    engine.readTensor("z", made.z, made.z + 2);
    return made;
  }
};

}  // namespace

TEST_CASE_METHOD(HostLoop, "tessera.mergeHostPhases makes one host phase of several") {
  const OptionFlags off = {{"tessera.mergeHostPhases", "false"}};
  const Run merged = run({}), apart = run(off);
  // Callbacks come in the program's order, and each sees what those before it have got.
  CHECK(merged.log == "abcx1y2z abcx4y5z abcx7y8z ");
  CHECK(merged.log == apart.log);
  CHECK(merged.z[0] == 124578);
  CHECK(merged.z[1] == -124578);
  CHECK(apart.z[0] == 124578);
  // Two host phases a turn instead of six: each takes a way to the host and back at least.
  CHECK(merged.cycles < apart.cycles / 2);
  const auto steps = [&](const OptionFlags& options) {
    Engine engine(graph, turn, options);
    return summary(engine, {{"showExecutionSteps", "true"}});
  };
  CHECK_THAT(steps({}), ContainsText("Copy(stream a, a) + Copy(stream b, b) + Copy(stream c, c)") &&
                            ContainsText("Copy(x, stream x) + Copy(y, stream y) + Copy(stream z, z)"));
  CHECK_THAT(steps(off), !ContainsText("+ Copy(stream b, b)"));
  const Executable executable = compileGraph(graph, {turn});
  CHECK_THROWS_WITH(Engine(executable, off), ContainsText("compileGraph"));
}

TEST_CASE("values that hold anyway change neither results nor cycles nor memory") {
  const Device device = attach();
  struct Outcome {
    std::vector<float> values;
    std::uint64_t cycles, hash;
    bool operator==(const Outcome&) const = default;
  };
  const auto run = [&](const OptionFlags& options) {
    Scaling scaling(device.getTarget(), 3, options);
    scaling.engine.load(device);
    Outcome outcome{scaling.run(count(1)), 0, 0};
    outcome.cycles = tessera::machineCounters(device).cycles;
    outcome.hash = tessera::memoryHash(device);
    return outcome;
  };
  const Outcome usual = run({});
  CHECK(usual.values == scaled(1, 3));
  const auto folder = std::filesystem::temp_directory_path() / ("option-effects-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto home = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  // Of the others the load writes more, or they end runs.
  const std::set<std::string_view> acting = {"debug.floatPointOpException", "debug.nanOverflowMode",
                                             "prng.enableStochasticRounding", "prng.seed", "target.computeBudget"};
  // The k-th value that each option takes, all options together.
  for (unsigned k = 0; k < 4; ++k) {
    OptionFlags options;
    for (const auto& option : tessera::runtime::engine_options().options) {
      if (option.compiled || acting.count(option.name) != 0) continue;
      std::vector<std::string> values;
      std::istringstream words{std::string(option.takes)};
      for (std::string word; std::getline(words >> std::ws, word, ',');)
        values.push_back(word == "<number>" ? "3" : word == "<time>" ? "300s" : word == "<text>" ? "reports" : word);
      if (!values.empty()) options.set(std::string(option.name), values[std::min<std::size_t>(k, values.size() - 1)]);
    }
    CAPTURE(options);
    CHECK(run(options) == usual);
  }
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::current_path(home);
  std::filesystem::remove(folder);
}

TEST_CASE("the summary shows what is asked for: steps, variables, the IPU, tiles") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  const std::string plain = OptionEffects::summary(scaling.engine);
  for (const char* part : {"Execution steps:", "Variables:", "IPU 0", "Tile 3"}) CHECK_THAT(plain, !ContainsText(part));
  CHECK_THAT(OptionEffects::summary(scaling.engine, {{"showExecutionSteps", "true"}}), ContainsText("Execute(scale)"));
  CHECK_THAT(OptionEffects::summary(scaling.engine, {{"showVarStorage", "true"}}),
             ContainsText("in                                      40 bytes on 4 tiles"));
  CHECK_THAT(OptionEffects::summary(scaling.engine, {{"showPerIpuMemoryUsage", "true"}}), ContainsText("IPU 0"));
  CHECK_THAT(OptionEffects::summary(scaling.engine, {{"showPerTileMemoryUsage", "true"}}), ContainsText("Tile 3"));
  CHECK_THROWS_WITH(OptionEffects::summary(scaling.engine, {{"showOptimizations", "true"}}),
                    ContainsText("TESSERA_DUMP"));
  CHECK_THROWS_AS(OptionEffects::summary(scaling.engine, {{"showNothing", "true"}}), invalid_option);
}

namespace {

// Numbers its transfers, and knows those it gave ahead.
class Ahead : public StreamCallback {
 public:
  explicit Ahead(std::string& log) : log_(log) {}
  Result prefetch(void* buffer) override {
    log_ += "p";
    fill(buffer);
    return Result::Success;
  }
  void fetch(void* buffer) override {
    log_ += "f";
    fill(buffer);
  }
  void complete() override { log_ += "c"; }
  void invalidatePrefetched() override { log_ += "i"; }

 private:
  void fill(void* buffer) { *static_cast<int*>(buffer) = ++number_; }
  std::string& log_;
  int number_ = 0;
};

}  // namespace

TEST_CASE("streams are asked ahead as far as the options say") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor in = graph.addVariable(INT, {1}, "in"), out = graph.addVariable(INT, {3}, "out");
  graph.setTileMapping(in, 0);
  graph.setTileMapping(out, 1);
  const DataStream stream =
      graph.addHostToDeviceFIFO("in", INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferingDepth", "2"}});
  graph.createHostRead("out", out);
  Sequence program;
  for (unsigned i = 0; i < 3; ++i) {
    program.add(Copy(stream, in));
    program.add(Copy(in, out.slice(i, i + 1)));
  }
  const auto calls = [&](OptionFlags options) {
    std::string log;
    Engine engine(graph, program, options);
    engine.connectStreamToCallback("in", std::make_unique<Ahead>(log));
    engine.load(device);
    engine.run();
    std::vector<int> values(3);
    engine.readTensor("out", values.data(), values.data() + 3);
    CHECK(values == std::vector<int>{1, 2, 3});
    return log;
  };
  const OptionFlags on = {{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}};
  const auto and_lookahead = [&](const char* most) {
    OptionFlags options = on;
    options.set("streamCallbacks.maxLookahead", most);
    return options;
  };
  CHECK(calls({}) == "fcfcfc");
  CHECK(calls(on) == "fcppcpcpi");
  CHECK(calls(and_lookahead("1")) == "fcpcpcpi");
  CHECK(calls(and_lookahead("0")) == "fcfcfc");
}

TEST_CASE("streams of one host phase are asked ahead as they are each in its own") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor in = graph.addVariable(INT, {2}, "in"), sums = graph.addVariable(INT, {2}, "sums");
  graph.setTileMapping(in[0], 0);
  graph.setTileMapping(in[1], 3);
  graph.setTileMapping(sums, 1);
  const auto stream = [&](const char* name, const char* depth) {
    return graph.addHostToDeviceFIFO(name, INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferingDepth", depth}});
  };
  graph.createHostRead("sums", sums);
  const Repeat program(3, Sequence({Copy(stream("one", "1"), in.slice(0, 1)), Copy(stream("two", "2"), in.slice(1, 2)),
                                    Copy(in, sums)}));
  const auto calls = [&](OptionFlags options, const char* merge) {
    options.set("tessera.mergeHostPhases", merge);
    std::string log;
    Engine engine(graph, program, options);
    for (const char* name : {"one", "two"}) engine.connectStreamToCallback(name, std::make_unique<Ahead>(log));
    engine.load(device);
    engine.run();
    std::vector<int> values(2);
    engine.readTensor("sums", values.data(), values.data() + 2);
    CHECK(values == std::vector<int>{3, 3});
    return log;
  };
  const OptionFlags ahead = {{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}};
  for (const char* merge : {"true", "false"}) {
    CHECK(calls({}, merge) == "fcfcfcfcfcfc");
    CHECK(calls(ahead, merge) == "fcpfcppcpcpcpcpii");
  }
}

TEST_CASE("stream options that a stream cannot have are refused by name") {
  Graph graph(Target::createIPUTarget(1, "mk2-4"));
  const auto mode = ReplicatedStreamMode::REPLICATE;
  CHECK_NOTHROW(graph.addHostToDeviceFIFO("a", INT, 4, mode, {{"splitLimit", "16"}, {"bufferingDepth", "3"}}));
  CHECK_NOTHROW(graph.addDeviceToHostFIFO("b", INT, 4, {{"splitLimit", "0"}, {"bufferingDepth", "1"}}));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"splitLimit", "15"}}),
                    ContainsText("stream 'c'") && ContainsText("splitLimit") && ContainsText("16 bytes"));
  CHECK_THROWS_WITH(graph.addDeviceToHostFIFO("c", INT, 4, {{"bufferingDepth", "2"}}),
                    ContainsText("stream 'c'") && ContainsText("bufferingDepth"));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"bufferingDepth", "0"}}),
                    ContainsText("one buffer at least; leave it out"));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"splitlimit", "0"}}), ContainsText("'splitLimit'"));
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
  const std::string own = run({{"tessera.shareMemory", "false"}}), shared = run({});
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
  CHECK_THAT(run({{"tessera.shareConstants", "false"}}), ContainsText("Variables and constants            256 bytes"));
  CHECK_THAT(run({}), ContainsText("Variables and constants            224 bytes"));
}
