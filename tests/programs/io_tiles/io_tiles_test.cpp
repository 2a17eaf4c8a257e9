// A program with I/O tiles: its results are those of the work on every batch, its transfers go beside compute, and RTL
// and model agree.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <vector>

#include "tests/programs/io_tiles/io_tiles.h"

namespace {

using namespace poplar;

// Work takes a little longer than a batch and a result at the gateway's rate.
constexpr io_tiles::Size kSize{.io_tiles = 8, .batch = 6144, .batches = 3, .rounds = 3, .stages = 3};

Device device_on(const char* backend) {
  ::setenv("TESSERA_MACHINE", "mk2-16x4", 1);
  ::setenv("TESSERA_BACKEND", backend, 1);
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, 1).at(0));
  REQUIRE(device.attach());
  return device;
}

struct Run {
  std::vector<float> results;
  std::uint64_t memory = 0, cycles = 0;
};

Run run(const char* backend) {
  const Device device = device_on(backend);
  Graph graph(device);
  const program::Program program = io_tiles::make_program(graph, kSize, io_tiles::Part::kAll);
  Engine engine(graph, program);
  engine.load(device);
  for (unsigned batch = 0; batch < kSize.batches; ++batch) {
    std::vector<float> row(kSize.batch);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::sin(static_cast<float>(batch * row.size() + i));
    engine.copyToRemoteBuffer<float>(ArrayRef<float>(row), "batches", batch);
  }
  engine.run();
  Run made;
  for (unsigned batch = 0; batch < kSize.batches; ++batch) {
    std::vector<float> row(kSize.batch);
    engine.copyFromRemoteBuffer<float>("results", ArrayRef<float>(row), batch);
    made.results.insert(made.results.end(), row.begin(), row.end());
  }
  made.memory = tessera::memoryHash(device);
  made.cycles = tessera::machineCounters(device).cycles;
  return made;
}

TEST_CASE("every batch is worked on, and RTL and model agree") {
  const Run model = run("model"), rtl = run("rtl");
  std::vector<float> expected(model.results.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t batch = i / kSize.batch, shift = (kSize.stages - 1) * kSize.batch / 8;
    expected[i] = std::sin(static_cast<float>(batch * kSize.batch + (i + shift) % kSize.batch));
    for (unsigned r = 0; r < kSize.stages * kSize.rounds; ++r) expected[i] = expected[i] * expected[i] - 0.5f;
  }
  CHECK(model.results == expected);
  CHECK(rtl.results == model.results);
  CHECK(rtl.memory == model.memory);
  CHECK(rtl.cycles == model.cycles);
}

TEST_CASE("transfers of I/O tiles go beside compute") {
  for (const unsigned stages : {1u, 3u}) {  // also beside exchanges in which I/O tiles have no part
    INFO(stages);
    io_tiles::Size size = kSize;
    size.batches = 32;
    size.stages = stages;
    size.rounds = 9 / stages;
    const io_tiles::Hidden hidden = io_tiles::measure(device_on("model"), size);
    INFO(hidden.compute << " of compute, " << hidden.transfers << " of transfers, " << hidden.both << " of both");
    CHECK(hidden.part() >= 0.8);
  }
}

}  // namespace
