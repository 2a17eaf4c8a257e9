#include "inspect/failure/operands.h"

#include <algorithm>
#include <string_view>

#include "rtl/spec/instructions.h"

namespace tessera::inspect::failure {
namespace {

using spec::Format;

enum class Reads : uint8_t { kNone, kX1, kX1X2, kX1F2, kF1, kF1F2, kF1F2F3, kF1X2 };

Reads reads_of(Format format) {
  switch (format) {
    case Format::I:
    case Format::Ishamt:
    case Format::R1:
    case Format::FI:
    case Format::FX1:
    case Format::FX1rm:
    case Format::SX1:
    case Format::SXI:
    case Format::FIS:
    case Format::FIR:
    case Format::SXN:
    case Format::RPT:
      return Reads::kX1;
    case Format::S:
    case Format::B:
    case Format::R:
    case Format::SX2:
    case Format::SXS:
    case Format::FXX:
      return Reads::kX1X2;
    case Format::FS:
    case Format::FSS:
    case Format::FSR:
      return Reads::kX1F2;
    case Format::FR1rm:
    case Format::FR1x:
    case Format::FR1xrm:
    case Format::FR1:
    case Format::FR1d:
    case Format::FR1rmv:
    case Format::FRi:
    case Format::FRsh:
    case Format::FA1:
    case Format::FXI:
    case Format::AMPP:
      return Reads::kF1;
    case Format::FR:
    case Format::FRrm:
    case Format::FRx:
    case Format::FRd:
    case Format::FRrmv:
    case Format::FRRi:
    case Format::FA2:
    case Format::PACE3:
    case Format::PACE2:
    case Format::AMPR:
      return Reads::kF1F2;
    case Format::R4rm:
    case Format::FR4d:
      return Reads::kF1F2F3;
    case Format::FFX:
      return Reads::kF1X2;
    case Format::U:
    case Format::J:
    case Format::N:
    case Format::FZ:
    case Format::X0:
    case Format::RPTI:
      break;
  }
  return Reads::kNone;
}

// Bytes of an access, from the size that the mnemonic names.
unsigned bytes_of(std::string_view mnemonic) {
  if (mnemonic.find("128") != mnemonic.npos) return 16;
  if (mnemonic.find("64") != mnemonic.npos) return 8;
  if (mnemonic.find("32") != mnemonic.npos) return 4;
  if (mnemonic.find("16") != mnemonic.npos) return 2;
  const std::string_view tail = mnemonic.substr(mnemonic.find_first_of("ls"));
  if (tail == "ld" || tail == "sd") return 8;
  if (tail == "lw" || tail == "sw") return 4;
  if (tail == "lh" || tail == "lhu" || tail == "sh") return 2;
  return 1;
}

}  // namespace

std::vector<Source> sources_of(uint32_t instruction) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Illegal) return {};
  const auto x = [](unsigned n) { return Source{false, static_cast<uint8_t>(n)}; };
  const auto f = [](unsigned n) { return Source{true, static_cast<uint8_t>(n)}; };
  const unsigned rs1 = spec::rs1_of(instruction), rs2 = spec::rs2_of(instruction), rs3 = spec::rs3_of(instruction);
  std::vector<Source> all;
  switch (reads_of(spec::info(opcode).format)) {
    case Reads::kNone:
      break;
    case Reads::kX1:
      all = {x(rs1)};
      break;
    case Reads::kX1X2:
      all = {x(rs1), x(rs2)};
      break;
    case Reads::kX1F2:
      all = {x(rs1), f(rs2)};
      break;
    case Reads::kF1:
      all = {f(rs1)};
      break;
    case Reads::kF1F2:
      all = {f(rs1), f(rs2)};
      break;
    case Reads::kF1F2F3:
      all = {f(rs1), f(rs2), f(rs3)};
      break;
    case Reads::kF1X2:
      all = {f(rs1), x(rs2)};
      break;
  }
  std::vector<Source> once;
  for (const Source& s : all) {
    const auto same = [&](const Source& o) { return o.is_float == s.is_float && o.number == s.number; };
    if ((s.is_float || s.number != 0) && std::none_of(once.begin(), once.end(), same)) once.push_back(s);
  }
  return once;
}

Access access_of(uint32_t instruction) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Illegal) return {};
  const spec::InstructionInfo& info = spec::info(opcode);
  const auto base = static_cast<uint8_t>(spec::rs1_of(instruction));
  switch (info.unit) {
    case spec::Unit::Load:
      return {false, bytes_of(info.mnemonic), base, spec::immediate_of(info.format, instruction)};
    case spec::Unit::Store:
      return {true, bytes_of(info.mnemonic), base, spec::immediate_of(info.format, instruction)};
    case spec::Unit::Stream:
      if (info.format == Format::FIS || info.format == Format::FIR) return {false, bytes_of(info.mnemonic), base, 0};
      if (info.format == Format::FSS || info.format == Format::FSR) return {true, bytes_of(info.mnemonic), base, 0};
      return {};
    default:
      return {};
  }
}

}  // namespace tessera::inspect::failure
