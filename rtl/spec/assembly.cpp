// Encoding and disassembly of single instructions.
#include <fmt/format.h>

#include <stdexcept>

#include "rtl/spec/instructions.h"

namespace tessera::spec {
namespace {

constexpr const char* kInteger[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr const char* kFloat[32] = {"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
                                    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
                                    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
constexpr const char* kRounding[8] = {"rne", "rtz", "rdn", "rup", "rmm", "rm5", "rm6", "dyn"};

void require(bool fits, Opcode opcode, const char* operand, int64_t value) {
  if (!fits) throw std::out_of_range(fmt::format("{}: {} = {} does not fit", info(opcode).mnemonic, operand, value));
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
      require(fits(12), opcode, "imm", imm);
      return u << 20;
    case Format::Ishamt:
      require(imm >= 0 && imm < 32, opcode, "shamt", imm);
      return u << 20;
    case Format::S:
    case Format::FS:
    case Format::SXS:
      require(fits(12), opcode, "imm", imm);
      return (u >> 5 & 0x7f) << 25 | (u & 31) << 7;
    case Format::B:
      require(fits(13) && imm % 2 == 0, opcode, "offset", imm);
      return (u >> 12 & 1) << 31 | (u >> 5 & 0x3f) << 25 | (u >> 1 & 0xf) << 8 | (u >> 11 & 1) << 7;
    default:
      require(imm == 0, opcode, "imm", imm);
      return 0;
  }
}

struct Fields {
  bool rd, rs1, rs2, rs3, rm;
};

Fields fields_of(Format format) {
  switch (format) {
    case Format::U:
    case Format::J:
    case Format::FZ:
      return {true, false, false, false, false};
    case Format::I:
    case Format::Ishamt:
    case Format::R1:
    case Format::FI:
    case Format::FR1x:
    case Format::FX1:
      return {true, true, false, false, false};
    case Format::S:
    case Format::B:
    case Format::FS:
    case Format::SX2:
    case Format::SXS:
      return {false, true, true, false, false};
    case Format::R:
    case Format::FR:
    case Format::FRx:
      return {true, true, true, false, false};
    case Format::FRrm:
      return {true, true, true, false, true};
    case Format::FR1rm:
    case Format::FR1xrm:
    case Format::FX1rm:
      return {true, true, false, false, true};
    case Format::R4rm:
      return {true, true, true, true, true};
    case Format::SX1:
    case Format::SXI:
      return {false, true, false, false, false};
    case Format::N:
      break;
  }
  return {};
}

}  // namespace

uint32_t encode(Opcode opcode, const Operands& o) {
  const auto& entry = info(opcode);
  const Fields has = fields_of(entry.format);
  uint32_t w = entry.match;
  const auto put = [&](bool used, unsigned value, unsigned limit, unsigned shift, const char* name) {
    if (!used) return;
    require(value < limit, opcode, name, value);
    w |= value << shift;
  };
  put(has.rd, o.rd, 32, 7, "rd");
  put(has.rs1, o.rs1, 32, 15, "rs1");
  put(has.rs2, o.rs2, 32, 20, "rs2");
  put(has.rs3, o.rs3, 32, 27, "rs3");
  put(has.rm, o.rm, 8, 12, "rm");
  return w | encode_immediate(opcode, entry.format, o.imm);
}

std::string disassemble(uint32_t w, uint32_t pc) {
  const Opcode opcode = decode(w);
  if (opcode == Opcode::Illegal) return fmt::format(".word 0x{:08x}", w);
  const auto& entry = info(opcode);
  const char* xd = kInteger[rd_of(w)];
  const char* x1 = kInteger[rs1_of(w)];
  const char* x2 = kInteger[rs2_of(w)];
  const char* fd = kFloat[rd_of(w)];
  const char* f1 = kFloat[rs1_of(w)];
  const char* f2 = kFloat[rs2_of(w)];
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
      return fmt::format("{} {}, zero", name, fd);
    case Format::R4rm:
      return fmt::format("{} {}, {}, {}, {}, {}", name, fd, f1, f2, kFloat[rs3_of(w)], rm);
    case Format::SX1:
      return fmt::format("{} {}", name, x1);
    case Format::SX2:
      return fmt::format("{} {}, {}", name, x1, x2);
    case Format::SXI:
      if (opcode == Opcode::Trap) return fmt::format("{} {}", name, imm);
      return imm & 16 ? fmt::format("{} {}, {}", name, imm & 15, x1) : fmt::format("{} {}", name, imm & 15);
    case Format::SXS:
      return fmt::format("{} {}, {}, {}", name, x1, x2, imm);
  }
  return {};
}

}  // namespace tessera::spec
