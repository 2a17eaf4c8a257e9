// Writes tessera/encodings.h for codelets and firmware: CSR numbers, exception causes, and the instructions of the Xipu
// extension as macros for C and C++ and for assembly. Usage: generate_codelet_header FILE
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "rtl/spec/instructions.h"

namespace {

using namespace tessera::spec;

constexpr std::string_view kSection = "Xipu, the system part";

std::string upper(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// The .insn directive of an instruction; a, b and imm stand for what the two kinds of macro write there.
std::string directive(const InstructionInfo& entry, const char* a, const char* b, const char* imm) {
  const unsigned major = entry.match & 0x7f, funct3 = entry.match >> 12 & 7, funct7 = entry.match >> 25;
  switch (entry.format) {
    case Format::SX1:
      return fmt::format(".insn r {:#x}, {}, {}, x0, {}, x0", major, funct3, funct7, a);
    case Format::SX2:
      return fmt::format(".insn r {:#x}, {}, {}, x0, {}, {}", major, funct3, funct7, a, b);
    case Format::SXI:
      return fmt::format(".insn i {:#x}, {}, x0, {}, {}", major, funct3, a, imm);
    case Format::SXS:
      return fmt::format(".insn s {:#x}, {}, {}, {}({})", major, funct3, b, imm, a);
    default:
      throw std::runtime_error(fmt::format("{}: no macro for its format", entry.mnemonic));
  }
}

bool has_second(Format format) { return format == Format::SX2 || format == Format::SXS; }
bool has_immediate(Format format) { return format == Format::SXI || format == Format::SXS; }

void write(std::ostream& out) {
  out << "/* Generated from rtl/spec/instructions.def, csrs.def and causes.def. */\n#pragma once\n\n/* CSR numbers. "
         "*/\n";
#define CSR(id, number, name, who, access, effect) \
  out << fmt::format("#define TESSERA_CSR_{} {:#x}\n", upper(name), number);
#include "rtl/spec/csrs.def"
#undef CSR
  out << "\n/* Exception causes. */\n";
#define CAUSE(id, number, name, why) out << fmt::format("#define TESSERA_CAUSE_{} {}\n", upper(name), number);
#include "rtl/spec/causes.def"
#undef CAUSE
  std::string c, assembly;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (entry.section != kSection) continue;
    std::string parameters = "rs1", operands = "\"r\"(rs1)", macro = "rs1";
    int next = 1;
    const std::string second = has_second(entry.format) ? fmt::format("%{}", next++) : "";
    const std::string immediate = has_immediate(entry.format) ? fmt::format("%{}", next++) : "";
    if (has_second(entry.format)) {
      parameters += ", rs2";
      operands += ", \"r\"(rs2)";
      macro += ", rs2";
    }
    if (has_immediate(entry.format)) {
      parameters += ", imm";
      operands += ", \"i\"(imm)";
      macro += ", imm";
    }
    c += fmt::format("/* {}: {} */\n#define xipu_{}({}) __asm__ volatile(\"{}\" ::{} : \"memory\")\n", entry.syntax,
                     entry.effect, entry.mnemonic, parameters,
                     directive(entry, "%0", second.c_str(), immediate.c_str()), operands);
    assembly += fmt::format(".macro xipu_{} {}\n  {}\n.endm\n", entry.mnemonic, macro,
                            directive(entry, "\\rs1", "\\rs2", "\\imm"));
  }
  out << "\n#ifdef __ASSEMBLER__\n" << assembly << "#else\n" << c << "#endif\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_codelet_header FILE\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(std::filesystem::path(argv[1]).parent_path());
    std::ofstream out(argv[1]);
    write(out);
    out.close();
    if (!out) throw std::runtime_error(std::string(argv[1]) + " cannot be written");
  } catch (const std::exception& error) {
    std::cerr << "generate_codelet_header: " << error.what() << "\n";
    return 1;
  }
}
