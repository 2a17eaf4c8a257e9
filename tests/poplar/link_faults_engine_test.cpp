// Programs on several IPUs whose links fail: the same results, later, and the same cycles on RTL and model.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kReplicas = 4;
constexpr std::size_t kWords = 300;

struct Result {
  std::vector<int> values;
  std::uint64_t cycles = 0;
};

// Four replicas, each a chip of mk2-4, hand what they have round a ring, three times.
Result run(const Device& device) {
  Graph graph(device, replication_factor(kReplicas));
  const Tensor a = graph.addVariable(INT, {kWords}, VariableMappingMethod::LINEAR, "a"),
               b = graph.addVariable(INT, {kWords}, VariableMappingMethod::LINEAR, "b");
  graph.createHostWrite("a", a);
  graph.createHostRead("a", a);
  Engine engine(graph,
                Repeat(3, Sequence({CrossReplicaCopy(a, b, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), Copy(b.reverse(0), a)})));
  engine.load(device);
  Result result;
  result.values.resize(kReplicas * kWords);
  std::iota(result.values.begin(), result.values.end(), 5);
  engine.writeTensor("a", result.values.data(), result.values.data() + result.values.size());
  engine.run();
  engine.readTensor("a", result.values.data(), result.values.data() + result.values.size());
  result.cycles = tessera::machineCounters(device).cycles;
  return result;
}

// With a list of faults; empty: without.
Result run_with(const char* backend, const std::string& faults) {
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  std::ofstream(folder + "/faults.txt") << faults;
  ::setenv("TESSERA_BACKEND", backend, 1);
  ::setenv("TESSERA_MACHINE", "mk2-4x4", 1);
  if (faults.empty())
    ::unsetenv("TESSERA_INSPECT");
  else
    ::setenv("TESSERA_INSPECT", ("faults=" + folder + "/faults.txt").c_str(), 1);
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, kReplicas).at(0));
  REQUIRE(device.attach());
  std::filesystem::remove_all(folder);
  return run(device);
}

TEST_CASE("a program whose links fail gives what it gives without, later, on RTL as on the model") {
  const Result clean = run_with("model", "");
  CHECK(clean.values[0] == 5 + static_cast<int>(kWords) + static_cast<int>(kWords) - 1);
  const std::string faults = "link-random link=all seed=3 every=60\nlink-down link=0 cycle=3000 for=900\n";
  const Result model = run_with("model", faults), rtl = run_with("rtl", faults);
  CHECK(model.values == clean.values);
  CHECK(rtl.values == clean.values);
  CHECK(model.cycles > clean.cycles + 500);
  CHECK(rtl.cycles == model.cycles);
}

TEST_CASE("a dead link is one error of the program, and the next program runs") {
  const char* const backend = GENERATE("model", "rtl");
  const std::string dies = "link-down link=all from=2 cycle=0 for=ever\nlink-timeout link=all cycles=4000\n";
  CHECK_THROWS_WITH(run_with(backend, dies),
                    Catch::Matchers::ContainsText(
                        "link 3 (chip 0 port 3, chip 2 port 0) is dead: its channel 0 has brought nothing sound to "
                        "chip 0 since cycle 159, for longer than its time-out of 4000 cycles"));
  CHECK(run_with(backend, "").values == run_with("model", "").values);
}

// The header of a packet for tile 1 of chip 1 names tile 0 on the way to its port: the tile takes none of its words.
TEST_CASE("a packet that a tile does not take is a deadlock that says who waits, and what the others do") {
  const char* const backend = GENERATE("model", "rtl");
  using Catch::Matchers::ContainsText;
  CHECK_THROWS_WITH(run_with(backend, "packet-in tile=1:1 bit=17 cycle=8000\n"),
                    ContainsText("Chip 1: Deadlock: no tile can go on, while ") &&
                        ContainsText("words       chip 1 tile 1 waits for ") && ContainsText(" words of packets") &&
                        ContainsText("senders     chip 0: tiles 0-3 wait at external sync") &&
                        ContainsText("senders     chip 1: tiles 0 and 2-3 wait at internal sync"));
}

}  // namespace
