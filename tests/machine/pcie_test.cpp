// The SystemC path alone: registers, host reads and writes, host sync, and the cycles of edge.md. One elaboration
// serves all cases, which run as SystemC processes need it: inside one thread, in order.
#include <array>
#include <cstring>

#include "fake_chip.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "systemc/machine/card.h"
#include "tests/machine/systemc_session.h"

namespace {

using namespace tessera;
using test::Step;

constexpr uint32_t kBase = 0x4c000;

// The host of the tests: a fake chip in a card.
struct Bench : sc_core::sc_module {
  spec::Machine machine = spec::load_machine("mk2-4");
  test::FakeChip chip{machine};
  machine::HostTime time;
  machine::Card card{"card", chip, time};
  std::array<uint32_t, 1024> memory{};

  explicit Bench(sc_core::sc_module_name name) : sc_module(name) {}

  void begin(std::vector<std::array<uint32_t, 4>> steps) {
    card.endpoint.reset();
    time = {};
    chip.marks.clear();
    chip.arrivals.clear();
    memory.fill(0);
    card.memory.map(std::as_writable_bytes(std::span(memory)));
    write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 0, .space = spec::DebugSpace::kMemory}.encode());
    write(spec::kRegDebugAddress, kBase);
    for (const auto& step : steps) card.host.write(spec::kRegDebugData, step);
  }
  void write(uint32_t offset, uint32_t value) { card.host.write(offset, std::span(&value, 1)); }
  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    card.host.read(offset, std::span(&value, 1));
    return value;
  }
  chip::Stop run() {
    card.endpoint.start(~uint64_t{0}, 0);
    sc_core::wait(card.endpoint.stopped);
    return card.endpoint.stop();
  }
};

Bench* bench = nullptr;

constexpr uint32_t step(Step what) { return static_cast<uint32_t>(what); }

TEST_CASE("identity registers hold the magic and the machine description in table order") {
  bench->begin({});
  CHECK(bench->read(spec::kRegIdentity) == 0x54535241);
  uint32_t offset = spec::kRegMachineFirst;
  for (const auto& [name, value] : spec::machine_fields(bench->machine)) {
    INFO(name);
    CHECK(bench->read(offset) == value);
    offset += 4;
  }
}

TEST_CASE("a word written through the debug registers is read back, and the address advances") {
  bench->begin({});
  bench->write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 2, .space = spec::DebugSpace::kMemory}.encode());
  bench->write(spec::kRegDebugAddress, kBase + 64);
  bench->write(spec::kRegDebugData, 11);
  bench->write(spec::kRegDebugData, 22);
  CHECK(bench->read(spec::kRegDebugAddress) == kBase + 72);
  bench->write(spec::kRegDebugAddress, kBase + 64);
  CHECK(bench->read(spec::kRegDebugData) == 11);
  CHECK(bench->read(spec::kRegDebugData) == 22);
}

TEST_CASE("a debug write to all tiles reaches each, and a read of all is refused") {
  bench->begin({});
  bench->write(spec::kRegDebugSelect,
               spec::DebugSelect{.tile = chip::kNoTile, .space = spec::DebugSpace::kMemory}.encode());
  bench->write(spec::kRegDebugAddress, kBase + 128);
  bench->write(spec::kRegDebugData, 77);
  CHECK_THROWS_WITH(bench->read(spec::kRegDebugData), Catch::Matchers::ContainsText("DEBUG_DATA"));
  for (uint32_t tile = 0; tile < 4; ++tile) {
    bench->write(spec::kRegDebugSelect, spec::DebugSelect{.tile = tile, .space = spec::DebugSpace::kMemory}.encode());
    bench->write(spec::kRegDebugAddress, kBase + 128);
    CHECK(bench->read(spec::kRegDebugData) == 77);
  }
}

TEST_CASE("a host read brings the words back after both latencies, turnaround and transfer") {
  bench->begin({{step(Step::kHostRead), 16, 13, kBase + 256}, {step(Step::kHalt), 0, 0, 0}});
  for (uint32_t i = 0; i < 13; ++i) bench->memory[4 + i] = 100 + i;
  const uint64_t before = bench->chip.cycle();
  CHECK(bench->run().reason == chip::StopReason::kHalted);
  const uint64_t request = before + test::kStepCycles;
  // 13 words at 6 a cycle: 3 cycles.
  REQUIRE(bench->chip.arrivals ==
          std::vector<uint64_t>{request + 2 * bench->machine.pcie_latency + bench->machine.host_turnaround + 3});
  CHECK(bench->chip.debug_read(0, chip::DebugSpace::kMemory, 0, kBase + 256 + 48) == 112);
}

TEST_CASE("a host write puts the words into host memory") {
  bench->begin({{step(Step::kHostWrite), 40, 4, kBase}, {step(Step::kHalt), 0, 0, 0}});
  CHECK(bench->run().reason == chip::StopReason::kHalted);
  CHECK(bench->memory[10] == step(Step::kHostWrite));
  CHECK(bench->memory[11] == 40);
  CHECK(bench->memory[12] == 4);
  CHECK(bench->memory[13] == kBase);
}

TEST_CASE("an access outside host memory is refused, and the next run works") {
  for (const Step access : {Step::kHostWrite, Step::kHostRead}) {
    bench->begin({{step(access), 4092, 2, kBase}, {step(Step::kHalt), 0, 0, 0}});
    const chip::Stop stop = bench->run();
    REQUIRE(stop.reason == chip::StopReason::kRefused);
    CHECK(stop.refusal->address == 4092);
    CHECK(stop.refusal->words == 2);
    CHECK(stop.refusal->write == (access == Step::kHostWrite));
  }
  bench->begin({{step(Step::kHalt), 0, 0, 0}});
  CHECK(bench->run().reason == chip::StopReason::kHalted);
}

TEST_CASE("a host sync is answered by a mark that arrives two latencies and a turnaround later") {
  bench->begin({{step(Step::kHostSync), kBase + 256, 0, 0}, {step(Step::kHalt), 0, 0, 0}});
  CHECK_THROWS_WITH(bench->write(spec::kRegMark, 5), Catch::Matchers::ContainsText("0x104"));  // nobody asks
  const chip::Stop stop = bench->run();
  REQUIRE(stop.reason == chip::StopReason::kHostSync);
  CHECK(bench->read(spec::kRegStatus) == spec::HostStatus{.host_sync = true}.encode());
  CHECK(sc_core::sc_time_stamp() == bench->card.clock.time_of(stop.cycle));
  bench->write(spec::kRegMark, 5);
  CHECK_THROWS(bench->write(spec::kRegMark, 6));  // answered already
  const uint64_t arrival = stop.cycle + 2 * bench->machine.pcie_latency + bench->machine.host_turnaround;
  REQUIRE(bench->chip.marks == std::vector<std::pair<uint64_t, uint16_t>>{{arrival, 5}});
  CHECK(bench->run().reason == chip::StopReason::kHalted);
  CHECK(bench->read(spec::kRegStatus) == 0);
}

TEST_CASE("the lowest tile that excepted is in EXCEPTION_TILE") {
  bench->begin({{step(Step::kExcept), 8, 3, 0}});
  CHECK(bench->read(spec::kRegExceptionTile) == chip::kNoTile);
  CHECK(bench->run().reason == chip::StopReason::kException);
  CHECK(bench->read(spec::kRegExceptionTile) == 3);
  CHECK(spec::HostStatus::decode(bench->read(spec::kRegStatus)).exception);
}

TEST_CASE("registers that do not exist or cannot be written are refused by name") {
  bench->begin({});
  CHECK_THROWS_WITH(bench->read(0x130), Catch::Matchers::ContainsText("0x130"));
  CHECK_THROWS_WITH(bench->write(spec::kRegIdentity, 1), Catch::Matchers::ContainsText("0x000"));
  bench->write(spec::kRegDebugSelect,
               spec::DebugSelect{.tile = 4, .space = spec::DebugSpace::kMemory}.encode());  // mk2-4 has tiles 0 to 3
  CHECK_THROWS_WITH(bench->write(spec::kRegDebugData, 1), Catch::Matchers::ContainsText("DEBUG_DATA"));

  // Context 7, all of them, is there for control only; the vector space for the others.
  const auto selected = [](chip::DebugSpace space, uint32_t context) {
    bench->write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 0, .space = space, .context_id = context}.encode());
  };
  for (const auto space : {chip::DebugSpace::kInteger, chip::DebugSpace::kVector}) {
    selected(space, 7);
    CHECK_THROWS_WITH(bench->write(spec::kRegDebugData, 1), Catch::Matchers::ContainsText("DEBUG_DATA"));
    selected(space, 6);
    CHECK_NOTHROW(bench->write(spec::kRegDebugData, 1));
  }
  selected(chip::DebugSpace::kControl, 7);
  CHECK_NOTHROW(bench->write(spec::kRegDebugData, 1));
}

TEST_CASE("host memory refuses odd addresses and byte enables, and grants direct access to all of it") {
  bench->begin({});
  uint32_t word = 7;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_address(2);
  CHECK(bench->card.link.host_dma->transport_dbg(payload) == 0);
  CHECK(payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  unsigned char enable = 0xff;
  payload.set_address(4);
  payload.set_byte_enable_ptr(&enable);
  CHECK(bench->card.link.host_dma->transport_dbg(payload) == 0);
  CHECK(payload.get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  tlm::tlm_dmi dmi;
  REQUIRE(bench->card.link.host_dma->get_direct_mem_ptr(payload, dmi));
  CHECK(dmi.get_end_address() == sizeof(bench->memory) - 1);
  CHECK(dmi.get_dmi_ptr() == reinterpret_cast<unsigned char*>(bench->memory.data()));
}

TEST_CASE("time is derived from the cycle without drift") {
  const pcie::ChipClock clock(1325000000);
  CHECK(clock.time_of(1325000000) == sc_core::sc_time(1, sc_core::SC_SEC));
  CHECK(clock.time_of(53) == sc_core::sc_time(40, sc_core::SC_NS));
}

}  // namespace

int sc_main(int argc, char* argv[]) { return tessera::test::run_session(bench, argc, argv); }

int main(int argc, char* argv[]) { return tessera::test::run_systemc(argc, argv); }
