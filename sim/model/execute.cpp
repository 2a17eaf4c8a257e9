#include "sim/model/execute.h"

#include "sim/model/alu.h"
#include "sim/model/csr.h"
#include "sim/model/data_access.h"
#include "sim/model/extension_unit.h"
#include "sim/model/float_unit.h"
#include "sim/model/system_unit.h"

namespace tessera::model {
namespace {

using spec::Cause;
using spec::Opcode;
using spec::Unit;

// By instructions of a context: whether one of the accesses is watched.
bool is_watched(const Triggers& triggers, unsigned context, const Execution& e) {
  const auto& r = e.record;
  if (e.reads[0] && triggers.watches_read(context, e.reads[0], e.read_words)) return true;
  if (e.reads[1] && triggers.watches_read(context, e.reads[1], Triggers::kBoth)) return true;
  const auto written = static_cast<uint8_t>(((r.mem_strobe & 0x0f) != 0 ? Triggers::kLow : 0) |
                                            ((r.mem_strobe & 0xf0) != 0 ? Triggers::kHigh : 0));
  return r.mem_write && triggers.watches_write(context, r.mem_address, written);
}

void execute_branch(const Issued& issued, const Context& context, Execution& e) {
  const auto& d = issued.d;
  const uint32_t a = context.x[d.rs1];
  const auto imm = static_cast<uint32_t>(d.imm);
  if (branch_taken(d.opcode, a, context.x[d.rs2]))
    e.next_pc = d.opcode == Opcode::Jalr ? (a + imm) & ~1u : issued.pc + imm;
  if (d.traits & Decoded::kWritesX) e.write_integer(d.rd, issued.pc + 4);
}

void execute_float(const TileState& tile, const Issued& issued, Execution& e) {
  const auto& d = issued.d;
  const auto& floats = tile.floats[issued.context];
  const auto result = float_result(d, tile.contexts[issued.context], floats);
  if (result.illegal) {
    e.raise(Cause::Illegal, d.word);
    return;
  }
  if (traps(floats.traps(), result.flags)) {
    e.raise(Cause::Float, result.flags);
    return;
  }
  e.record.flags = result.flags;
  if (result.to_integer)
    e.write_integer(d.rd, static_cast<uint32_t>(result.value));
  else
    e.write_float(d.rd, result.value);
}

void execute_data(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto& d = issued.d;
  const auto access = data_access(tile, issued.context, d);
  if (!access.legal) {
    e.raise(Cause::Address, access.address);
    return;
  }
  (access.store ? e.write : e.reads[0]) = access.address;
  e.read_words = words_of(access.address, access.bytes);
  if (fetched && tile.memory.same_element(access.address, fetched)) {
    e.raise(Cause::Clash, access.address);
    return;
  }
  if (access.store) {
    e.record.mem_write = true;
    e.record.mem_address = access.address & ~7u;
    e.record.mem_data = access.data;
    e.record.mem_strobe = access.strobe;
  } else if (access.to_float) {
    e.write_float(d.rd, access.data);
  } else {
    e.write_integer(d.rd, static_cast<uint32_t>(access.data));
  }
}

// Loads are not checked: their data come too late.
void check_stack(const Issued& issued, const Context& context, Execution& e) {
  const auto& r = e.record;
  if (r.reg_write && r.reg == 2 && !r.reg_float && issued.d.unit != Unit::Load && r.reg_data < context.stack_limit)
    e.raise(Cause::Stack, static_cast<uint32_t>(r.reg_data));
}

void execute_unit(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto& d = issued.d;
  const auto& context = tile.contexts[issued.context];
  switch (d.unit) {
    case Unit::Alu:
    case Unit::Multiply:
    case Unit::Divide: {
      const uint32_t b = d.traits & Decoded::kReadsX2 ? context.x[d.rs2] : static_cast<uint32_t>(d.imm);
      e.write_integer(d.rd, alu_result(d.opcode, context.x[d.rs1], b, issued.pc));
      break;
    }
    case Unit::Branch:
      execute_branch(issued, context, e);
      break;
    case Unit::Load:
    case Unit::Store:
      execute_data(tile, issued, fetched, e);
      break;
    case Unit::Csr:
      if (const auto access = csr_access(tile, issued.context, d, issued.cycle)) {
        e.write_integer(d.rd, access->read);
        e.csr_write = access->writes;
        e.csr_value = access->written;
      } else {
        e.raise(Cause::Illegal, d.word);
      }
      break;
    case Unit::System:
      check_system(tile, issued, e);
      break;
    case Unit::Fence:
      break;
    case Unit::FpFma:
    case Unit::FpDivide:
    case Unit::FpCompare:
    case Unit::FpConvert:
    case Unit::FpMove:
      execute_float(tile, issued, e);
      break;
    default:
      execute_extension(tile, issued, fetched, e);
      break;
  }
}

}  // namespace

void execute(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  e.clear();
  auto& r = e.record;
  r.valid = true;
  r.cycle = issued.cycle;
  r.context = issued.context;
  r.pc = issued.pc;
  r.instruction = issued.d.word;
  e.next_pc = issued.pc + 4;

  bool illegal = issued.d.traits & (issued.context == kSupervisor ? Decoded::kNotSupervisor : Decoded::kNotWorker);
  if (const auto& repeat = tile.floats[issued.context].repeat; repeat.left != 0) {
    illegal = illegal || illegal_in_body(issued.d.unit);
    e.repeat_counts = issued.pc == repeat.last;
    if (e.repeat_counts && repeat.left > 1) e.next_pc = repeat.first;
  }
  if (issued.fetch_fault)
    e.raise(Cause::Pc, issued.pc);
  else if (illegal)
    e.raise(Cause::Illegal, issued.d.word);
  else
    execute_unit(tile, issued, fetched, e);
  if (e.cause == Cause::None) check_stack(issued, tile.contexts[issued.context], e);
  if (e.cause == Cause::None) return;
  r.reg_write = r.reg_float = r.pair_write = r.base_write = r.mem_write = false;
  r.flags = 0;
  r.exception = static_cast<uint8_t>(e.cause);
}

void commit(TileState& tile, const Issued& issued, const Execution& e) {
  const auto& r = e.record;
  const auto& d = issued.d;
  auto& context = tile.contexts[issued.context];
  auto& floats = tile.floats[issued.context];
  if (issued.context != kSupervisor || (d.traits & Decoded::kRedirects)) context.pc = e.next_pc;
  if (r.base_write) {  // first: a loaded value wins
    if (r.base_float)
      floats.f[r.base] = r.base_data;
    else
      context.x[r.base] = static_cast<uint32_t>(r.base_data);
  }
  if (r.reg_write) {
    if (r.reg_float)
      floats.f[r.reg] = r.reg_data;
    else
      context.x[r.reg] = static_cast<uint32_t>(r.reg_data);
  }
  if (r.pair_write) floats.f[r.reg + 1u] = r.pair_data;
  floats.fflags |= r.flags;
  if (r.mem_write) tile.memory.write(r.mem_address, r.mem_data, r.mem_strobe);
  if (e.csr_write) csr_write(tile, issued.context, static_cast<uint32_t>(d.imm) & 0xfff, e.csr_value);
  if (d.unit == Unit::System) commit_system(tile, issued);
  if (e.engine_write) floats.engine = e.engine;
  if (e.draws) advance(floats.random);
  if (e.weights.words != 0) tile.weights.load(e.weights);
  if (e.repeat_counts) --floats.repeat.left;
  if (e.repeat_begins) floats.repeat = e.repeat;
  if (tile.triggers.watches() && is_watched(tile.triggers, issued.context, e)) {
    tile.hold_all();
    tile.triggers.stand_behind(static_cast<uint8_t>(1u << issued.context));
  }
}

}  // namespace tessera::model
