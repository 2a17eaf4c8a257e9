// A gateway of one's own: a SystemC module that holds the streaming memory of a chip, in the place of
// systemc/gateway/gateway.h. This one is tiered: what was touched lately is near, all else far. A tile writes four
// words beyond 4 GiB, reads them twice, far and near, and notes how long each took. A gateway that is also to reach the
// memory of others has sockets for systemc/gateway/gateway_link.h.
//
//   systemc_gateway [rtl|model]
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <systemc>
#include <vector>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/remote_address.h"
#include "rtl/spec/words.h"
#include "sim/port/chip.h"
#include "systemc/pcie/pcie_card.h"

using namespace tessera;
using Op = spec::Opcode;

constexpr uint64_t kBytes = uint64_t{1} << 40, kPage = 4096, kNear = 100, kFar = 2000;
constexpr uint64_t kPlace = (uint64_t{5} << 32) + 0x40;
// Behind the packet that writes, at the border of the tile's regions: the one that reads, what it reads, and the
// cycles.
constexpr uint32_t kRead = 0x20, kWords = 0x40, kCycles = 0x80;

class TieredGateway : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TieredGateway, 32> chip{"chip"};  // to PcieCard::remote

  explicit TieredGateway(sc_core::sc_module_name name) : sc_module(name) {
    chip.register_b_transport(this, &TieredGateway::serve);
    chip.register_transport_dbg(this, &TieredGateway::look);
  }

 private:
  // The cycle of the request is in the extension, and a read's answer, no earlier than the one before, goes there.
  void serve(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    auto* extension = payload.get_extension<pcie::CycleExtension>();
    const uint64_t page = payload.get_address() / kPage, words = payload.get_data_length() / 4;
    if (payload.is_read()) {
      const uint64_t latency = near_.contains(page) ? kNear : kFar;
      near_.insert(page);
      extension->cycle = answered_ = std::max(extension->cycle + latency, answered_) + words;
      std::printf("cycle %llu: %llu words of 0x%llx, %s\n", static_cast<unsigned long long>(answered_),
                  static_cast<unsigned long long>(words), static_cast<unsigned long long>(payload.get_address()),
                  latency == kNear ? "near" : "far");
    }
    access(payload);
  }
  // Whether a packet's place is there, before it comes.
  unsigned look(tlm::tlm_generic_payload& payload) {
    const bool there = payload.get_address() + payload.get_data_length() <= kBytes;
    payload.set_response_status(there ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return there ? payload.get_data_length() : 0;
  }
  void access(tlm::tlm_generic_payload& payload) {
    for (uint64_t at = 0; at < payload.get_data_length(); at += 4) {
      uint32_t& word = words_[payload.get_address() + at];
      if (payload.is_read()) std::memcpy(payload.get_data_ptr() + at, &word, 4);
      if (payload.is_write()) std::memcpy(&word, payload.get_data_ptr() + at, 4);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::map<uint64_t, uint32_t> words_;
  std::set<uint64_t> near_;  // pages
  uint64_t answered_ = 0;
};

// Tile 0 writes and reads; all wait for the host.
std::vector<uint32_t> program(uint32_t packets) {
  std::vector<uint32_t> code = {
      spec::encode(Op::Sync, {.imm = 3}),  // zone 3: packets may be sent
      spec::encode(Op::Csrrs, {.rd = 5, .imm = static_cast<int>(spec::Csr::Xtile)}),
      spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = 4 * 20}),
      spec::encode(Op::Lui, {.rd = 10, .imm = static_cast<int32_t>(packets)}),
      spec::encode(Op::Addi, {.rd = 11, .imm = 6}),
      spec::encode(Op::Hsend, {.rs1 = 10, .rs2 = 11}),  // header, address, four words
      spec::encode(Op::Addi, {.rd = 11, .imm = 3}),
      spec::encode(Op::Addi, {.rd = 13, .rs1 = 10, .imm = kRead}),
  };
  for (const int32_t turn : {0, 1})
    for (const uint32_t one :
         {spec::encode(Op::Csrrwi, {.rs1 = 4, .imm = static_cast<int>(spec::Csr::Xcount)}),  // words to come
          spec::encode(Op::Csrrs, {.rd = 14, .imm = static_cast<int>(spec::Csr::Cycle)}),
          spec::encode(Op::Hsend, {.rs1 = 13, .rs2 = 11}),  // the read request
          spec::encode(Op::Sync, {.imm = 5}),               // zone 5: until xcount is 0
          spec::encode(Op::Csrrs, {.rd = 15, .imm = static_cast<int>(spec::Csr::Cycle)}),
          spec::encode(Op::Sub, {.rd = 15, .rs1 = 15, .rs2 = 14}),
          spec::encode(Op::Sw, {.rs1 = 10, .rs2 = 15, .imm = static_cast<int32_t>(kCycles) + 4 * turn})})
      code.push_back(one);
  code.push_back(spec::encode(Op::Sync, {.imm = 4}));
  return code;
}

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host, 32> mmio{"mmio"};
  tlm_utils::simple_target_socket<Host, 32> dma{"dma"};  // there is no host memory: nothing comes
  tlm_utils::simple_target_socket<Host, 32> interrupt{"interrupt"};
  bool passed = false;

  SC_HAS_PROCESS(Host);
  Host(sc_core::sc_module_name name, const spec::Machine& machine) : sc_module(name), machine_(machine) {
    interrupt.register_b_transport(this, &Host::synced);
    SC_THREAD(run);
  }

 private:
  void run() {
    const auto head = [](uint32_t kind) {
      return spec::PacketHeader{.words = 4, .chip = spec::remote_address_chip(kPlace), .kind = kind}.encode();
    };
    const uint32_t word1 = spec::remote_address_word(kPlace), packets = machine_.region1_base;
    put(spec::DebugSpace::kMemory, machine_.memory_base, program(packets));
    put(spec::DebugSpace::kMemory, packets, {head(spec::PacketKind::kWriteRemote), word1, 1000, 200, 30, 4});
    put(spec::DebugSpace::kMemory, packets + kRead, {head(spec::PacketKind::kReadRemote), word1, packets + kWords});
    put(spec::DebugSpace::kControl, spec::DebugControl::kStart, {machine_.memory_base});
    wait(synced_);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4; ++i) sum += get(packets + kWords + 4 * i);
    const uint32_t far = get(packets + kCycles), near = get(packets + kCycles + 4);
    std::printf("sum %u, far %u cycles, near %u\n", sum, far, near);
    passed = sum == 1234 && far - near == kFar - kNear;
    sc_core::sc_stop();
  }
  void put(uint32_t space, uint32_t address, std::vector<uint32_t> words) {
    select(chip::kNoTile, space, address);
    access(tlm::TLM_WRITE_COMMAND, spec::kRegDebugData, words.data(), words.size());
  }
  uint32_t get(uint32_t address) {
    uint32_t word = 0;
    select(0, spec::DebugSpace::kMemory, address);
    access(tlm::TLM_READ_COMMAND, spec::kRegDebugData, &word, 1);
    return word;
  }
  void select(uint32_t tile, uint32_t space, uint32_t address) {
    uint32_t target = spec::DebugSelect{.tile = tile, .space = space}.encode();
    access(tlm::TLM_WRITE_COMMAND, spec::kRegDebugSelect, &target, 1);
    access(tlm::TLM_WRITE_COMMAND, spec::kRegDebugAddress, &address, 1);
  }
  void access(tlm::tlm_command command, uint32_t offset, uint32_t* words, size_t count) {
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words));
    payload.set_data_length(static_cast<unsigned>(4 * count));
    payload.set_streaming_width(4);
    payload.set_address(offset);
    payload.set_command(command);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    mmio->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_FATAL("host", "the card refuses an access");
  }
  void synced(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    synced_.notify(delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const spec::Machine machine_;
  sc_core::sc_event synced_;
};

int sc_main(int argc, char* argv[]) try {
  pcie::set_time_resolution();
  const auto machine = spec::load_machine("mk2-4");
  const auto chip = chip::make_chip(
      argc > 1 && std::strcmp(argv[1], "model") == 0 ? chip::Backend::kModel : chip::Backend::kRtl, machine);
  pcie::PcieCard card("card", *chip);
  TieredGateway gateway("gateway");
  Host host("host", machine);
  host.mmio.bind(card.mmio);
  card.dma.bind(host.dma);
  card.interrupt.bind(host.interrupt);
  card.remote.bind(gateway.chip);
  sc_core::sc_start();
  return host.passed ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "systemc_gateway: %s\n", error.what());
  return 1;
}
