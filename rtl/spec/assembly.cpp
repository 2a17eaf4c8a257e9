// Encoding and disassembly of single instructions.
#include <fmt/format.h>

#include <stdexcept>

#include "rtl/spec/instructions.h"
#include "rtl/spec/register_names.h"

namespace tessera::spec {
namespace {

constexpr const char* kRounding[8] = {"rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", "dyn"};

void require(bool fits, Opcode opcode, const char* operand, int64_t value) {
  if (!fits) throw std::out_of_range(fmt::format("{}: {} = {} does not fit", info(opcode).mnemonic, operand, value));
}

// Numbers of the Xipu formats: field by field as the instruction's mask leaves them free.
uint32_t encode_number(Opcode opcode, Format format, uint32_t number) {
  const auto at = [&](unsigned shift, unsigned bits) {
    const uint32_t word = number << shift;
    require(number < 1u << bits && (word & info(opcode).mask) == 0, opcode, "imm", number);
    return word;
  };
  switch (format) {
    case Format::FRi:
    case Format::FXI:
      return at(20, 5);
    case Format::FRRi:
      return at(25, 2);
    case Format::FRsh:
      return at(20, 8);
    case Format::FIR:
      return at(20, 3);
    case Format::FSR:
      return at(7, 2);
    case Format::SXN:
      return at(20, 6);
    case Format::RPT:
      return at(20, 10);
    case Format::RPTI:
      return at(20, 12);
    case Format::PACE3:
      return at(25, 6);
    case Format::PACE2:
      return at(25, 4);
    case Format::AMPR:
      return at(25, 3);
    case Format::AMPP: {
      require(number < 1u << 12, opcode, "imm", number);
      const uint32_t word = (number & 7) << 25 | (number >> 3 & 15) << 7 | (number >> 7 & 31) << 20;
      require((word & info(opcode).mask) == 0, opcode, "imm", number);
      return word;
    }
    default:
      require(number == 0, opcode, "imm", number);
      return 0;
  }
}

uint32_t encode_immediate(Opcode opcode, Format format, int32_t imm) {
  const auto u = static_cast<uint32_t>(imm);
  const auto fits = [imm](int bits) { return imm >= -(1 << (bits - 1)) && imm < 1 << (bits - 1); };
  switch (format) {
    case Format::U:
      require((u & 0xfff) == 0, opcode, "imm", imm);
      return u;
    case Format::J:
      require(fits(21) && imm % 2 == 0, opcode, "offset", imm);
      return (u >> 20 & 1) << 31 | (u >> 1 & 0x3ff) << 21 | (u >> 11 & 1) << 20 | (u >> 12 & 0xff) << 12;
    case Format::I:
      // CSR numbers use all twelve bits.
      require(fits(12) || (info(opcode).unit == Unit::Csr && imm >= 0 && imm < 4096), opcode, "imm", imm);
      return u << 20;
    case Format::FI:
    case Format::SXI:
    case Format::FIS:
      require(fits(12), opcode, "imm", imm);
      return u << 20;
    case Format::Ishamt:
      require(imm >= 0 && imm < 32, opcode, "shamt", imm);
      return u << 20;
    case Format::S:
    case Format::FS:
    case Format::SXS:
    case Format::FSS:
      require(fits(12), opcode, "imm", imm);
      return (u >> 5 & 0x7f) << 25 | (u & 31) << 7;
    case Format::B:
      require(fits(13) && imm % 2 == 0, opcode, "offset", imm);
      return (u >> 12 & 1) << 31 | (u >> 5 & 0x3f) << 25 | (u >> 1 & 0xf) << 8 | (u >> 11 & 1) << 7;
    default:
      return encode_number(opcode, format, u);
  }
}

struct Fields {
  bool rd, rs1, rs2, rs3, rm;
};

Fields fields_of(Opcode opcode) {
  switch (info(opcode).format) {
    case Format::U:
    case Format::J:
    case Format::FZ:
    case Format::X0:
      return {true, false, false, false, false};
    case Format::I:
    case Format::Ishamt:
    case Format::R1:
    case Format::FI:
    case Format::FR1x:
    case Format::FX1:
    case Format::FR1:
    case Format::FR1d:
    case Format::FRi:
    case Format::FRsh:
    case Format::FXI:
    case Format::FIS:
    case Format::FIR:
    case Format::RPTI:
      return {true, true, false, false, false};
    case Format::S:
    case Format::B:
    case Format::FS:
    case Format::SX2:
    case Format::SXS:
    case Format::FA2:
    case Format::FSS:
    case Format::FSR:
      return {false, true, true, false, false};
    case Format::R:
    case Format::FR:
    case Format::FRx:
    case Format::FRd:
    case Format::FRRi:
    case Format::FXX:
    case Format::FFX:
    case Format::PACE3:
    case Format::AMPR:
      return {true, true, true, false, false};
    case Format::PACE2:
      return {true, true, (info(opcode).mask & 31u << 20) == 0, false, false};
    case Format::FR4d:
      return {true, true, true, true, false};
    case Format::FRrmv:
    case Format::FRrm:
      return {true, true, true, false, true};
    case Format::FR1rm:
    case Format::FR1xrm:
    case Format::FX1rm:
    case Format::FR1rmv:
      return {true, true, false, false, true};
    case Format::R4rm:
      return {true, true, true, true, true};
    case Format::SX1:
    case Format::SXI:
    case Format::FA1:
    case Format::SXN:
    case Format::RPT:
    case Format::AMPP:
      return {false, true, false, false, false};
    case Format::N:
      break;
  }
  return {};
}

}  // namespace

uint32_t encode(Opcode opcode, const Operands& o) {
  const auto& entry = info(opcode);
  const Fields has = fields_of(opcode);
  uint32_t w = entry.match;
  const auto put = [&](bool used, unsigned value, unsigned limit, unsigned shift, const char* name) {
    if (!used) return;
    require(value < limit && (value << shift & entry.mask) == 0, opcode, name, value);
    w |= value << shift;
  };
  put(has.rd, o.rd, 32, 7, "rd");
  put(has.rs1, o.rs1, 32, 15, "rs1");
  put(has.rs2, o.rs2, 32, 20, "rs2");
  put(has.rs3, o.rs3, 32, 27, "rs3");
  const bool high = entry.format == Format::FRrmv || entry.format == Format::FR1rmv;
  put(has.rm, o.rm, 8, high ? 25 : 12, "rm");
  return w | encode_immediate(opcode, entry.format, o.imm);
}

std::string disassemble(uint32_t w, uint32_t pc) {
  const Opcode opcode = decode(w);
  if (is_trap(w)) return "unimp";
  if (opcode == Opcode::Illegal) return fmt::format(".word 0x{:08x}", w);
  const auto& entry = info(opcode);
  const char* xd = kIntegerRegisters[rd_of(w)];
  const char* x1 = kIntegerRegisters[rs1_of(w)];
  const char* x2 = kIntegerRegisters[rs2_of(w)];
  const char* fd = kFloatRegisters[rd_of(w)];
  const char* f1 = kFloatRegisters[rs1_of(w)];
  const char* f2 = kFloatRegisters[rs2_of(w)];
  const char* rm = kRounding[rm_of(w)];
  const int32_t imm = immediate_of(entry.format, w);
  const auto name = entry.mnemonic;
  switch (entry.format) {
    case Format::U:
      return fmt::format("{} {}, 0x{:x}", name, xd, static_cast<uint32_t>(imm) >> 12);
    case Format::J:
      return fmt::format("{} {}, 0x{:x}", name, xd, pc + static_cast<uint32_t>(imm));
    case Format::I:
      if (entry.unit == Unit::Fence) return std::string(name);
      if (entry.unit == Unit::Csr) {
        const auto number = static_cast<uint16_t>(imm & 0xfff);
        const auto* csr = csr_info(number);
        const auto csr_name = csr ? std::string(csr->name) : fmt::format("0x{:x}", number);
        if (w >> 14 & 1) return fmt::format("{} {}, {}, {}", name, xd, csr_name, rs1_of(w));
        return fmt::format("{} {}, {}, {}", name, xd, csr_name, x1);
      }
      if (entry.unit == Unit::Load || opcode == Opcode::Jalr) return fmt::format("{} {}, {}({})", name, xd, imm, x1);
      return fmt::format("{} {}, {}, {}", name, xd, x1, imm);
    case Format::Ishamt:
      return fmt::format("{} {}, {}, {}", name, xd, x1, imm);
    case Format::S:
      return fmt::format("{} {}, {}({})", name, x2, imm, x1);
    case Format::B:
      return fmt::format("{} {}, {}, 0x{:x}", name, x1, x2, pc + static_cast<uint32_t>(imm));
    case Format::R:
      return fmt::format("{} {}, {}, {}", name, xd, x1, x2);
    case Format::R1:
      return fmt::format("{} {}, {}", name, xd, x1);
    case Format::N:
      return std::string(name);
    case Format::FI:
      return fmt::format("{} {}, {}({})", name, fd, imm, x1);
    case Format::FS:
      return fmt::format("{} {}, {}({})", name, f2, imm, x1);
    case Format::FR:
      return fmt::format("{} {}, {}, {}", name, fd, f1, f2);
    case Format::FRrm:
      return fmt::format("{} {}, {}, {}, {}", name, fd, f1, f2, rm);
    case Format::FR1rm:
      return fmt::format("{} {}, {}, {}", name, fd, f1, rm);
    case Format::FRx:
      return fmt::format("{} {}, {}, {}", name, xd, f1, f2);
    case Format::FR1x:
      return fmt::format("{} {}, {}", name, xd, f1);
    case Format::FR1xrm:
      return fmt::format("{} {}, {}, {}", name, xd, f1, rm);
    case Format::FX1:
      return fmt::format("{} {}, {}", name, fd, x1);
    case Format::FX1rm:
      return fmt::format("{} {}, {}, {}", name, fd, x1, rm);
    case Format::FZ:
      return opcode == Opcode::FcvtDW ? fmt::format("{} {}, zero", name, fd) : fmt::format("{} {}", name, fd);
    case Format::R4rm:
      return fmt::format("{} {}, {}, {}, {}, {}", name, fd, f1, f2, kFloatRegisters[rs3_of(w)], rm);
    case Format::SX1:
      return fmt::format("{} {}", name, x1);
    case Format::SX2:
      return fmt::format("{} {}, {}", name, x1, x2);
    case Format::SXI:
      if (opcode == Opcode::Trap || opcode == Opcode::Sans) return fmt::format("{} {}", name, imm);
      return imm & 16 ? fmt::format("{} {}, {}", name, imm & 15, x1) : fmt::format("{} {}", name, imm & 15);
    case Format::SXS:
      return fmt::format("{} {}, {}, {}", name, x1, x2, imm);
    case Format::X0:
      return fmt::format("{} {}", name, xd);
    case Format::FR1:
    case Format::FR1d:
      return fmt::format("{} {}, {}", name, fd, f1);
    case Format::FRd:
      return fmt::format("{} {}, {}, {}", name, fd, f1, f2);
    case Format::FR4d:
      return fmt::format("{} {}, {}, {}, {}", name, fd, f1, f2, kFloatRegisters[rs3_of(w)]);
    case Format::FRrmv:
      return fmt::format("{} {}, {}, {}, {}", name, fd, f1, f2, kRounding[rm_high_of(w)]);
    case Format::FR1rmv:
      return fmt::format("{} {}, {}, {}", name, fd, f1, kRounding[rm_high_of(w)]);
    case Format::FRi:
    case Format::FRsh:
      return fmt::format("{} {}, {}, {}", name, fd, f1, imm);
    case Format::FRRi:
    case Format::AMPR:
    case Format::PACE3:
      return fmt::format("{} {}, {}, {}, {}", name, fd, f1, f2, imm);
    case Format::FA1:
      return fmt::format("{} {}", name, f1);
    case Format::FA2:
      return fmt::format("{} {}, {}", name, f1, f2);
    case Format::FXX:
      return fmt::format("{} {}, {}, {}", name, fd, x1, x2);
    case Format::FFX:
      return fmt::format("{} {}, {}, {}", name, fd, f1, x2);
    case Format::FXI:
      return fmt::format("{} {}, {}, {}", name, xd, f1, imm);
    case Format::FIS:
    case Format::FIR:
      return fmt::format("{} {}, {}, {}", name, fd, x1, imm);
    case Format::FSS:
    case Format::FSR:
      return fmt::format("{} {}, {}, {}", name, f2, x1, imm);
    case Format::SXN:
    case Format::RPT:
      return fmt::format("{} {}, {}", name, x1, imm);
    case Format::RPTI:
      return fmt::format("{} {}, {}", name, imm, repeat_length_of(w));
    case Format::PACE2:
      if (fields_of(opcode).rs2) return fmt::format("{} {}, {}, {}, {}", name, fd, f1, f2, imm);
      return fmt::format("{} {}, {}, {}", name, fd, f1, imm);
    case Format::AMPP: {
      const Pace p = pace_of(w);
      return fmt::format("{} {}, {}, {}{}{}", name, f1, p.phase, p.load_x ? fmt::format("x{}", p.select_x) : "-",
                         p.load_p ? fmt::format("p{}", p.select_p) : "-",
                         p.store_r ? fmt::format("r{}", p.select_r) : "-");
    }
  }
  return {};
}

}  // namespace tessera::spec
