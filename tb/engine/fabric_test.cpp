// The RTL of the fabric beside the engine's: the same run, and no difference between the two that goes unnoticed.
#include "sim/engine/fabric.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/lockstep.h"
#include "sim/engine/rtl_chip.h"
#include "sim/model/tile.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::FabricChoice;
using chip::FabricPins;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1'000'000;

// To its end, with a mark for its host sync.
chip::Stop run(chip::Chip& chip, const ChipProgram& program, chip::HostBus& host) {
  chip.attach(&host);
  load_and_start(chip, program);
  chip::Stop stop = chip.run(kLimit, 0);
  if (stop.reason != StopReason::kHostSync) return stop;
  chip.mark(stop.cycle + 77, 0x1234);
  return chip.run(kLimit, 0);
}

struct Named {
  const char* name;
  std::function<ChipProgram(const spec::Machine&)> program;
};
const Named kPrograms[] = {{"ring", [](const spec::Machine& m) { return ring_program(m, 1); }},
                           {"ring, three apart", [](const spec::Machine& m) { return ring_program(m, 3); }},
                           {"multicast", [](const spec::Machine& m) { return multicast_program(m, 1); }},
                           {"host memory", [](const spec::Machine& m) { return host_memory_program(m, 20); }},
                           {"remote memory", [](const spec::Machine& m) { return remote_memory_program(m, 20); }},
                           {"consensus", [](const spec::Machine& m) { return consensus_program(m); }}};

// Pins that do not tell all of it.
class Broken : public FabricPins {
 public:
  using Change = std::function<void(unsigned, chip::TileInputs&)>;
  Broken(std::unique_ptr<FabricPins> pins, Change inputs, bool up = true, bool host = true)
      : pins_(std::move(pins)), change_(std::move(inputs)), up_(up), host_(host) {}
  void reset() override { pins_->reset(); }
  void tile(unsigned id, const chip::TileOutputs& out) override { pins_->tile(id, out); }
  void down(const Word& word) override { pins_->down(word); }
  void mark(uint16_t value) override { pins_->mark(value); }
  void select(uint32_t select, uint32_t address) override { pins_->select(select, address); }
  void access(bool write, uint32_t data) override { pins_->access(write, data); }
  uint32_t answer() override { return pins_->answer(); }
  void clock(uint64_t cycle) override { pins_->clock(cycle); }
  void settle() override { pins_->settle(); }
  void trace(VerilatedFstC& file) override { pins_->trace(file); }
  void inputs(unsigned id, chip::TileInputs& in) const override {
    pins_->inputs(id, in);
    change_(id, in);
  }
  bool gives() const override { return true; }
  Word up() const override { return up_ ? pins_->up() : Word(); }
  bool host_waits() const override { return host_ && pins_->host_waits(); }
  uint32_t description(unsigned i) override { return pins_->description(i); }
  chip::Pages save(const chip::Pages& earlier, size_t& bytes) override { return pins_->save(earlier, bytes); }
  void load(const chip::Pages& pages) override { pins_->load(pages); }

 private:
  std::unique_ptr<FabricPins> pins_;
  Change change_;
  bool up_, host_;
};

}  // namespace

TEST_CASE("programs run the same on the fabric's RTL and on the engine's: records, cycles, memory, host") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk2-16", "mk2-64"));
  for (const Named& named : kPrograms) {
    INFO(m.name << ", " << named.name);
    const ChipProgram program = named.program(m);
    chip::Lockstep lockstep(m.tiles(), {});
    chip::Observer* const observers[] = {&lockstep.left(), &lockstep.right()};
    chip::Stop stops[2];
    uint64_t hashes[2], supersteps[2];
    std::vector<uint64_t> host_cycles[2];
    for (int i = 0; i < 2; ++i) {
      const auto chip = chip::make_rtl_chip_with(i == 0 ? FabricChoice::kRtl : FabricChoice::kEngine, m);
      HostMemory host(m);
      chip->observe(observers[i]);
      stops[i] = run(*chip, program, host);
      hashes[i] = chip->memory_hash();
      supersteps[i] = chip->counters().supersteps;
      host_cycles[i] = host.cycles();
    }
    lockstep.finish();
    INFO(lockstep.report());
    CHECK_FALSE(lockstep.differs());
    CHECK(lockstep.compared() > 0);
    CHECK(stops[0].reason == stops[1].reason);
    CHECK(stops[0].cycle == stops[1].cycle);
    CHECK(hashes[0] == hashes[1]);
    CHECK(supersteps[0] == supersteps[1]);
    CHECK(host_cycles[0] == host_cycles[1]);
  }
}

TEST_CASE("a fabric that does something else than the engine says ends the run, naming cycle and tile") {
  const auto m = spec::load_machine("mk2-4");
  struct Fault {
    const char* program;
    Broken::Change change;
    bool up, host;
    const char* told;
  };
  const auto nothing = [](unsigned, chip::TileInputs&) {};
  const Fault faults[] = {
      {"ring", [](unsigned, chip::TileInputs& in) { in.sync_ack = false; }, true, true, "acknowledgement of tile 0"},
      {"ring", [](unsigned id, chip::TileInputs& in) { in.sync_ack |= id == 2; }, true, true, "an acknowledgement"},
      {"consensus", [](unsigned, chip::TileInputs& in) { in.sync_consensus = !in.sync_consensus; }, true, true,
       "consensus or mark of tile 0"},
      {"ring", [](unsigned, chip::TileInputs& in) { in.sync_mark ^= 1; }, true, true, "consensus or mark of tile 0"},
      {"ring", [](unsigned, chip::TileInputs& in) { in.sync_ack_zone ^= 1; }, true, true, "zone, consensus or mark of"},
      {"ring", [](unsigned, chip::TileInputs& in) { in.exchange_data ^= 0x100; }, true, true, "received word of tile"},
      {"ring", [](unsigned id, chip::TileInputs& in) { in.exchange_valid &= id != 1; }, true, true,
       "received word of tile 1"},
      {"multicast", [](unsigned id, chip::TileInputs& in) { in.exchange_valid |= id == 3; }, true, true,
       "a word for tile 3, which does not listen"},
      {"host memory", [](unsigned, chip::TileInputs& in) { in.packet_grant = false; }, true, true, "grant of tile"},
      {"host memory", [](unsigned id, chip::TileInputs& in) { in.packet_grant |= id == 1; }, true, true,
       "a grant to tile 1"},
      {"host memory", [](unsigned, chip::TileInputs& in) { in.packet_data ^= 4; }, true, true,
       "word of a packet of tile"},
      {"ring", [](unsigned, chip::TileInputs& in) { in.debug_wdata ^= 1; }, true, true, "debug access of tile 0"},
      {"ring", [](unsigned id, chip::TileInputs& in) { in.debug_valid |= id == 3; }, true, true,
       "a debug access to tile 3"},
      {"host memory", nothing, false, true, "word at the host port none, of the engine 0x"},
      {"ring", nothing, true, false, "the host is not told of the sync"},
  };
  for (const Fault& fault : faults) {
    INFO(fault.told);
    for (const Named& named : kPrograms) {
      if (std::string(named.name) != fault.program) continue;
      chip::ChipEngine<model::ModelTile> chip(m);
      chip.use_fabric(
          std::make_unique<Broken>(make_fabric_pins(FabricChoice::kRtl, m), fault.change, fault.up, fault.host));
      HostMemory host(m);
      CHECK_THROWS_WITH(run(chip, named.program(m), host),
                        Catch::Matchers::ContainsText("the RTL of the fabric and the engine differ in cycle ") &&
                            Catch::Matchers::ContainsText(fault.told));
    }
  }
}

TEST_CASE(
    "a machine whose fabric is not built is refused by name when RTL is asked for, and runs by the engine's else") {
  auto m = spec::load_machine("mk2-16");
  m.sync_request += 1;
  m.name = "mk2-16-slow";
  CHECK_THROWS_WITH(make_fabric_pins(FabricChoice::kRtl, m),
                    Catch::Matchers::ContainsText(
                        "the RTL of the fabric of machine mk2-16-slow is not built: this build has those of mk2-4"));
  CHECK(make_fabric_pins(FabricChoice::kUsual, m) == nullptr);
  CHECK(make_fabric_pins(FabricChoice::kEngine, spec::load_machine("mk2-16")) == nullptr);
  CHECK(make_fabric_pins(FabricChoice::kUsual, spec::load_machine("mk2")) == nullptr);
  CHECK(make_fabric_pins(FabricChoice::kUsual, spec::load_machine("mk2-64")) != nullptr);
}
