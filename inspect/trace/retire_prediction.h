// What writer and reader of a trace both expect of the next instruction of a context. Only where it comes otherwise
// does the file hold anything, so the two must do the same to this state, record by record.
//
// Everything is keyed by the pc of the instruction before (where it leads, how many cycles later) or of the instruction
// itself (what it writes, where). State is of one context and one block.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "inspect/trace/reads.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::trace {

// What an instruction wrote and read, but for addresses and values.
namespace shape {
// [7:0] strobe shifted down to its first byte, 0: no store; [12:8] flags; [16:13] exception; and with register values
// [17] register, [18] float, [23:19] its number, [24] pair, [25] base, [26] float, [31:27] its number; [32] a read at
// an address in an integer register, [33] the first, [34] the second one at an address in a float register.
constexpr uint64_t kStrobe = 0xff, kRegister = 1u << 17, kFloat = 1u << 18, kPair = 1u << 24, kBase = 1u << 25,
                   kBaseFloat = 1u << 26, kRead = 1ull << 32, kTripleRead = 1ull << 33;

inline uint64_t of(const chip::Retire& r, const Reads& reads, bool registers) {
  uint64_t s = static_cast<uint64_t>(r.flags) << 8 | static_cast<uint64_t>(r.exception) << 13;
  s |= reads.triple ? uint64_t{reads.known} << 33 : uint64_t{reads.known} << 32;
  if (r.mem_write && r.mem_strobe != 0) s |= static_cast<uint32_t>(r.mem_strobe) >> std::countr_zero(r.mem_strobe);
  if (!registers) return s;
  if (r.reg_write)
    s |= kRegister | (r.reg_float ? kFloat : 0) | static_cast<uint64_t>(r.reg) << 19 | (r.pair_write ? kPair : 0);
  if (r.base_write) s |= kBase | (r.base_float ? kBaseFloat : 0) | static_cast<uint64_t>(r.base) << 27;
  return s;
}
// Bytes from the first strobed one to the last.
constexpr unsigned store_bytes(uint64_t s) { return static_cast<unsigned>(std::bit_width(s & kStrobe)); }
}  // namespace shape

// Where the first byte goes that it stores.
inline uint32_t stored_at(const chip::Retire& r) {
  return r.mem_address + static_cast<uint32_t>(std::countr_zero(r.mem_strobe));
}

struct Miss {  // bits of the byte that says what was not as expected; 0 ends a lane
  static constexpr uint8_t kPc = 1, kCycle = 2, kShape = 4, kAddress = 8, kInstruction = 16,
                           kTriple = 32;  // and 64: of the second read
};

// An address that moves on by the same stride.
struct MovingAddress {
  uint32_t address = 0;  // the last one
  int32_t stride = 0, candidate = 0;

  uint32_t expected() const { return address + static_cast<uint32_t>(stride); }
  void learn(uint32_t came) {
    // A new stride is believed when it is seen twice, so that a loop's restart costs one miss.
    const auto step = static_cast<int32_t>(came - address);
    if (step != stride) {
      if (step == candidate) stride = step;
      candidate = step;
    }
    address = came;
  }
};

class RetirePrediction {
 public:
  struct Entry {
    uint32_t pc = ~0u;
    uint32_t instruction = 0;
    uint32_t next = 0;    // pc that came next
    uint32_t cycles = 0;  // and how many cycles later
    uint64_t shape = 0;
    MovingAddress memory;  // of its store, or of its read by an integer register: no instruction has both
    std::array<MovingAddress, 2> triple;  // of its reads by a float register
    uint32_t block = 0;                   // in which it was made; those of blocks before count as not there
  };

  // `usual`: cycles between two instructions: 6 of a worker, 1 of a supervisor.
  explicit RetirePrediction(uint32_t usual) : usual_(usual), entries_(kEntries) {}

  // The next block begins: nothing is known.
  void restart() {
    ++block_;
    previous_ = nullptr;
    last_ = {};
  }

  uint32_t next_pc() const { return last_.next; }
  uint32_t cycles() const { return last_.cycles; }

  // Whether the record is as expected in everything; then what is next follows it, and nothing was to be learned.
  // `shape` is its own.
  bool expects(const chip::Retire& r, const Reads& reads, uint64_t shape, uint64_t cycles) {
    if (r.pc != last_.next || cycles != last_.cycles) return false;
    Entry& entry = entries_[index(r.pc)];
    if (entry.pc != r.pc || entry.block != block_ || entry.instruction != r.instruction || r.instruction == 0 ||
        entry.shape != shape)
      return false;
    // An instruction may have a store and reads by a float register.
    const bool one = (shape & (shape::kStrobe | shape::kRead)) != 0;
    const uint32_t address = (shape & shape::kRead) != 0 ? reads.address[0] : one ? stored_at(r) : 0;
    if (one && address != entry.memory.expected()) return false;
    if (reads.triple) {
      for (unsigned n = 0; n < 2; ++n)
        if ((shape & shape::kTripleRead << n) != 0 && reads.address[n] != entry.triple[n].expected()) return false;
      for (unsigned n = 0; n < 2; ++n)
        if ((shape & shape::kTripleRead << n) != 0) entry.triple[n].address = reads.address[n];
    }
    if (one) entry.memory.address = address;
    follow(entry);
    return true;
  }

  // The entry of a pc. Fresh ones have instruction 0, which no instruction has.
  Entry& at(uint32_t pc) {
    Entry& entry = entries_[index(pc)];
    if (entry.pc != pc || entry.block != block_) {
      entry = Entry();
      entry.block = block_;
      entry.pc = pc;
      entry.next = pc + 4;
      entry.cycles = usual_;
    }
    return entry;
  }
  static constexpr uint32_t kEntries = 512;
  static uint32_t index(uint32_t pc) { return pc >> 2 & (kEntries - 1); }

  // The instruction at `pc` came `cycles` after the one before.
  void learn_step(uint32_t pc, uint32_t cycles) {
    if (previous_ == nullptr) return;
    previous_->next = pc;
    previous_->cycles = cycles;
  }
  // What is next follows this entry; the one before it led here as it says.
  void follow(Entry& entry) {
    previous_ = &entry;
    last_ = {entry.next, entry.cycles};
  }

 private:
  struct Expected {
    uint32_t next = 0, cycles = 0;
  };
  uint32_t usual_, block_ = 1;
  std::vector<Entry> entries_;
  Entry* previous_ = nullptr;
  Expected last_;
};

}  // namespace tessera::inspect::trace
