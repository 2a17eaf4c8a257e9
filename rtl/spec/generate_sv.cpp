// Writes isa_pkg.sv, the SystemVerilog view of the tables: instruction numbers and their decoder, CSR numbers,
// exception causes. Usage: generate_sv FILE
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <vector>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/register_use.h"

namespace {

using namespace tessera::spec;

std::string upper(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

// Order of the enum Unit.
constexpr const char* kUnits[] = {"ALU", "BRANCH", "LOAD",    "STORE",    "FENCE",    "SYSTEM", "MULTIPLY", "DIVIDE",
                                  "CSR", "FMA",    "FDIVIDE", "FCOMPARE", "FCONVERT", "FMOVE",  "PACKED",   "SPECIAL",
                                  "AMP", "RANDOM", "STREAM",  "WEIGHTS",  "REPEAT",   "LANE"};

enum class Immediate { I, S, B, U, J, Shift, N64, N128 };
constexpr const char* kImmediates[] = {"I", "S", "B", "U", "J", "SHIFT", "N64", "N128"};

Immediate immediate_from(const InstructionInfo& entry) {
  if (entry.opcode == Opcode::Ld128putcs) return Immediate::N128;
  static constexpr Immediate kOfFormat[] = {
#define FORMAT(id, reads, written, updates, immediate, rounding, operands) Immediate::immediate,
#include "rtl/spec/formats.def"
#undef FORMAT
  };
  return kOfFormat[static_cast<unsigned>(entry.format)];
}

std::string literal(const InstructionInfo& entry) {
  const RegisterUse c = register_use(entry.opcode);
  const bool redirects = entry.unit == Unit::Branch || entry.opcode == Opcode::FenceI;
  return fmt::format(
      "{{isa_pkg::{}, isa_pkg::UNIT_{}, 3'd{}, 1'b{:d}, 1'b{:d}, 5'b{:d}{:d}{:d}{:d}{:d}, 5'b{:d}{:d}{:d}{:d}{:d}, "
      "2'd{}, 1'b{:d}, "
      "1'b{:d}, isa_pkg::IMM_{}}}",
      upper(entry.mnemonic), kUnits[static_cast<unsigned>(entry.unit)], entry.slots, entry.who != Who::Worker,
      entry.who != Who::Supervisor, c.reads_x1, c.reads_x2, c.reads_f1, c.reads_f2, c.reads_f3, c.writes_x, c.writes_f,
      c.writes_pair, c.updates_x, c.updates_f, static_cast<unsigned>(rounding_of(entry.format)), serialises(entry),
      redirects, kImmediates[static_cast<unsigned>(immediate_from(entry))]);
}

struct Field {
  unsigned high, low;
};
constexpr Field kFields[] = {{6, 0}, {14, 12}, {31, 25}, {24, 20}};

// A tree of case statements over the fields that all candidates fix; below it a chain in table order.
void write_tree(std::ostream& out, const std::vector<const InstructionInfo*>& candidates, unsigned level,
                const std::string& indent) {
  for (; level < std::size(kFields); ++level) {
    const auto [high, low] = kFields[level];
    const uint32_t bits = ((uint64_t{1} << (high - low + 1)) - 1) << low;
    if (candidates.size() == 1 && level > 0) break;
    if (!std::all_of(candidates.begin(), candidates.end(), [&](auto* e) { return (e->mask & bits) == bits; })) continue;
    std::map<uint32_t, std::vector<const InstructionInfo*>> groups;
    for (const auto* e : candidates) groups[(e->match & bits) >> low].push_back(e);
    fmt::print(out, "{}case (w[{}:{}])\n", indent, high, low);
    for (const auto& [value, group] : groups) {
      fmt::print(out, "{}  {}'d{}: begin\n", indent, high - low + 1, value);
      write_tree(out, group, level + 1, indent + "    ");
      fmt::print(out, "{}  end\n", indent);
    }
    fmt::print(out, "{}  default: ;\n{}endcase\n", indent, indent);
    return;
  }
  const char* otherwise = "";
  for (const auto* e : candidates) {
    fmt::print(out, "{}{}if ((w & 32'h{:08x}) == 32'h{:08x}) decode = {};\n", indent, otherwise, e->mask, e->match,
               literal(*e));
    otherwise = "else ";
  }
}

// Constants are enums, of which a reader may leave some unused.
void write_enum(std::ostream& out, unsigned width, const char* name,
                const std::vector<std::pair<std::string, uint32_t>>& items) {
  fmt::print(out, "  typedef enum logic [{}:0] {{\n", width - 1);
  for (size_t i = 0; i < items.size(); ++i)
    fmt::print(out, "    {} = {}'h{:x}{}\n", items[i].first, width, items[i].second, i + 1 < items.size() ? "," : "");
  fmt::print(out, "  }} {};\n", name);
}

void write_package(std::ostream& out) {
  out << "// Generated from rtl/spec/*.def. Do not edit.\npackage isa_pkg;\n";
  std::vector<const InstructionInfo*> all;
  std::vector<std::pair<std::string, uint32_t>> ids, units, immediates, csrs, causes;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    all.push_back(&info(static_cast<Opcode>(i)));
    ids.emplace_back(upper(all.back()->mnemonic), i);
  }
  ids.emplace_back("ILLEGAL", kOpcodes);
  for (const auto* name : kUnits) units.emplace_back(std::string("UNIT_") + name, units.size());
  for (const auto* name : kImmediates) immediates.emplace_back(std::string("IMM_") + name, immediates.size());
#define CSR(id, number, name, who, access, effect) csrs.emplace_back("CSR_" + upper(name), number);
#include "rtl/spec/csrs.def"
#undef CSR
#define CAUSE(id, number, name, why) causes.emplace_back("CAUSE_" + upper(name), number);
#include "rtl/spec/causes.def"
#undef CAUSE
  write_enum(out, 9, "id_e", ids);
  write_enum(out, 5, "unit_e", units);
  write_enum(out, 3, "immediate_e", immediates);
  write_enum(out, 12, "csr_e", csrs);
  write_enum(out, 4, "cause_e", causes);
  out << R"(
  typedef struct packed {
    logic [8:0] id;
    logic [4:0] unit;
    logic [2:0] slots;
    logic by_supervisor;
    logic by_worker;
    logic reads_x1;
    logic reads_x2;
    logic reads_f1;
    logic reads_f2;
    logic reads_f3;
    logic writes_x;
    logic writes_f;
    logic writes_pair;     // float rd and rd + 1
    logic updates_x;       // integer rs1 is written
    logic updates_f;       // float rs1 is written
    logic [1:0] rounding;  // mode from: 0 nowhere, 1 bits 14:12, 2 frm, 3 bits 27:25
    logic serialising;
    logic redirects;
    logic [2:0] immediate;
  } control_t;
  // What csr allows: {exists, supervisor may, worker may, writable}.
  function automatic logic [3:0] csr_access(input logic [11:0] number);
    case (number)
)";
#define CSR(id, number, name, who, access, effect)                                                                 \
  fmt::print(out, "      isa_pkg::CSR_{}: csr_access = 4'b1{:d}{:d}{:d};\n", upper(name), Who::who != Who::Worker, \
             Who::who != Who::Supervisor, std::string_view(#access) == "ReadWrite");
#include "rtl/spec/csrs.def"
#undef CSR
  out << R"(      default: csr_access = 4'b0000;
    endcase
  endfunction

  // Returns a control_t.
  function automatic logic [35:0] decode(input logic [31:0] w);
    decode = {isa_pkg::ILLEGAL, isa_pkg::UNIT_ALU, 3'd1, 19'd0};
)";
  write_tree(out, all, 0, "    ");
  out << "  endfunction\nendpackage\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_sv FILE\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  write_package(out);
  out.close();
  if (!out) {
    std::cerr << "generate_sv: " << argv[1] << " cannot be written\n";
    return 1;
  }
}
