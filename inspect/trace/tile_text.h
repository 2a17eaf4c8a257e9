// The instructions that a tile has executed, by pc. In a block a pc has one instruction, given in the block's text
// section where it is new or changed since the block before; a record that executed another says so itself.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "inspect/trace/format.h"

namespace tessera::inspect::trace {

class TileText {
 public:
  // 0: unknown.
  uint32_t at(uint32_t pc) const {
    if (pc >= kEnd || pc % 4 != 0) return 0;
    const auto& page = pages_[pc / kPageBytes];
    return page ? (*page)[pc % kPageBytes / 4] : 0;
  }
  // For writers: a record that the file does not know yet. True when the block's text section tells it; false when the
  // record has to.
  bool learn(uint32_t pc, uint32_t instruction) {
    if (instruction == 0 || pc >= kEnd || pc % 4 != 0) return false;
    if (at(pc) != 0) {
      changed_.push_back({pc, instruction});
      return false;
    }
    set(pc, instruction);
    news_.push_back({pc, instruction});
    return true;
  }
  // The text section of the block that ends, and what the next begins with.
  void take_section(Bytes& out) {
    put_varint(out, news_.size());
    uint32_t pc = 0;
    for (const New& n : news_) {
      put_signed(out, static_cast<int32_t>(n.pc - pc) / 4);
      put_low(out, n.instruction, 4);
      pc = n.pc;
    }
    news_.clear();
    for (const New& n : changed_) {
      if (at(n.pc) == n.instruction) continue;
      set(n.pc, n.instruction);
      news_.push_back(n);
    }
    changed_.clear();
  }
  // For readers: the text section of the next block.
  void add_section(ByteReader& in) {
    uint32_t pc = 0;
    for (uint64_t left = in.varint(); left > 0; --left) {
      pc += static_cast<uint32_t>(in.signed_varint()) * 4;
      if (pc >= kEnd) throw DamagedBytes("it has text where no text can be");
      set(pc, static_cast<uint32_t>(in.low(4)));
    }
  }

 private:
  static constexpr uint32_t kEnd = 1u << 20, kPageBytes = 1024;
  struct New {
    uint32_t pc, instruction;
  };
  void set(uint32_t pc, uint32_t instruction) {
    auto& page = pages_[pc / kPageBytes];
    if (!page) page = std::make_unique<std::array<uint32_t, kPageBytes / 4>>();
    (*page)[pc % kPageBytes / 4] = instruction;
  }

  std::array<std::unique_ptr<std::array<uint32_t, kPageBytes / 4>>, kEnd / kPageBytes> pages_;
  std::vector<New> news_, changed_;
};

}  // namespace tessera::inspect::trace
