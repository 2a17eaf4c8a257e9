#include "sim/model/decode.h"

#include <array>

namespace tessera::model {
namespace {

using spec::Format;
using spec::Opcode;
using spec::Unit;

uint8_t register_traits(Format format) {
  switch (format) {
    case Format::U:
    case Format::J:
    case Format::FRx:
    case Format::FR1x:
    case Format::FR1xrm:
    case Format::X0:
    case Format::FXI:
      return Decoded::kWritesX;
    case Format::I:
    case Format::Ishamt:
    case Format::R1:
      return Decoded::kWritesX | Decoded::kReadsX1;
    case Format::R:
      return Decoded::kWritesX | Decoded::kReadsX1 | Decoded::kReadsX2;
    case Format::S:
    case Format::B:
    case Format::SX2:
    case Format::SXS:
    case Format::FXX:
      return Decoded::kReadsX1 | Decoded::kReadsX2;
    case Format::FFX:
      return Decoded::kReadsX2;
    case Format::FI:
    case Format::FS:
    case Format::FX1:
    case Format::FX1rm:
    case Format::SX1:
    case Format::SXI:
    case Format::FIS:
    case Format::FIR:
    case Format::FSS:
    case Format::FSR:
    case Format::SXN:
    case Format::RPT:
      return Decoded::kReadsX1;
    default:
      return 0;
  }
}

bool serialises(Unit unit) { return unit == Unit::Csr || unit == Unit::System || unit == Unit::Divide; }

bool immediate_is_operand(Opcode opcode) {
  return opcode == Opcode::Csrrwi || opcode == Opcode::Csrrsi || opcode == Opcode::Csrrci;
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
  d.traits = register_traits(info.format);
  if (immediate_is_operand(d.opcode)) d.traits &= static_cast<uint8_t>(~Decoded::kReadsX1);
  if (serialises(d.unit)) d.traits |= Decoded::kSerialising;
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
