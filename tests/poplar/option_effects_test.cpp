// What options of an engine do to its runs, on what TESSERA_BACKEND says, mk2-4: numbers, bounds, reports. Those of the
// compiler: compile_options_test.cpp; of streams: stream_options_test.cpp. docs/user/options.md names the cases.
#include <bit>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <poplar/HalfFloat.hpp>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

#include "option_effects.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/worker_start.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::count, tessera::test::kTiles, tessera::test::OptionEffects,
    tessera::test::scaled, tessera::test::Scaling;

namespace {

constexpr unsigned kWorkers = 6;

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
  for (const char* none : {"300", "0", "0ms"}) CHECK_NOTHROW(loaded({{"target.hostSyncTimeout", none}}).run());
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
  // Of the others the load writes more, they end runs, refuse programs, or leave reports.
  const std::set<std::string_view> acting = {"debug.floatPointOpException",
                                             "debug.nanOverflowMode",
                                             "prng.enableStochasticRounding",
                                             "prng.seed",
                                             "target.computeBudget",
                                             "target.numberRuntimeReplica",
                                             "autoReport.all",
                                             "autoReport.outputExecutionProfile",
                                             "autoReport.outputGraphProfile",
                                             "autoReport.outputSerializedGraph",
                                             "autoReport.outputArchive",
                                             "autoReport.outputLoweredVars",
                                             "debug.loweredVarDumpFile",
                                             "target.saveArchive"};
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

TEST_CASE("reports that are asked for are left in their directory") {
  namespace fs = std::filesystem;
  const Device device = attach();
  const fs::path folder = fs::temp_directory_path() / ("auto-reports-" + std::to_string(::getpid()));
  const auto files_of = [&](const fs::path& directory, OptionFlags options, unsigned runs) {
    options.set("autoReport.directory", directory.string());
    Scaling scaling(device.getTarget(), 3, options);
    scaling.engine.load(device);
    for (unsigned i = 0; i < runs; ++i) scaling.run(count(1));
    std::set<std::string> names;
    if (fs::exists(directory))
      for (const auto& file : fs::directory_iterator(directory)) names.insert(file.path().filename().string());
    return names;
  };
  const auto text = [](const fs::path& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  using Names = std::set<std::string>;
  CHECK(files_of(folder / "none", {}, 1).empty());
  CHECK(files_of(folder / "a/all", {{"autoReport.all", "true"}}, 1) ==
        Names{"archive.a", "execution_profile.json", "graph_profile.json", "lowered_vars.json"});  // the graph is gone
  CHECK_THAT(text(folder / "a/all/graph_profile.json"), ContainsText("byTile"));
  CHECK(files_of(folder / "less", {{"autoReport.all", "true"}, {"autoReport.outputGraphProfile", "false"}}, 0) ==
        Names{"archive.a", "lowered_vars.json"});
  Graph graph(device.getTarget());
  const Engine engine(graph, Sequence(),
                      {{"autoReport.all", "true"}, {"autoReport.directory", (folder / "graph").string()}});
  std::ostringstream bytes;
  graph.serialize(bytes, SerializationFormat::Binary);
  CHECK(text(folder / "graph/serialized_graph.cbor") == bytes.str());
  CHECK(fs::exists(folder / "graph/graph_profile.json"));
  CHECK(files_of(folder / "cycles", {{"autoReport.outputExecutionProfile", "true"}}, 2) ==
        Names{"execution_profile.json"});
  // Of the first run alone: what a single one leaves.
  CHECK(files_of(folder / "first",
                 {{"autoReport.outputExecutionProfile", "true"}, {"autoReport.executionProfileProgramRunCount", "1"}},
                 2) == Names{"execution_profile.json"});
  const std::string once = text(folder / "a/all/execution_profile.json");
  CHECK_THAT(once, ContainsText("supersteps"));
  CHECK(text(folder / "first/execution_profile.json") == once);
  CHECK(text(folder / "cycles/execution_profile.json") != once);
  std::ofstream(folder / "file") << "no folder";
  CHECK_THROWS_WITH(files_of(folder / "file", {{"autoReport.all", "true"}}, 0), ContainsText("autoReport.directory"));
  fs::remove_all(folder);
}

TEST_CASE("archive and addresses of variables are left where it is said") {
  namespace fs = std::filesystem;
  const Device device = attach();
  const fs::path folder = fs::temp_directory_path() / ("left-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  const std::string archive = folder / "archive.a", variables = folder / "vars.json";
  const Scaling scaling(device.getTarget(), 3,
                        {{"target.saveArchive", archive}, {"debug.loweredVarDumpFile", variables}});
  const auto text = [](const std::string& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string bytes = text(archive);
  CHECK(bytes.substr(0, 8) == "!<arch>\n");
  CHECK_THAT(bytes, ContainsText("__vertex_Scale"));
  // "in" lies in turns on four tiles: three of its ten elements on the first two, two on the others.
  const std::string parts = text(variables), name = "\"variable\": \"in\"";
  const auto number = [&](const char* key, std::size_t at) {
    return std::stoi(parts.substr(parts.find(key, at) + std::string(key).size()));
  };
  std::map<int, int> bytes_of;
  for (std::size_t at = 0; (at = parts.find(name, at)) != std::string::npos; at += name.size())
    bytes_of[number("\"tile\": ", at)] += number("\"bytes\": ", at);
  CHECK(bytes_of == std::map<int, int>{{0, 12}, {1, 12}, {2, 8}, {3, 8}});
  CHECK_THROWS_WITH(Scaling(device.getTarget(), 3, {{"target.saveArchive", (folder / "none/archive.a").string()}}),
                    ContainsText("target.saveArchive"));
  fs::remove_all(folder);
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
