// A tile's program and data for the chip tests, built in C++: code and events in their places, data words anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/port/chip.h"

namespace tessera::test {

// Where programs keep things. Without a machine: on mk2's tile.
constexpr uint32_t kCode = 0x4C000, kData = 0x80000, kEvents = 0x90000;
struct Places {
  uint32_t code = kCode, sent = kData, received = 0x84000, result = 0x88000, events = kEvents;

  Places() = default;
  // Code in the first element, the rest in region 1: pairs of elements for what is exchanged and for results; events
  // with the results where there is no third pair.
  explicit Places(const spec::Machine& m)
      : code(m.memory_base),
        sent(m.region1_base),
        received(sent + m.element_bytes),
        result(received + m.element_bytes),
        events(result + (m.memory_end() > result + 2 * m.element_bytes ? 2 : 1) * m.element_bytes) {}
};

class TileProgram {
 public:
  using Op = spec::Opcode;

  TileProgram() = default;
  explicit TileProgram(const Places& places) : places_(places) {}

  const Places& places() const { return places_; }
  uint32_t here() const { return places_.code + 4 * static_cast<uint32_t>(code_.size()); }
  void add(Op op, const spec::Operands& operands = {}) { code_.push_back(spec::encode(op, operands)); }

  void li(unsigned rd, uint32_t value) {
    const auto low = static_cast<int32_t>(value << 20) >> 20;
    add(Op::Lui, {.rd = rd, .imm = static_cast<int32_t>(value - static_cast<uint32_t>(low))});
    add(Op::Addi, {.rd = rd, .rs1 = rd, .imm = low});
  }
  void lw(unsigned rd, uint32_t address) {
    li(31, address);
    add(Op::Lw, {.rd = rd, .rs1 = 31});
  }
  void sw(unsigned rs, uint32_t address) {
    li(31, address);
    add(Op::Sw, {.rs1 = 31, .rs2 = rs});
  }
  void sync(int zone) { add(Op::Sync, {.rs1 = 0, .imm = zone}); }
  void sync_value(int zone, unsigned rs) { add(Op::Sync, {.rs1 = rs, .imm = zone | 16}); }
  void csr_write(spec::Csr csr, unsigned rs) { add(Op::Csrrw, {.rd = 0, .rs1 = rs, .imm = static_cast<int>(csr)}); }
  void csr_read(unsigned rd, spec::Csr csr) { add(Op::Csrrs, {.rd = rd, .rs1 = 0, .imm = static_cast<int>(csr)}); }
  void hsend(uint32_t address, uint32_t words) {
    li(30, address);
    li(29, words);
    add(Op::Hsend, {.rs1 = 30, .rs2 = 29});
  }
  void trap(int imm) { add(Op::Trap, {.imm = imm}); }
  // A loop of n turns, 2 instructions each, with x28.
  void delay(uint32_t turns) {
    li(28, turns);
    add(Op::Addi, {.rd = 28, .rs1 = 28, .imm = -1});
    add(Op::Bne, {.rs1 = 28, .rs2 = 0, .imm = -4});
  }
  void loop_forever() { add(Op::Jal, {.rd = 0, .imm = 0}); }

  void data(uint32_t address, uint32_t word) { data_[address] = word; }
  void data(uint32_t address, const std::vector<uint32_t>& words) {
    for (size_t i = 0; i < words.size(); ++i) data(address + 4 * static_cast<uint32_t>(i), words[i]);
  }

  // Event lists, one after the other: begins one and returns its address; then its events in order.
  uint32_t begin_events() { return places_.events + 8 * static_cast<uint32_t>(events_.size()); }
  void event(bool last, bool receive, unsigned delay, uint32_t address, unsigned count, unsigned source = 0) {
    events_.push_back(spec::ExchangeEvent{.last = last,
                                          .is_receive = receive,
                                          .delay = delay,
                                          .word_address = address / 4,
                                          .count = count,
                                          .source = source}
                          .encode());
  }
  void arm(uint32_t events) {
    li(30, events);
    add(Op::Xarm, {.rs1 = 30});
  }

  // All words to load, with their addresses.
  std::map<uint32_t, uint32_t> image() const {
    std::map<uint32_t, uint32_t> words = data_;
    for (size_t i = 0; i < code_.size(); ++i) words[places_.code + 4 * static_cast<uint32_t>(i)] = code_[i];
    for (size_t i = 0; i < events_.size(); ++i) {
      words[places_.events + 8 * static_cast<uint32_t>(i)] = static_cast<uint32_t>(events_[i]);
      words[places_.events + 8 * static_cast<uint32_t>(i) + 4] = static_cast<uint32_t>(events_[i] >> 32);
    }
    return words;
  }

 private:
  Places places_;
  std::vector<uint32_t> code_;
  std::vector<uint64_t> events_;
  std::map<uint32_t, uint32_t> data_;
};

}  // namespace tessera::test
