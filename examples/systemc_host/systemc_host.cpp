// A host of one's own for the PCIe card: a SystemC module that speaks plain TLM-2.0. It loads a program through the
// card's registers, lets it fetch four words from host memory, and finds their sum there when the chip syncs.
//
//   systemc_host [rtl|model] [now|wait|QUANTUM] [--waves FILE] [--trace FILE] [--gdb [PORT]] ...
//   now      the host goes on at once, whatever delays are annotated (the default)
//   wait     it waits for each of them
//   QUANTUM  nanoseconds: it runs ahead of the simulation by so much (temporal decoupling)
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cstdio>
#include <cstring>
#include <systemc>
#include <vector>

#include "inspect/bench/bench_options.h"
#include "inspect/bench/inspected_chip.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "sim/engine/backend.h"
#include "systemc/pcie/pcie_card.h"

using namespace tessera;
using Op = spec::Opcode;

constexpr uint32_t kReply = 0x20, kWords = 0x40;  // behind the request, at the border of the tile's regions
constexpr uint32_t kHostInput = 0x100, kHostOutput = 0x200;

// Waits for the host; tile 0 then reads four words, adds them up and writes the sum; waits for the host again.
std::vector<uint32_t> program(uint32_t request) {
  return {
      spec::encode(Op::Sync, {.imm = 4}),  // zone 4: the host
      spec::encode(Op::Csrrs, {.rd = 5, .imm = static_cast<int>(spec::Csr::Xtile)}),
      spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = 4 * 16}),
      spec::encode(Op::Csrrwi, {.rs1 = 4, .imm = static_cast<int>(spec::Csr::Xcount)}),  // words to come
      spec::encode(Op::Lui, {.rd = 10, .imm = static_cast<int32_t>(request)}),
      spec::encode(Op::Addi, {.rd = 11, .imm = 3}),
      spec::encode(Op::Hsend, {.rs1 = 10, .rs2 = 11}),  // the read request
      spec::encode(Op::Sync, {.imm = 5}),               // zone 5: until xcount is 0
      spec::encode(Op::Lw, {.rd = 12, .rs1 = 10, .imm = kWords}),
      spec::encode(Op::Lw, {.rd = 13, .rs1 = 10, .imm = kWords + 4}),
      spec::encode(Op::Lw, {.rd = 14, .rs1 = 10, .imm = kWords + 8}),
      spec::encode(Op::Lw, {.rd = 15, .rs1 = 10, .imm = kWords + 12}),
      spec::encode(Op::Add, {.rd = 12, .rs1 = 12, .rs2 = 13}),
      spec::encode(Op::Add, {.rd = 12, .rs1 = 12, .rs2 = 14}),
      spec::encode(Op::Add, {.rd = 12, .rs1 = 12, .rs2 = 15}),
      spec::encode(Op::Sw, {.rs1 = 10, .rs2 = 12, .imm = kReply + 8}),
      spec::encode(Op::Addi, {.rd = 10, .rs1 = 10, .imm = kReply}),
      spec::encode(Op::Hsend, {.rs1 = 10, .rs2 = 11}),  // the reply: header, host address, sum
      spec::encode(Op::Sync, {.imm = 4}),
      spec::encode(Op::Trap, {.imm = 1}),
  };
}

struct Host : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Host, 32> mmio;  // to the card's registers
  tlm_utils::simple_target_socket<Host, 32> dma;      // from the chip
  tlm_utils::simple_target_socket<Host, 32> interrupt;
  std::vector<uint32_t> memory = std::vector<uint32_t>(256);
  bool passed = false;

  SC_HAS_PROCESS(Host);
  Host(sc_core::sc_module_name name, const spec::Machine& machine, const std::string& style)
      : sc_module(name), mmio("mmio"), dma("dma"), interrupt("interrupt"), machine_(machine), style_(style) {
    if (style_ != "now") tlm_utils::tlm_quantumkeeper::set_global_quantum(quantum());
    keeper_.reset();
    dma.register_b_transport(this, &Host::serve_dma);
    dma.register_transport_dbg(this, &Host::look);  // whether a packet's place is there, before it comes
    interrupt.register_b_transport(this, &Host::serve_interrupt);
    SC_THREAD(run);
  }

  void run() {
    load(program(machine_.region1_base));
    const uint32_t input[] = {1000, 200, 30, 4};
    std::memcpy(&memory[kHostInput / 4], input, sizeof input);

    write(spec::kRegDebugSelect, spec::DebugSelect{.tile = chip::kNoTile, .space = spec::DebugSpace::kControl}
                                     .encode());  // control space of all tiles
    write(spec::kRegDebugAddress, spec::DebugControl::kStart);
    write(spec::kRegDebugData, machine_.memory_base);
    wait_for_sync();  // every tile waits for us
    write(spec::kRegMark, 1);
    wait_for_sync();
    std::printf("%s: the chip's sum is %u\n", sc_core::sc_time_stamp().to_string().c_str(), memory[kHostOutput / 4]);
    passed = memory[kHostOutput / 4] == 1234;
    sc_core::sc_stop();
  }

 private:
  sc_core::sc_time quantum() const {
    return style_ == "wait" ? sc_core::SC_ZERO_TIME : sc_core::sc_time(std::stod(style_), sc_core::SC_NS);
  }
  void wait_for_sync() {
    keeper_.sync();  // the simulation catches up with the host: only then may it wait for others
    wait(synced_);
  }
  void load(const std::vector<uint32_t>& code) {
    const uint32_t request[] = {spec::PacketHeader{.words = 4, .kind = spec::PacketKind::kReadHost}.encode(),
                                kHostInput, machine_.region1_base + kWords};
    const uint32_t reply[] = {spec::PacketHeader{.words = 1, .kind = spec::PacketKind::kWriteHost}.encode(),
                              kHostOutput};
    const auto put = [&](uint32_t address, const uint32_t* words, size_t count) {
      write(spec::kRegDebugSelect, spec::DebugSelect{.tile = chip::kNoTile, .space = spec::DebugSpace::kMemory}
                                       .encode());  // memory of all tiles
      write(spec::kRegDebugAddress, address);
      access(tlm::TLM_WRITE_COMMAND, spec::kRegDebugData, const_cast<uint32_t*>(words), count);
    };
    put(machine_.memory_base, code.data(), code.size());
    put(machine_.region1_base, request, 3);
    put(machine_.region1_base + kReply, reply, 2);
  }

  void write(uint32_t offset, uint32_t value) { access(tlm::TLM_WRITE_COMMAND, offset, &value, 1); }
  void access(tlm::tlm_command command, uint32_t offset, uint32_t* words, size_t count) {
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = keeper_.get_local_time();
    payload.set_command(command);
    payload.set_address(offset);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(words));
    payload.set_data_length(static_cast<unsigned>(4 * count));
    payload.set_streaming_width(4);
    mmio->b_transport(payload, delay);
    if (!payload.is_response_ok()) SC_REPORT_FATAL("host", payload.get_response_string().c_str());
    if (style_ == "now") return;
    keeper_.set(delay);
    if (keeper_.need_sync()) keeper_.sync();  // with a quantum of 0: wait(delay)
  }

  void serve_dma(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    const uint64_t address = payload.get_address(), bytes = payload.get_data_length();
    if (address + bytes > 4 * memory.size()) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    auto* host = reinterpret_cast<unsigned char*>(memory.data()) + address;
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), host, bytes);
    if (payload.is_write()) std::memcpy(host, payload.get_data_ptr(), bytes);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned look(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    serve_dma(payload, none);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }
  void serve_interrupt(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    synced_.notify(delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const spec::Machine machine_;
  const std::string style_;
  tlm_utils::tlm_quantumkeeper keeper_;
  sc_core::sc_event synced_;
};

int sc_main(int argc, char* argv[]) try {
  pcie::set_time_resolution();
  const std::string options = inspect::take_options(argc, argv);  // and what TESSERA_INSPECT says
  const auto machine = spec::load_machine("mk2-4");
  inspect::InspectedChip chip(chip::make_backend, argc > 1 ? argv[1] : "rtl", machine, options);
  pcie::PcieCard card("card", chip);
  Host host("host", machine, argc > 2 ? argv[2] : "now");
  host.mmio.bind(card.mmio);
  card.dma.bind(host.dma);
  card.interrupt.bind(host.interrupt);
  sc_core::sc_start();
  if (!host.passed) std::fprintf(stderr, "%s\n", chip.explain_failure().c_str());
  return host.passed ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "systemc_host: %s\n", error.what());
  return 1;
}
