// Points of exceptions, clashes and repeats.
#include <bit>
#include <optional>

#include "functional_points.h"
#include "point_names.h"
#include "rtl/spec/causes.h"
#include "sim/model/stream_access.h"

namespace tessera::test {
namespace {

using spec::Cause;
using spec::Format;
using spec::Opcode;
using spec::Unit;

constexpr uint8_t kInvalid = 16, kByZero = 8, kOverflow = 4;
constexpr unsigned kReservedModes[] = {5, 6, 7};

std::string cause_point(uint8_t cause, bool worker) {
  return "exception: " + std::string(spec::cause_name(cause)) + (worker ? " of a worker" : " of the supervisor");
}

// Units whose flags may trap, and which of the flags they raise (float.md, arithmetic.md).
struct TrapUnit {
  Unit unit;
  const char* name;
  uint8_t flags;
};
constexpr TrapUnit kTrapUnits[] = {
    {Unit::FpFma, "scalar arithmetic", kInvalid | kOverflow},
    {Unit::FpDivide, "scalar division", kInvalid | kByZero | kOverflow},
    {Unit::FpCompare, "scalar comparison", kInvalid},
    {Unit::FpConvert, "scalar conversion", kInvalid | kOverflow},
    {Unit::Packed, "packed arithmetic", kInvalid | kOverflow},
    {Unit::Special, "special function", kInvalid | kByZero | kOverflow},
    {Unit::Amp, "matrix engine", kInvalid | kOverflow},
};

std::string trap_name(const TrapUnit& unit, uint8_t flag) {
  const char* what = flag == kInvalid ? "invalid" : flag == kByZero ? "division by zero" : "overflow";
  return std::string("trap: ") + what + " in a " + unit.name;
}

// What a body may not hold.
std::string forbidden_name(const model::Decoded& d) {
  switch (d.unit) {
    case Unit::Branch:
      return d.opcode == Opcode::Jal || d.opcode == Opcode::Jalr ? "a jump" : "a branch";
    case Unit::Fence:
      return "a fence";
    case Unit::Csr:
      return "a CSR access";
    case Unit::Repeat:
      return "a repeat";
    case Unit::System:
      return std::string(spec::info(d.opcode).mnemonic);
    default:
      return "";
  }
}

std::string access_name(Unit unit) {
  switch (unit) {
    case Unit::Load:
      return "a load";
    case Unit::Store:
      return "a store";
    case Unit::Stream:
      return "a stream access";
    case Unit::Weights:
      return "a load of weights";
    default:
      return "a paced step";
  }
}

const char* const kPortFaults[] = {"clash of the read of an event or a word to send",
                                   "clash of the read of a packet",
                                   "clash of a received word",
                                   "clash of a word of a packet",
                                   "received word that nobody sent",
                                   "worker active while a word is received",
                                   "config by an event or a word to send",
                                   "config by a received word",
                                   "config by a word of a packet",
                                   "parity"};

}  // namespace

void FunctionalPoints::add_exceptions() {
  // Config comes from xarm, which is for the supervisor, and from ports; exchange from ports; float from workers.
  for (const Cause cause : {Cause::Break, Cause::Trap, Cause::Float, Cause::Clash, Cause::Config, Cause::Address,
                            Cause::Operand, Cause::Pc, Cause::Stack, Cause::Illegal}) {
    if (cause != Cause::Float) add(cause_point(static_cast<uint8_t>(cause), false));
    if (cause != Cause::Config) add(cause_point(static_cast<uint8_t>(cause), true));
  }
  for (const auto* name : kPortFaults) add(std::string("port: ") + name);
  for (const auto& unit : kTrapUnits)
    for (const uint8_t flag : {kInvalid, kByZero, kOverflow})
      if (unit.flags & flag) add(trap_name(unit, flag));
  for (const unsigned mode : kReservedModes) {
    add("illegal: frm " + std::to_string(mode));
    if (mode != 7) add("illegal: rounding mode " + std::to_string(mode));
  }
  for (const Unit unit : {Unit::Load, Unit::Store, Unit::Weights}) add("clash: " + access_name(unit) + " with a fetch");
  for (const Unit unit : {Unit::Stream, Unit::Amp}) {
    add("clash: two reads of " + access_name(unit));
    for (unsigned n = 0; n < 3; ++n)
      add("clash: address " + std::to_string(n) + " of " + access_name(unit) + " with a fetch");
  }
}

void FunctionalPoints::excepted(const model::TileState& tile, const model::Decoded& d, const chip::Retire& record) {
  const bool worker = record.context != model::kSupervisor;
  hit(cause_point(record.exception, worker));
  const auto& floats = tile.floats[record.context];
  const auto cause = static_cast<Cause>(record.exception);
  if (d.opcode == Opcode::Illegal) return;
  if (cause == Cause::Float) {
    const auto flags = static_cast<uint8_t>(tile.exception.value);
    const unsigned enables = floats.traps();
    for (const auto& unit : kTrapUnits) {
      if (unit.unit != d.unit) continue;
      if ((flags & kInvalid) && (enables & 1)) hit(trap_name(unit, kInvalid));
      if ((flags & kByZero) && (enables & 2)) hit(trap_name(unit, kByZero));
      if ((flags & kOverflow) && (enables & 4)) hit(trap_name(unit, kOverflow));
    }
  } else if (cause == Cause::Illegal && worker && !model::rounding_mode(d, floats.frm)) {
    const auto from = spec::rounding_of(spec::info(d.opcode).format);
    const unsigned field = from == spec::Rounding::HighField ? spec::rm_high_of(d.word) : spec::rm_of(d.word);
    if (from == spec::Rounding::Frm || field == 7)
      hit("illegal: frm " + std::to_string(floats.frm));
    else
      hit("illegal: rounding mode " + std::to_string(field));
  } else if (cause == Cause::Clash) {
    if (d.unit == Unit::Load || d.unit == Unit::Store || d.unit == Unit::Weights) {
      hit("clash: " + access_name(d.unit) + " with a fetch");
      return;
    }
    const auto access = model::stream_access(tile, record.context, d);
    const auto element = [&](unsigned n) { return tile.memory.element_of(access.address[n]); };
    if (access.uses(0) && access.uses(1) && element(0) == element(1)) {
      hit("clash: two reads of " + access_name(d.unit));
      return;
    }
    for (unsigned n = 0; n < 3; ++n)
      if (access.uses(n) && access.address[n] == tile.exception.value) {
        hit("clash: address " + std::to_string(n) + " of " + access_name(d.unit) + " with a fetch");
        return;
      }
  }
}

// Each port makes its accesses again, by itself, in copies from before the step: first in elements that are all in use,
// which tells whose address it was, then in free ones, which tells what remains wrong.
void FunctionalPoints::port_fault(const model::TileState& tile, const chip::TileInputs& in) {
  const auto& exception = tile.exception;
  const bool clash = exception.cause == static_cast<uint8_t>(Cause::Exchange);
  const auto meets = [&](const model::PortFault& fault) {
    return fault && static_cast<uint8_t>(fault.cause) == exception.cause && fault.value == exception.value;
  };
  if (exception.cause == static_cast<uint8_t>(Cause::Parity)) return hit("port: parity");
  const auto elements = [&] {
    model::MemoryUse use(tile.memory);
    if (clash) use.take_all();
    return use;
  };
  model::PortFault of_sequencer, of_packet, of_receive, of_packet_in;
  auto use = elements();
  sequencer_.read_ports(in.cycle, tile.site, tile.memory, use, of_sequencer);
  if (meets(of_sequencer))
    return hit(clash ? "port: clash of the read of an event or a word to send"
                     : "port: config by an event or a word to send");
  packets_.read_port(in, tile.memory, use, of_packet);
  if (meets(of_packet)) return hit("port: clash of the read of a packet");
  model::Memory memory = tile.memory;
  chip::PortWrites written;
  sequencer_.write_port(words_, in.cycle, tile.site, false, memory, use, of_receive, written);
  if (meets(of_receive)) {
    if (!clash) return hit("port: config by a received word");
    if (!words_.exchange_valid) return hit("port: received word that nobody sent");
    return hit(active_now_ != 0 ? "port: worker active while a word is received" : "port: clash of a received word");
  }
  packets_.write_port(words_, in.cycle, tile.site.tile_id, memory, use, of_packet_in, written.packet);
  if (meets(of_packet_in)) hit(clash ? "port: clash of a word of a packet" : "port: config by a word of a packet");
}

void FunctionalPoints::add_repeats() {
  for (const char* name : {"rpt", "rpti"})
    for (const char* what :
         {"no passes", "one pass", "two passes or more", "a body of one", "a body of two or more", "a body of none"})
      add(std::string("repeat: ") + name + ", " + what);
  for (const char* name :
       {"a jump", "a branch", "a fence", "a CSR access", "a repeat", "exit", "ecall", "ebreak", "trap"})
    add(std::string("repeat: ") + name + " in a body");
  for (const char* name : {"goes round", "ends", "an instruction of several slots in a body", "a paced step in a body",
                           "an exception in a body", "cleared by start", "two workers at once", "six workers at once"})
    add(std::string("repeat: ") + name);
}

void FunctionalPoints::count_repeats(const model::TileState& tile, const model::Decoded& d,
                                     const chip::Retire& record) {
  if (d.opcode == Opcode::Illegal) return;
  const auto& repeat = tile.floats[record.context].repeat;
  const uint32_t left = left_[record.context];
  if (d.unit == Unit::Repeat && left == 0) {
    const bool immediate = d.opcode == Opcode::Rpti;
    const auto name = std::string("repeat: ") + std::string(spec::info(d.opcode).mnemonic) + ", ";
    const uint32_t length = immediate ? spec::repeat_length_of(d.word) : static_cast<uint32_t>(d.imm);
    const uint32_t count = immediate ? static_cast<uint32_t>(d.imm) & 0xfff : tile.contexts[record.context].x[d.rs1];
    if (record.exception) {
      if (length == 0) hit(name + "a body of none");
      return;
    }
    hit(name + (count == 0 ? "no passes" : count == 1 ? "one pass" : "two passes or more"));
    if (count) hit(name + (length == 1 ? "a body of one" : "a body of two or more"));
    unsigned repeating = 0;
    for (const auto& floats : tile.floats) repeating += floats.repeat.left != 0;
    if (repeating >= 2) hit("repeat: two workers at once");
    if (repeating == model::kWorkers) hit("repeat: six workers at once");
    return;
  }
  if (left == 0) return;
  if (record.exception) {
    const auto forbidden = forbidden_name(d);
    if (record.exception == static_cast<uint8_t>(Cause::Illegal) && !forbidden.empty())
      hit("repeat: " + forbidden + " in a body");
    else
      hit("repeat: an exception in a body");
    return;
  }
  if (d.slots > 1) hit("repeat: an instruction of several slots in a body");
  if (spec::info(d.opcode).format == Format::AMPP) hit("repeat: a paced step in a body");
  if (repeat.left != left) hit(repeat.left ? "repeat: goes round" : "repeat: ends");
}

}  // namespace tessera::test
