#include "inspect/check/memory_watch.h"

#include <algorithm>
#include <bit>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/register_names.h"
#include "rtl/spec/register_use.h"

namespace tessera::inspect::check {
namespace {

void put(uint32_t& mask, unsigned bit, bool value) { mask = (mask & ~(1u << bit)) | uint32_t{value} << bit; }

}  // namespace

MemoryWatch::MemoryWatch(const spec::Machine& machine)
    : machine_(machine), written_(machine), tiles_(machine.tiles()) {}

void MemoryWatch::begin(const names::ProgramInfo& program) {
  program_ = &program;
  own_ = std::make_unique<OwnMemory>(program);
  tracker_ = std::make_unique<trace::VertexTracker>(program, machine_.tiles());
  written_.clear();
  tiles_.assign(machine_.tiles(), Tile());
  first_.reset();
}

// A load writes more than the program says (what tiles have in common goes to all), and less (zeros).
void MemoryWatch::settle(unsigned tile) {
  tiles_[tile].settled = true;
  const auto of_tile = [&](const auto& places) {
    return std::ranges::equal_range(places, tile, {}, [](const auto& place) { return place.tile; });
  };
  for (const names::Variable& v : of_tile(program_->variables)) written_.forget(tile, v.address, v.bytes);
  for (const names::Initial& i : of_tile(program_->initial)) written_.mark(tile, i.address, i.bytes);
  for (const names::Vertex& v : of_tile(program_->vertices)) {
    written_.mark(tile, v.address, v.bytes);
    for (uint32_t i = v.first_field; i < v.first_field + v.fields; ++i)
      if (const names::Field& f = program_->fields[i]; f.kind == names::FieldKind::kState)
        written_.mark(tile, f.address, f.bytes);
  }
}

void MemoryWatch::retire(unsigned id, const chip::Retire& r) {
  if (tracker_ == nullptr) return;
  Tile& tile = tiles_[id];
  if (!tile.settled) settle(id);
  Context& context = tile.contexts[r.context];
  const bool entered = tracker_->retire(id, r) == trace::VertexTracker::Change::kEntered;
  const names::Vertex* vertex = tracker_->running(id, r.context).vertex;
  if (entered && vertex != nullptr)
    if (const names::Stack* stack = program_->stack_of(id, r.context);
        stack != nullptr && context.stack_pointer - stack->address <= stack->bytes)
      written_.forget(id, stack->address, context.stack_pointer - stack->address);

  bool unwritten = false;
  for (const auto& read : tile.registers.reads(r)) {
    if (read.bytes == 0) continue;
    const bool known = written_.any(id, read.address, read.bytes);
    unwritten |= !known;
    if (vertex == nullptr) continue;
    if (!own_->may_load(*vertex, r.context, read.address, read.bytes))
      note({Finding::What::kForeign, id, false, read.address, read.bytes, r, vertex});
    else if (!known && own_->is_data(*vertex, r.context, read.address))
      note({Finding::What::kUnwritten, id, false, read.address, read.bytes, r, vertex});
  }
  if (r.mem_write && r.mem_strobe != 0) {
    const uint32_t address = r.mem_address + static_cast<uint32_t>(std::countr_zero(r.mem_strobe));
    const auto bytes = static_cast<uint32_t>(std::popcount(r.mem_strobe));
    if (vertex != nullptr && !own_->may_store(*vertex, r.context, address, bytes))
      note({Finding::What::kForeign, id, true, address, bytes, r, vertex});
    if (moves_unwritten(context, r))
      written_.forget(id, address, bytes);
    else
      written_.mark(id, address, bytes);
  }
  if (r.reg_write) put(r.reg_float ? context.unwritten_f : context.unwritten_x, r.reg, unwritten);
  if (r.pair_write) put(context.unwritten_f, (r.reg + 1u) & 31, unwritten);
  if (r.reg_write && !r.reg_float && r.reg == spec::kStackPointer)
    context.stack_pointer = static_cast<uint32_t>(r.reg_data);
  tile.registers.apply(r);
}

// A store whose datum was loaded from where nobody wrote, and nothing else done with it.
bool MemoryWatch::moves_unwritten(const Context& context, const chip::Retire& r) const {
  if ((context.unwritten_x | context.unwritten_f) == 0) return false;
  const spec::Opcode opcode = spec::decode(r.instruction);
  if (opcode == spec::Opcode::Illegal) return false;
  const spec::RegisterUse use = spec::register_use(opcode);
  const unsigned source = spec::rs2_of(r.instruction);
  return (use.reads_x2 && (context.unwritten_x >> source & 1) != 0) ||
         (use.reads_f2 && (context.unwritten_f >> source & 1) != 0);
}

void MemoryWatch::note(Finding finding) {
  const auto key = [](const Finding& f) { return std::tuple(f.record.cycle, f.tile, f.record.context); };
  if (!first_ || key(finding) < key(*first_)) first_ = finding;
}

void MemoryWatch::mark(unsigned tile, uint32_t address, uint32_t bytes) {
  if (tile != chip::kNoTile) return written_.mark(tile, address, bytes);
  for (unsigned each = 0; each < machine_.tiles(); ++each) written_.mark(each, address, bytes);
}

void MemoryWatch::port_write(unsigned tile, const chip::PortWrite& write) { mark(tile, write.address & ~3u, 4); }

void MemoryWatch::debug_written(unsigned tile, uint64_t, chip::DebugSpace space, unsigned, uint32_t address, uint32_t) {
  if (space == chip::DebugSpace::kMemory) mark(tile, address & ~3u, 4);
}

void MemoryWatch::loaded(unsigned tile, uint64_t, uint32_t address, std::span<const uint32_t> words) {
  mark(tile, address, static_cast<uint32_t>(4 * words.size()));
}

}  // namespace tessera::inspect::check
