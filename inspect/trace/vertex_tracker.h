// Which vertex each context executes, from retire records alone: entered when a codelet's entry symbol is reached with
// a0 = the address of a vertex's state (docs/reference/codelet-abi.md), left when the context is back behind the call,
// or exits. Supervisor vertices and entries called by firmware are followed in the same way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/program_info.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::trace {

struct RunningVertex {
  const names::Vertex* vertex = nullptr;  // null: no vertex of the program has its state there
  uint32_t entry = 0;                     // pc; 0: the context is in no vertex
  uint32_t state = 0;                     // a0 at entry
  uint32_t return_pc = 0;                 // behind the call
  uint64_t since = 0;                     // cycle of the entry's first instruction
};

class VertexTracker {
 public:
  enum class Change : uint8_t { kNone, kEntered, kLeft };

  // The program is not owned and may not change meanwhile.
  VertexTracker(const names::ProgramInfo& program, unsigned tiles);

  // To be called with every record of a tile, in order. kEntered: the record is the vertex's first instruction. kLeft:
  // it is the first one outside, or the context's exit; running() then still holds what was left, until the next call.
  Change retire(unsigned tile, const chip::Retire& record) {
    Context& c = contexts_[tile][record.context];
    if (c.left) c.left = false, c.now = {};
    Change change = Change::kNone;
    if (c.now.entry != 0) {
      if (record.pc == c.now.return_pc || (record.instruction & kExitMask) == kExit) change = leave(c);
    } else if (const uint32_t at = (record.pc - first_entry_) >> 2; at < is_entry_.size() && is_entry_[at] != 0) {
      change = enter(c, tile, record);
    }
    c.last_pc = record.pc;
    if (record.reg_write && record.reg == 10 && !record.reg_float) c.a0 = static_cast<uint32_t>(record.reg_data);
    if (record.base_write && record.base == 10 && !record.base_float) c.a0 = static_cast<uint32_t>(record.base_data);
    return change;
  }

  // entry == 0: none. Null vertex with an entry: a codelet runs on a state that the program does not name.
  const RunningVertex& running(unsigned tile, unsigned context) const { return contexts_[tile][context].now; }

 private:
  struct Context {
    RunningVertex now;
    uint32_t a0 = 0, last_pc = 0;
    bool left = false;
  };
  Change enter(Context&, unsigned tile, const chip::Retire&);
  Change leave(Context&);

  static constexpr uint32_t kExit = 0x0000200b, kExitMask = 0xfff07fff;  // of rtl/spec/instructions.def; asserted

  const names::ProgramInfo& program_;
  uint32_t first_entry_ = 0;
  std::vector<uint8_t> is_entry_;  // by word from first_entry_
  std::vector<std::array<Context, 7>> contexts_;
};

}  // namespace tessera::inspect::trace
