#include "inspect/trace/vertex_tracker.h"

#include <algorithm>
#include <stdexcept>

#include "rtl/spec/instructions.h"

namespace tessera::inspect::trace {

VertexTracker::VertexTracker(const names::ProgramInfo& program, unsigned tiles) : program_(program), contexts_(tiles) {
  const spec::InstructionInfo& exit = spec::info(spec::Opcode::Exit);
  if (exit.match != kExit || exit.mask != kExitMask)
    throw std::logic_error("the exit instruction has another encoding");
  std::vector<uint32_t> entries;
  for (const names::Symbol& symbol : program.symbols)
    if (program.name(symbol.name).starts_with("__vertex_")) entries.push_back(symbol.address);
  if (entries.empty()) return;
  const auto [first, last] = std::minmax_element(entries.begin(), entries.end());
  first_entry_ = *first;
  is_entry_.resize((*last - *first) / 4 + 1);
  for (const uint32_t entry : entries) is_entry_[(entry - first_entry_) / 4] = 1;
}

VertexTracker::Change VertexTracker::enter(Context& c, unsigned tile, const chip::Retire& record) {
  if (record.pc % 4 != 0) return Change::kNone;
  const names::Vertex* vertex = program_.vertex_at(tile, c.a0);
  if (vertex != nullptr && vertex->address != c.a0) vertex = nullptr;  // inside another one's state
  c.now = {vertex, record.pc, c.a0, c.last_pc + 4, record.cycle};
  return Change::kEntered;
}

VertexTracker::Change VertexTracker::leave(Context& c) {
  c.left = true;
  return Change::kLeft;
}

}  // namespace tessera::inspect::trace
