#include "sim/model/decode.h"

#include <array>

#include "rtl/spec/register_use.h"

namespace tessera::model {
namespace {

using spec::Opcode;
using spec::Unit;

uint8_t register_traits(Opcode opcode) {
  const spec::RegisterUse use = spec::register_use(opcode);
  return static_cast<uint8_t>((use.reads_x1 ? Decoded::kReadsX1 : 0) | (use.reads_x2 ? Decoded::kReadsX2 : 0) |
                              (use.writes_x ? Decoded::kWritesX : 0));
}

std::array<spec::Rounding, spec::kOpcodes + 1> make_roundings() {
  std::array<spec::Rounding, spec::kOpcodes + 1> made{};
  for (unsigned n = 0; n < spec::kOpcodes; ++n) made[n] = spec::rounding_of(spec::info(static_cast<Opcode>(n)).format);
  return made;
}
const auto kRoundings = make_roundings();

}  // namespace

Decoded predecode(uint32_t word) {
  Decoded d;
  d.word = word;
  d.traits = 0;
  d.opcode = spec::decode(word);
  if (d.opcode == Opcode::Illegal) {
    d.traits = Decoded::kNotSupervisor | Decoded::kNotWorker;
    return d;
  }
  const auto& info = spec::info(d.opcode);
  d.unit = info.unit;
  d.imm = spec::immediate_of(info.format, word);
  d.rd = static_cast<uint8_t>(spec::rd_of(word));
  d.rs1 = static_cast<uint8_t>(spec::rs1_of(word));
  d.rs2 = static_cast<uint8_t>(spec::rs2_of(word));
  d.rs3 = spec::rs3_of(word) & 31;
  d.slots = info.slots & 7;
  d.traits = register_traits(d.opcode);
  if (spec::serialises(info)) d.traits |= Decoded::kSerialising;
  if (d.unit == Unit::Branch || d.opcode == Opcode::FenceI) d.traits |= Decoded::kRedirects;
  if (info.who == spec::Who::Worker) d.traits |= Decoded::kNotSupervisor;
  if (info.who == spec::Who::Supervisor) d.traits |= Decoded::kNotWorker;
  return d;
}

std::optional<unsigned> rounding_mode(const Decoded& d, unsigned frm) {
  unsigned rm = 0;
  switch (kRoundings[static_cast<unsigned>(d.opcode)]) {
    case spec::Rounding::None:
      return 0;
    case spec::Rounding::Field:
      rm = spec::rm_of(d.word);
      break;
    case spec::Rounding::Frm:
      rm = 7;
      break;
    case spec::Rounding::HighField:
      rm = spec::rm_high_of(d.word);
      break;
  }
  if (rm == 7) rm = frm;
  if (rm > 4) return std::nullopt;
  return rm;
}

}  // namespace tessera::model
