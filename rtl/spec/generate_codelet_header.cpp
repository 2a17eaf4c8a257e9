// Writes tessera/encodings.h for codelets and firmware: CSR numbers, exception causes, and the instructions of the Xipu
// extension as macros for C and C++ and for assembly; and, beside it, assembly.h, which makes the assembly macros known
// inside inline assembly. Usage: generate_codelet_header DIRECTORY/encodings.h
//
// xipu_NAME(operands) is a statement in C, with the operands in the order of the syntax line above it; numbers must be
// constants. In assembly it is a macro with the same operands. Formats whose numbers lie in register fields write these
// as x0..x31, which the assembler takes for float fields too.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "rtl/spec/instructions.h"

namespace {

using namespace tessera::spec;

std::string upper(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// An operand of a macro: its name, what inline assembly makes of it, and whether it is read, written or both. A number
// is 'i'. Placeholders in a template are the names in braces.
struct Operand {
  std::string name;
  char kind;  // 'f' float register, 'r' integer register, 'i' constant
  char use;   // 'r' read, 'w' written, 'u' updated
};

struct Form {
  std::vector<Operand> operands;
  std::string directive;  // with {name} for each operand
};

std::string number(uint32_t bits12, const char* added) {  // a 12-bit field as the signed number that .insn takes
  return fmt::format("({} + {{{}}})", static_cast<int32_t>(bits12 << 20) >> 20, added);
}

Form form_of(const InstructionInfo& e) {
  const unsigned major = e.match & 0x7f, f3 = e.match >> 12 & 7, f7 = e.match >> 25, i12 = e.match >> 20;
  const unsigned second = e.match >> 20 & 31, f2 = e.match >> 25 & 3;
  const Operand fd{"rd", 'f', 'w'}, f1{"rs1", 'f', 'r'}, f2r{"rs2", 'f', 'r'}, f3r{"rs3", 'f', 'r'};
  const Operand xd{"rd", 'r', 'w'}, x1{"rs1", 'r', 'r'}, x2{"rs2", 'r', 'r'};
  const Operand x1u{"rs1", 'r', 'u'}, f1u{"rs1", 'f', 'u'};
  const auto imm = [](const char* name) { return Operand{name, 'i', 'r'}; };
  const std::string r = fmt::format(".insn r {:#x}, {}, {}, {{rd}}, {{rs1}}, {{rs2}}", major, f3, f7);
  const std::string r1 = fmt::format(".insn r {:#x}, {}, {}, {{rd}}, {{rs1}}, x{}", major, f3, f7, second);
  const auto with_f7 = [&](const char* name, const char* tail) {
    return fmt::format(".insn r {:#x}, {}, ({} + {{{}}}), {}", major, f3, f7, name, tail);
  };
  switch (e.format) {
    case Format::SX1:
      return {{x1}, fmt::format(".insn r {:#x}, {}, {}, x0, {{rs1}}, x0", major, f3, f7)};
    case Format::SX2:
      return {{x1, x2}, fmt::format(".insn r {:#x}, {}, {}, x0, {{rs1}}, {{rs2}}", major, f3, f7)};
    case Format::SXI:
      if (e.opcode == Opcode::Trap || e.opcode == Opcode::Sans)
        return {{imm("imm")}, fmt::format(".insn i {:#x}, {}, x{}, x0, {{imm}}", major, f3, e.match >> 7 & 31)};
      return {{x1, imm("imm")}, fmt::format(".insn i {:#x}, {}, x0, {{rs1}}, {{imm}}", major, f3)};
    case Format::SXS:
      return {{x1, x2, imm("imm")}, fmt::format(".insn s {:#x}, {}, {{rs2}}, {{imm}}({{rs1}})", major, f3)};
    case Format::R:
      return {{xd, x1, x2}, r};
    case Format::R1:
      return {{xd, x1}, r1};
    case Format::X0:
      return {{xd}, fmt::format(".insn r {:#x}, {}, {}, {{rd}}, x0, x{}", major, f3, f7, second)};
    case Format::FZ:
      return {{fd}, fmt::format(".insn r {:#x}, {}, {}, {{rd}}, x0, x{}", major, f3, f7, second)};
    case Format::N:
      return {{}, fmt::format(".insn r {:#x}, {}, {}, x0, x0, x{}", major, f3, f7, second)};
    case Format::FR:
    case Format::FRd:
      return {{fd, f1, f2r}, r};
    case Format::FR1:
    case Format::FR1d:
      return {{fd, f1}, r1};
    case Format::FR1x:
      return {{xd, f1}, r1};
    case Format::FXX:
      return {{fd, x1, x2}, r};
    case Format::FFX:
      return {{fd, f1, x2}, r};
    case Format::FR4d:
      return {{fd, f1, f2r, f3r},
              fmt::format(".insn r4 {:#x}, {}, {}, {{rd}}, {{rs1}}, {{rs2}}, {{rs3}}", major, f3, f2)};
    case Format::FRrmv:
      return {{fd, f1, f2r, imm("rm")}, with_f7("rm", "{rd}, {rs1}, {rs2}")};
    case Format::FR1rmv:
      return {{fd, f1, imm("rm")}, with_f7("rm", fmt::format("{{rd}}, {{rs1}}, x{}", second).c_str())};
    case Format::FRi:
      return {{fd, f1, imm("n")}, fmt::format(".insn i {:#x}, {}, {{rd}}, {{rs1}}, {}", major, f3, number(i12, "n"))};
    case Format::FXI:
      return {{xd, f1, imm("n")}, fmt::format(".insn i {:#x}, {}, {{rd}}, {{rs1}}, {}", major, f3, number(i12, "n"))};
    case Format::FRsh:
      return {{fd, f1, imm("n")}, fmt::format(".insn i {:#x}, {}, {{rd}}, {{rs1}}, {}", major, f3, number(i12, "n"))};
    case Format::FRRi:
      return {{fd, f1, f2r, imm("n")}, with_f7("n", "{rd}, {rs1}, {rs2}")};
    case Format::FA1:
      return {{f1}, fmt::format(".insn r {:#x}, {}, {}, x0, {{rs1}}, x0", major, f3, f7)};
    case Format::FA2:
      return {{f1, f2r}, fmt::format(".insn r {:#x}, {}, {}, x0, {{rs1}}, {{rs2}}", major, f3, f7)};
    case Format::FIS:
      return {{fd, x1u, imm("imm")}, fmt::format(".insn i {:#x}, {}, {{rd}}, {{rs1}}, {{imm}}", major, f3)};
    case Format::FSS:
      return {{f2r, x1u, imm("imm")}, fmt::format(".insn s {:#x}, {}, {{rs2}}, {{imm}}({{rs1}})", major, f3)};
    case Format::FIR:
      return {{fd, x1u, imm("sel")},
              fmt::format(".insn i {:#x}, {}, {{rd}}, {{rs1}}, {}", major, f3, number(i12, "sel"))};
    case Format::FSR:
      return {{f2r, x1u, imm("sel")}, fmt::format(".insn r {:#x}, {}, {}, x{{sel}}, {{rs1}}, {{rs2}}", major, f3, f7)};
    case Format::SXN:
      return {{x1, imm("n")}, fmt::format(".insn i {:#x}, {}, x0, {{rs1}}, {}", major, f3, number(i12, "n"))};
    case Format::RPT:
      return {{x1, imm("n")}, fmt::format(".insn i {:#x}, {}, x0, {{rs1}}, {{n}}", major, f3)};
    case Format::RPTI:
      return {{imm("count"), imm("n")},
              fmt::format(".4byte {:#x} | ({{count}}) << 20 | (({{n}}) >> 5) << 15 | (({{n}}) & 31) << 7", e.match)};
    case Format::PACE3:
      return {{fd, f1u, f2r, imm("sel")}, with_f7("sel", "{rd}, {rs1}, {rs2}")};
    case Format::PACE2:
      if (e.mask & 31u << 20) return {{fd, f1u, imm("sel")}, with_f7("sel", "{rd}, {rs1}, x0")};
      return {{fd, f1u, f2r, imm("sel")}, with_f7("sel", "{rd}, {rs1}, {rs2}")};
    case Format::AMPR:
      return {{fd, f1, f2r, imm("phase")}, with_f7("phase", "{rd}, {rs1}, {rs2}")};
    case Format::AMPP:
      // in: selectors of X and P (2 bits each); out: selector of R, then the enables of X, P and R (XIPU_LOAD_X ...).
      return {{f1u, imm("phase"), imm("in"), imm("out")},
              fmt::format(".insn r {:#x}, {}, ({} + {{phase}}), x{{in}}, {{rs1}}, x{{out}}", major, f3, f7)};
    default:
      throw std::runtime_error(fmt::format("{}: no macro for its format", e.mnemonic));
  }
}

// Whether the result of an instruction depends on more than its operands, or it does more than give its result.
bool has_side_effects(const InstructionInfo& e) {
  switch (e.unit) {
    case Unit::Packed:
    case Unit::Lane:
    case Unit::Alu:
      return false;
    case Unit::Special:
      return e.format == Format::FZ;  // Gaussian numbers advance the generator
    default:
      return true;
  }
}
bool touches_memory(const InstructionInfo& e) {
  return e.unit == Unit::Stream || e.unit == Unit::Weights || e.unit == Unit::System || e.format == Format::AMPP;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string parameters(const Form& form) {
  std::string list;
  for (const Operand& o : form.operands) list += (list.empty() ? "" : ", ") + o.name;
  return list;
}

bool writes_pair(const InstructionInfo& e) {
  return e.format == Format::PACE3 || (e.unit == Unit::Stream && (e.mask & 1u << 7) != 0);
}

std::string c_macro(const InstructionInfo& e, const Form& form) {
  std::string text = form.directive, outputs, inputs, names;
  const bool pair = writes_pair(e);
  for (const Operand& o : form.operands) {
    names += (names.empty() ? "" : ", ") + o.name;
    if (pair && o.name == "rd") {
      names += ", rd1";
      text = replaced(text, "{rd}", "ft0");
      outputs = "\"=f\"(rd_), \"=f\"(rd1_)";
      continue;
    }
    // Names of asm operands are not macro parameters: these would be replaced inside the brackets.
    text = replaced(text, "{" + o.name + "}", "%[" + o.name + "_]");
    std::string& list = o.use == 'r' ? inputs : outputs;
    const char* use = o.use == 'w' ? "=" : o.use == 'u' ? "+" : "";
    list += fmt::format("{}[{}_] \"{}{}\"({})", list.empty() ? "" : ", ", o.name, use, o.kind, o.name);
  }
  const std::string statement = fmt::format("__asm__{}(\"{}\" : {} : {} : {})", has_side_effects(e) ? " volatile" : "",
                                            text, outputs, inputs, touches_memory(e) ? "\"memory\"" : "");
  // Inline assembly cannot ask for an even register and its neighbour: a pair goes through ft0 and ft1.
  const std::string body =
      pair ? fmt::format(
                 "do {{ register double rd_ __asm__(\"ft0\"); register double rd1_ __asm__(\"ft1\"); {}; (rd) = rd_; "
                 "(rd1) = rd1_; }} while (0)",
                 statement)
           : statement;
  return fmt::format("/* {}: {} */\n#define xipu_{}({}) {}\n", e.syntax, e.effect,
                     replaced(std::string(e.mnemonic), ".", "_"), names, body);
}

std::string assembly_macro(const InstructionInfo& e, const Form& form) {
  std::string text = form.directive;
  for (const Operand& o : form.operands) text = replaced(text, "{" + o.name + "}", "\\" + o.name);
  return fmt::format("# {}: {}\n.macro xipu_{} {}\n  {}\n.endm\n", e.syntax, e.effect, e.mnemonic, parameters(form),
                     text);
}

void write_encodings(std::ostream& out) {
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
  out << "\n/* Operand `out` of a paced step: the selector of R plus what it moves. `in`: selector of X + 4 * that of "
         "P. */\n"
         "#define XIPU_LOAD_X 4\n#define XIPU_LOAD_P 8\n#define XIPU_STORE_R 16\n";
  std::string c, assembly;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (!entry.section.starts_with("Xipu")) continue;
    const Form form = form_of(entry);
    // A repeat and its body must be one piece of assembly: a compiler puts code between two.
    if (entry.unit != Unit::Repeat) c += c_macro(entry, form);
    assembly += assembly_macro(entry, form);
  }
  out << "\n#ifdef __ASSEMBLER__\n" << assembly << "#else\n" << c << "#endif\n";
}

// Macros of inline assembly are those of the compiler's own assembly file: defined in it once, at file scope.
void write_inline(std::ostream& out) {
  out << "/* Generated from rtl/spec/instructions.def: the assembly macros of encodings.h, for inline assembly. */\n"
         "#pragma once\n\n__asm__(\n";
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (!entry.section.starts_with("Xipu")) continue;
    const Form form = form_of(entry);
    std::string text = form.directive;
    for (const Operand& o : form.operands) text = replaced(text, "{" + o.name + "}", "\\\\" + o.name);
    out << fmt::format("    \".macro xipu_{} {}\\n {}\\n.endm\\n\"\n", entry.mnemonic, parameters(form), text);
  }
  out << ");\n";
}

template <class Writer>
void write_file(const std::filesystem::path& path, Writer writer) {
  std::ofstream out(path);
  writer(out);
  out.close();
  if (!out) throw std::runtime_error(path.string() + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_codelet_header DIRECTORY/encodings.h\n";
    return 2;
  }
  try {
    const std::filesystem::path path = argv[1];
    std::filesystem::create_directories(path.parent_path());
    write_file(path, write_encodings);
    write_file(path.parent_path() / "assembly.h", write_inline);
  } catch (const std::exception& error) {
    std::cerr << "generate_codelet_header: " << error.what() << "\n";
    return 1;
  }
}
