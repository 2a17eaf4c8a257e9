#include "systemc/model/decode.h"

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
      return Decoded::kReadsX1 | Decoded::kReadsX2;
    case Format::FI:
    case Format::FS:
    case Format::FX1:
    case Format::FX1rm:
    case Format::SX1:
    case Format::SXI:
      return Decoded::kReadsX1;
    default:
      return 0;
  }
}

bool serialises(Unit unit) { return unit == Unit::Csr || unit == Unit::System || unit == Unit::Divide; }

bool immediate_is_operand(Opcode opcode) {
  return opcode == Opcode::Csrrwi || opcode == Opcode::Csrrsi || opcode == Opcode::Csrrci;
}

std::array<bool, spec::kOpcodes + 1> rounding_modes() {
  std::array<bool, spec::kOpcodes + 1> has{};
  for (unsigned n = 0; n < spec::kOpcodes; ++n) {
    const auto format = spec::info(static_cast<Opcode>(n)).format;
    has[n] = format == Format::FRrm || format == Format::FR1rm || format == Format::FR1xrm || format == Format::FX1rm ||
             format == Format::R4rm;
  }
  return has;
}

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

bool has_rounding_mode(Opcode opcode) {
  static const auto has = rounding_modes();
  return has[static_cast<unsigned>(opcode)];
}

}  // namespace tessera::model
