#include "sim/model/extension_unit.h"

#include "sim/model/float/packed.h"
#include "sim/model/float/special.h"
#include "sim/model/lane_unit.h"
#include "sim/model/stream_access.h"

namespace tessera::model {
namespace {

using spec::Cause;
using spec::Format;
using spec::Opcode;
using spec::Unit;

FloatControl control_of(const FloatContext& floats, unsigned rm) {
  FloatControl control;
  control.rm = static_cast<RoundingMode>(rm);
  control.stochastic = floats.stochastic();
  control.half_overflow = floats.half_overflow();
  control.f8 = floats.f8;
  control.random = peek(floats.random);
  control.tas = floats.tas;
  return control;
}

// Instructions that round to f16 by a random number when xfpctl says so.
bool rounds_by_chance(Opcode opcode) {
  using enum Opcode;
  switch (opcode) {
    case F32v2tof16:
    case F32v4tof16:
    case F16v2gina:
    case F16v4gina:
    case F16v4hihov4amp:
    case F8v8hihov4amp:
    case F16v4sihoamp:
    case F16v4hihov4slic:
    case F8v8hihov4slic:
    case F16v4hihov4amppace:
    case F8v8hihov4amppace:
    case F16v4hihov4slicpace:
    case F8v8hihov4slicpace:
      return true;
    default:
      return false;
  }
}

// Flags, or the exception that they raise.
bool accepts_flags(const FloatContext& floats, uint8_t flags, Execution& e) {
  if (traps(floats.traps(), flags)) {
    e.raise(Cause::Float, flags);
    return false;
  }
  e.record.flags = flags;
  return true;
}

void execute_packed(const FloatContext& floats, const Decoded& d, Execution& e) {
  const auto rm = rounding_mode(d, floats.frm);
  if (!rm) {
    e.raise(Cause::Illegal, d.word);
    return;
  }
  const auto result =
      packed_execute(d.opcode, floats.f[d.rs1], floats.f[d.rs2], floats.f[d.rs3], control_of(floats, *rm));
  if (!accepts_flags(floats, result.flags, e)) return;
  e.write_float(d.rd, result.value);
  e.draws = floats.stochastic() && rounds_by_chance(d.opcode);
}

void execute_special(const FloatContext& floats, const Decoded& d, Execution& e) {
  const auto result = special_execute(d.opcode, floats.f[d.rs1], peek(floats.random));
  if (!accepts_flags(floats, result.flags, e)) return;
  e.write_float(d.rd, result.value);
  e.draws = d.opcode == Opcode::F32v2grand || d.opcode == Opcode::F16v2grand;
}

void execute_random(const FloatContext& floats, const Decoded& d, Execution& e) {
  const uint64_t random = peek(floats.random);
  e.draws = true;
  switch (d.opcode) {
    case Opcode::Urand32:
      e.write_integer(d.rd, static_cast<uint32_t>(random));
      break;
    case Opcode::F32v2rmask:
      e.write_float(d.rd, random_mask(floats.f[d.rs1], floats.f[d.rs2], random, 32));
      break;
    case Opcode::F16v4rmask:
      e.write_float(d.rd, random_mask(floats.f[d.rs1], floats.f[d.rs2], random, 16));
      break;
    default:
      e.write_float(d.rd, random);
      break;
  }
}

void execute_lane(const Context& context, const FloatContext& floats, const Decoded& d, Execution& e) {
  const uint64_t a = d.traits & Decoded::kReadsX1 ? context.x[d.rs1] : floats.f[d.rs1];
  const uint64_t b = d.traits & Decoded::kReadsX2 ? context.x[d.rs2] : floats.f[d.rs2];
  const uint64_t result = lane_result(d, a, b);
  if (d.traits & Decoded::kWritesX)
    e.write_integer(d.rd, static_cast<uint32_t>(result));
  else
    e.write_float(d.rd, result);
}

// Checks the accesses and notes them; false: they raise an exception.
bool accepts_access(const Memory& memory, const StreamAccess& access, uint32_t fetched, Execution& e) {
  uint32_t address = 0;
  if (finds_bad_address(memory, access, address)) {
    e.raise(Cause::Address, address);
    return false;
  }
  for (unsigned n = 0; n < 2; ++n)
    if (access.uses(n)) e.reads[n] = access.address[n];
  e.read_words = words_of(access.address[0], access.bytes);
  if (access.uses(2)) e.write = access.address[2];
  if (finds_clash(memory, access, fetched, address)) {
    e.raise(Cause::Clash, address);
    return false;
  }
  return true;
}

void write_memory(const StreamAccess& access, Execution& e) {
  const unsigned lane = access.address[2] & 7;
  e.record.mem_write = true;
  e.record.mem_address = access.address[2] & ~7u;
  e.record.mem_data = access.stored << (8 * lane);
  e.record.mem_strobe = static_cast<uint8_t>(((1u << access.bytes) - 1) << lane);
}

void write_base(const StreamAccess& access, unsigned rs1, Execution& e) {
  e.record.base_write = access.base_float || rs1 != 0;
  if (!e.record.base_write) return;
  e.record.base_float = access.base_float;
  e.record.base = static_cast<uint8_t>(rs1);
  e.record.base_data = access.base_float ? access.base : static_cast<uint32_t>(access.base);
}

uint64_t loaded(const Memory& memory, uint32_t address, unsigned bytes) {
  const uint64_t bits = memory.read(address) >> (8 * (address & 7));
  if (bytes == 8) return bits;
  return bits | ~uint64_t{0} << (8 * bytes);  // boxed
}

void execute_stream(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto& d = issued.d;
  const auto access = stream_access(tile, issued.context, d);
  if (access.illegal) {
    e.raise(Cause::Illegal, d.word);
    return;
  }
  if (!accepts_access(tile.memory, access, fetched, e)) return;
  if (access.uses(0)) e.write_float(d.rd, loaded(tile.memory, access.address[0], access.bytes));
  if (access.uses(1)) {
    e.record.pair_write = true;
    e.record.pair_data = tile.memory.read(access.address[1]);
  }
  if (access.uses(2)) write_memory(access, e);
  write_base(access, d.rs1, e);
}

void execute_weights(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto access = stream_access(tile, issued.context, issued.d);
  if (!accepts_access(tile.memory, access, fetched, e)) return;
  const auto n = static_cast<unsigned>(issued.d.imm);
  e.weights.issue = issued.cycle;
  e.weights.index = static_cast<uint8_t>(access.wide ? 2 * n : n);
  e.weights.words = access.wide ? 2 : 1;
  e.weights.data[0] = tile.memory.read(access.address[0]);
  if (access.wide) e.weights.data[1] = tile.memory.read(access.address[1]);
}

// The latches of a paced step, its memory accesses having been accepted.
void stream(const Memory& memory, const StreamAccess& access, uint64_t result, Execution& e) {
  e.engine.r = result;
  if (access.uses(0)) e.engine.x = memory.read(access.address[0]);
  if (access.uses(1)) e.engine.p = memory.read(access.address[1]);
  if (access.uses(2)) write_memory(access, e);
}

void execute_engine(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto& d = issued.d;
  const auto& floats = tile.floats[issued.context];
  e.engine_write = true;
  if (d.opcode == Opcode::Zacc) {
    e.engine = {};
    return;
  }
  const auto format = spec::info(d.opcode).format;
  const bool paced = format == Format::AMPP;
  StreamAccess access;
  if (paced) {
    access = stream_access(tile, issued.context, d);
    if (!accepts_access(tile.memory, access, fetched, e)) return;
  }
  e.engine = floats.engine;
  const auto number = static_cast<unsigned>(d.imm) & (paced ? 7 : 31);
  const uint64_t x = paced ? floats.engine.x : floats.f[d.rs1];
  const uint64_t p = paced ? floats.engine.p : floats.f[d.rs2];
  const auto result =
      amp_execute(d.opcode, number, x, p, control_of(floats, 0), tile.weights.seen(), e.engine.accumulators);
  if (!accepts_flags(floats, result.flags, e)) return;
  if (paced) {
    stream(tile.memory, access, result.value, e);
    write_base(access, d.rs1, e);
  } else if (format != Format::FA1 && format != Format::FA2) {
    e.write_float(d.rd, result.value);
  }
  e.draws = floats.stochastic() && rounds_by_chance(d.opcode);
}

void execute_repeat(const Context& context, const Issued& issued, Execution& e) {
  const auto& d = issued.d;
  const bool immediate = d.opcode == Opcode::Rpti;
  const uint32_t length = immediate ? spec::repeat_length_of(d.word) : static_cast<uint32_t>(d.imm);
  const uint32_t count = immediate ? static_cast<uint32_t>(d.imm) & 0xfff : context.x[d.rs1];
  if (length == 0) {
    e.raise(Cause::Operand, 0);
    return;
  }
  if (count == 0) {
    e.next_pc = issued.pc + 4 * length + 4;
    return;
  }
  e.repeat_begins = true;
  e.repeat = {issued.pc + 4, issued.pc + 4 * length, count};
}

}  // namespace

void execute_extension(const TileState& tile, const Issued& issued, uint32_t fetched, Execution& e) {
  const auto& context = tile.contexts[issued.context];
  const auto& floats = tile.floats[issued.context];
  switch (issued.d.unit) {
    case Unit::Packed:
      return execute_packed(floats, issued.d, e);
    case Unit::Special:
      return execute_special(floats, issued.d, e);
    case Unit::Amp:
      return execute_engine(tile, issued, fetched, e);
    case Unit::Random:
      return execute_random(floats, issued.d, e);
    case Unit::Lane:
      return execute_lane(context, floats, issued.d, e);
    case Unit::Stream:
      return execute_stream(tile, issued, fetched, e);
    case Unit::Weights:
      return execute_weights(tile, issued, fetched, e);
    default:
      return execute_repeat(context, issued, e);
  }
}

}  // namespace tessera::model
