// The flat top against the chip of tile instances, in every cycle: the outputs of every tile, over whole programs with
// exchange, sync and host packets.
#include <catch2/catch.hpp>

#include <vector>

#include "Vtile.h"
#include "chip/chip_engine.h"
#include "chip/rtl_tile.h"
#include "chip_programs.h"
#include "flat_chip.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;
using chip::StopReason;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

constexpr uint64_t kLimit = 200000;

// What the ports of the instanced chip show, from the cycles in which something moved.
class Recorder : public chip::PortProbe {
 public:
  explicit Recorder(Engine& engine) : engine_(engine), tiles_(engine.machine().tiles()) { add(0); }
  bool wanted(uint64_t) const override { return true; }
  void stepped(uint64_t cycle) override { add(cycle + 1); }
  // Ports in `cycle`; calls with ascending cycles.
  const PackedOutputs* at(uint64_t cycle) {
    while (next_ + 1 < cycles_.size() && cycles_[next_ + 1] <= cycle) ++next_;
    return &ports_[next_ * tiles_];
  }
  size_t size() const { return cycles_.size(); }

 private:
  void add(uint64_t cycle) {
    cycles_.push_back(cycle);
    for (unsigned t = 0; t < tiles_; ++t) ports_.push_back(pack(engine_.outputs(t)));
  }
  Engine& engine_;
  unsigned tiles_;
  size_t next_ = 0;
  std::vector<uint64_t> cycles_;
  std::vector<PackedOutputs> ports_;
};

// Runs the program on both, answers one host sync, and compares. Returns the cycles compared.
uint64_t compare(const spec::Machine& m, const ChipProgram& program) {
  Engine engine(m);
  HostMemory engine_host(m), flat_host(m);
  engine.attach(&engine_host);
  Recorder recorder(engine);
  engine.probe(&recorder);
  load_and_start(engine, program);
  const auto sync = engine.run(kLimit, 0);
  REQUIRE(sync.reason == StopReason::kHostSync);
  engine.debug_read(0, DebugSpace::kMemory, 0, kResult);
  const uint64_t answer = sync.cycle + 321;
  engine.mark(answer, 0x77);
  const auto end = engine.run(kLimit, 0);
  REQUIRE(end.reason == StopReason::kException);

  FlatChip flat(m);
  flat.attach(&flat_host);
  uint64_t different = 0, compared = 0, first = 0, changes = 0;
  PackedOutputs last{};
  unsigned first_tile = 0;
  flat.watch([&](uint64_t cycle) {
    const PackedOutputs* expected = recorder.at(cycle);
    for (unsigned t = 0; t < m.tiles(); ++t) {
      if (flat.outputs(t) != expected[t] && different++ == 0) first = cycle, first_tile = t;
    }
    ++compared;
    changes += flat.outputs(0) != last;
    last = flat.outputs(0);
  });
  load_and_start(flat, program);
  CHECK(flat.run(kLimit));
  CHECK(flat.cycle() == sync.cycle);
  flat.debug_read(0, DebugSpace::kMemory, 0, kResult);
  flat.mark(answer, 0x77);
  flat.run(end.cycle + 100);
  INFO("first difference in cycle " << first << " at tile " << first_tile);
  CHECK(different == 0);
  CHECK(engine_host.cycles() == flat_host.cycles());
  CHECK(compared == end.cycle + 100);
  CHECK(changes > 10);
  return compared;
}

}  // namespace

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: exchange and workers") {
  const auto m = spec::load_machine("mk2-4");
  for (unsigned shift = 0; shift < m.tiles(); ++shift) compare(m, ring_program(m, shift));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: multicast") {
  const auto m = spec::load_machine("mk2-4");
  compare(m, multicast_program(m, 2));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: host packets") {
  const auto m = spec::load_machine("mk2-4");
  compare(m, host_memory_program(m, 19));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: consensus") {
  const auto m = spec::load_machine("mk2-4");
  compare(m, consensus_program(m));
}
