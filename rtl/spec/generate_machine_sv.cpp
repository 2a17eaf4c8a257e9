// Writes machine_pkg.sv for one machine: its numbers, the exchange latencies and the host port's register
// offsets. Usage: generate_machine_sv MACHINE OUTPUT
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>

#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"

namespace {

using tessera::spec::Machine;

std::string upper(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

// DebugSelect -> REG_DEBUG_SELECT
std::string register_name(const std::string& identifier) {
  std::string name = "REG";
  for (char c : identifier) {
    if (std::isupper(static_cast<unsigned char>(c))) name += '_';
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

// The latencies of row 0, by source and destination; each row adds one cycle at either end, which is checked here, so
// that Machine::latency is the formula's only place.
std::string latencies(const Machine& machine) {
  const unsigned plane = machine.columns * machine.lanes;
  std::string text = fmt::format(
      "\n  // Cycles from a send event at tile s to the matching receive event at tile d: L of "
      "docs/reference/exchange.md.\n"
      "  function automatic int latency(input int s, input int d);\n    case (s % {0} * {0} + d % {0})\n",
      plane);
  for (unsigned s = 0; s < plane; ++s)
    for (unsigned d = 0; d < plane; ++d)
      text += fmt::format("      {}: latency = {};\n", s * plane + d, machine.latency(s, d));
  text += fmt::format(
      "      default: latency = 0;\n    endcase\n    latency = latency + s / {0} + d / {0};\n  endfunction\n", plane);
  for (unsigned s = 0; s < machine.tiles(); ++s)
    for (unsigned d = 0; d < machine.tiles(); ++d)
      if (machine.latency(s, d) != machine.latency(s % plane, d % plane) + s / plane + d / plane)
        throw tessera::spec::MachineError(
            "rows do more to a latency than add a cycle each: generate_machine_sv has to change");
  return text;
}

// The longest way from each tile: the length of its delay line.
std::string longest_latencies(const Machine& machine) {
  std::string text = "\n  // The longest way from tile s.\n";
  text += "  function automatic int longest_latency(input int s);\n    case (s)\n";
  for (unsigned s = 0; s < machine.tiles(); ++s) {
    unsigned longest = 0;
    for (unsigned d = 0; d < machine.tiles(); ++d) longest = std::max(longest, machine.latency(s, d));
    text += fmt::format("      {}: longest_latency = {};\n", s, longest);
  }
  return text + "      default: longest_latency = 0;\n    endcase\n  endfunction\n";
}

// Enumerations rather than parameters: a module that uses a few of them has no unused parameters to be warned of.
std::string number(const std::string& name, uint32_t value) {
  return fmt::format("  typedef enum logic [31:0] {{ {} = 32'd{} }} {}_e;\n", upper(name), value, name);
}

std::string package(const Machine& machine) {
  std::string text =
      fmt::format("// Machine {}: generated from its description.\npackage machine_pkg;\n", machine.name);
  const auto fields = tessera::spec::machine_fields(machine);
  for (const auto& [name, value] : fields) text += number(name, value);
  text += number("tiles", machine.tiles());
  text += "\n  // Host port registers (docs/reference/edge.md).\n";
  text += number("identity_magic", tessera::spec::kIdentityMagic);
  text += "  typedef enum logic [11:0] {\n";
  std::string separator;
#define REGISTER(id, offset, access, meaning)                                          \
  text += fmt::format("{}    {} = 12'h{:03x}", separator, register_name(#id), offset); \
  separator = ",\n";
#include "rtl/spec/registers.def"
#undef REGISTER
  text += "\n  } register_e;\n";
  text += "\n  // Machine description register i, at offset 4 * (i + 1).\n";
  text += "  function automatic logic [31:0] description(input logic [9:0] i);\n    case (i)\n";
  for (size_t i = 0; i < fields.size(); ++i)
    text += fmt::format("      10'd{}: description = 32'd{};\n", i, fields[i].second);
  text += "      default: description = 32'd0;\n    endcase\n  endfunction\n";
  return text + latencies(machine) + longest_latencies(machine) + "endpackage\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: generate_machine_sv MACHINE OUTPUT\n");
    return 2;
  }
  try {
    const std::string text = package(tessera::spec::load_machine(argv[1]));
    std::ofstream out(argv[2]);
    out << text;
    if (!out.flush()) throw tessera::spec::MachineError(std::string(argv[2]) + " cannot be written");
  } catch (const tessera::spec::MachineError& error) {
    std::fprintf(stderr, "generate_machine_sv: %s\n", error.what());
    return 1;
  }
}
