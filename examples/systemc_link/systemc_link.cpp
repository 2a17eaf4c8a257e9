// A link of one's own: a SystemC module between the ports of two chips, in the place of systemc/link/link.h. This one
// is slow: a word in `gap` cycles on each channel, where a port gives one a cycle, and it counts what passes. A tile of
// chip 0 sends 64 words to a tile of chip 1, which notes in which cycle all have come.
//
//   systemc_link [rtl|model] [gap]
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "rtl/spec/instructions.h"
#include "rtl/spec/system.h"
#include "rtl/spec/words.h"
#include "sim/port/chip.h"
#include "systemc/link/chip_rounds.h"
#include "systemc/link/link_transaction.h"

using namespace tessera;
using Op = spec::Opcode;

constexpr uint32_t kPayload = 64;  // words
// In each tile, from the border of its regions on: the packet, what has come, and the cycle.
constexpr uint32_t kReceived = 0x200, kCycle = 0x400;

class SlowLink : public sc_core::sc_module {
 public:
  struct End {
    End(const char* in_name, const char* out_name) : in(in_name), out(out_name) {}
    tlm_utils::simple_target_socket_tagged<SlowLink, 32> in;  // from the chip
    tlm_utils::simple_initiator_socket<SlowLink, 32> out;     // to it
  };
  End ends[2] = {{"in0", "out0"}, {"in1", "out1"}};
  uint64_t words = 0, credits = 0;

  SlowLink(sc_core::sc_module_name name, uint64_t latency, uint64_t gap)
      : sc_module(name), latency_(latency), gap_(gap) {
    for (int end = 0; end < 2; ++end) ends[end].in.register_b_transport(this, &SlowLink::carry, end);
  }

 private:
  // The extension says in which cycle it is on the channel at this end, and is told in which at the other: the latency
  // later at least, in order on each channel.
  void carry(int end, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    auto* extension = payload.get_extension<link::LinkExtension>();
    if (extension == nullptr || !payload.is_write()) {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    const bool is_word = payload.get_data_length() != 0;
    (is_word ? words : credits) += 1;
    uint64_t& free = free_[{end, payload.get_address()}];
    extension->event.cycle = std::max(extension->event.cycle + latency_, free);
    free = extension->event.cycle + (is_word ? gap_ : 0);
    ends[1 - end].out->b_transport(payload, delay);
  }

  const uint64_t latency_, gap_;
  std::map<std::pair<int, uint64_t>, uint64_t> free_;  // by end and channel: from when on it takes the next
};

// Tile 0 of chip 0 sends; tile 0 of chip 1 waits for the words; all wait for the host.
std::vector<uint32_t> program(const spec::Machine& machine, uint32_t chip) {
  const auto at = static_cast<int32_t>(machine.region1_base);
  std::vector<uint32_t> code = {
      spec::encode(Op::Csrrs, {.rd = 5, .imm = static_cast<int>(spec::Csr::Xtile)}),
      spec::encode(Op::Lui, {.rd = 10, .imm = at}),
  };
  const auto add = [&](std::initializer_list<uint32_t> more) { code.insert(code.end(), more); };
  if (chip == 1)  // words to come, on tile 0 alone
    add({spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = 12}), spec::encode(Op::Addi, {.rd = 9, .imm = kPayload}),
         spec::encode(Op::Csrrw, {.rs1 = 9, .imm = static_cast<int>(spec::Csr::Xcount)})});
  add({spec::encode(Op::Sync, {.imm = 3})});  // zone 3, of both chips: packets may be sent
  if (chip == 0)
    add({spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = 12}),
         spec::encode(Op::Addi, {.rd = 11, .imm = kPayload + 2}), spec::encode(Op::Hsend, {.rs1 = 10, .rs2 = 11})});
  else
    add({spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = 16}),
         spec::encode(Op::Sync, {.imm = 5}),  // zone 5: until xcount is 0
         spec::encode(Op::Csrrs, {.rd = 14, .imm = static_cast<int>(spec::Csr::Cycle)}),
         spec::encode(Op::Sw, {.rs1 = 10, .rs2 = 14, .imm = kCycle})});
  add({spec::encode(Op::Sync, {.imm = 4})});
  return code;
}

class Bench : public sc_core::sc_module {
 public:
  bool passed = false;

  SC_HAS_PROCESS(Bench);
  Bench(sc_core::sc_module_name name, const spec::System& system, chip::Backend backend, uint64_t gap)
      : sc_module(name), system_(system), gap_(gap), clock_(system.chips[0].clock_hz) {
    std::vector<chip::Chip*> all;
    for (const spec::Machine& machine : system.chips)
      all.push_back(chips_.emplace_back(chip::make_linked_chip(backend, machine)).get());
    rounds_ = std::make_unique<link::ChipRounds>("rounds", system, all, clock_);
    for (const spec::Link& link : system.links) {
      const std::string link_name = "link" + std::to_string(links_.size());
      auto& made = *links_.emplace_back(std::make_unique<SlowLink>(link_name.c_str(), link.latency, gap));
      for (int end = 0; end < 2; ++end) {
        link::ChipPort& port = rounds_->port(link.ends[end]);
        port.out.bind(made.ends[end].in);
        made.ends[end].out.bind(port.in);
      }
    }
    SC_THREAD(run);
    set_stack_size(8 << 20);  // the chips run on it
  }

 private:
  void run() {
    const spec::Machine& machine = system_.chips[0];
    const uint32_t packet = machine.region1_base;
    std::vector<uint32_t> words = {
        spec::PacketHeader{.words = kPayload, .chip = 1, .tile = 0, .kind = spec::PacketKind::kWriteTile}.encode(),
        packet + kReceived};
    for (uint32_t n = 0; n < kPayload; ++n) words.push_back(n * n);
    chips_[0]->load(0, packet, words);
    for (uint32_t c = 0; c < 2; ++c) {
      for (unsigned tile = 0; tile < machine.tiles(); ++tile)
        chips_[c]->load(tile, machine.memory_base, program(machine, c));
      chips_[c]->debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, spec::DebugControl::kStart,
                             machine.memory_base);
    }
    bool at_host = true;
    for (const chip::Stop& stop : rounds_->run(~uint64_t{0}, 0)) at_host &= stop.reason == chip::StopReason::kHostSync;
    uint32_t sum = 0;
    for (uint32_t n = 0; n < kPayload; ++n) sum += peek(packet + kReceived + 4 * n);
    uint64_t passed_words = 0, credits = 0;
    for (const auto& link : links_) {
      passed_words += link->words;
      credits += link->credits;
    }
    const uint32_t cycle = peek(packet + kCycle);
    std::printf("sum %u, in cycle %u; %llu words and %llu credits on the links\n", sum, cycle,
                static_cast<unsigned long long>(passed_words), static_cast<unsigned long long>(credits));
    passed = at_host && sum == 63 * 64 * 127 / 6 && passed_words == kPayload + 2 && credits == 1 &&
             cycle > system_.links[0].latency + gap_ * (kPayload + 1);
    sc_core::sc_stop();
  }
  uint32_t peek(uint32_t address) { return chips_[1]->debug_read(0, chip::DebugSpace::kMemory, 0, address); }

  const spec::System system_;
  const uint64_t gap_;
  const pcie::ChipClock clock_;
  std::vector<std::unique_ptr<chip::Chip>> chips_;
  std::unique_ptr<link::ChipRounds> rounds_;
  std::vector<std::unique_ptr<SlowLink>> links_;
};

int sc_main(int argc, char* argv[]) try {
  pcie::set_time_resolution();
  const bool model = argc > 1 && std::strcmp(argv[1], "model") == 0;
  const uint64_t gap = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 4;
  Bench bench("bench", spec::load_system("mk2-4x2"), model ? chip::Backend::kModel : chip::Backend::kRtl, gap);
  sc_core::sc_start();
  return bench.passed ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "systemc_link: %s\n", error.what());
  return 1;
}
