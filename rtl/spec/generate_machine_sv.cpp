// Writes machine_pkg.sv for one machine: its numbers, how long selections are on their way, and the host port's
// register offsets. Usage: generate_machine_sv MACHINE OUTPUT
#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

// Of the tiles of row 0, and what a row adds: Machine::select_latency is the one place.
std::string select_latencies(const Machine& machine) {
  const unsigned plane = machine.columns * machine.lanes, first = machine.select_latency(0);
  const unsigned step = machine.rows > 1 ? machine.select_latency(plane) - first : 0;
  for (unsigned d = 0; d < machine.tiles(); ++d)
    if (machine.select_latency(d) != first + step * (d / plane))
      throw tessera::spec::MachineError(
          "the way of a selection is not by row alone: generate_machine_sv has to change");
  return fmt::format(
      "\n  // Cycles from a selection of tile d to what it selects: W of docs/reference/exchange.md.\n"
      "  function automatic logic [5:0] select_latency(input int d);\n    select_latency = 6'({} + {} * (d / {}));\n"
      "  endfunction\n",
      first, step, plane);
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
  text += number("blocks", machine.blocks());
  text += number("block_tiles", machine.block_tiles());
  text += number("pairs", machine.pairs());
  text += "\n  // The trees of sync (sync_pkg): what a node joins, and registers from a tile to the root.\n";
  text += number("sync_fan", tessera::spec::kSyncFan);
  text += number("sync_levels", machine.sync_levels());
  text +=
      "\n  // Sides of the exchange (exchange_pkg), the tiles of a side in a row and in all, and words of all sides.\n";
  const unsigned sides = 2 * machine.columns, side_lanes = (machine.lanes + 1) / 2;
  text += number("exchange_sides", sides);
  text += number("exchange_side_lanes", side_lanes);
  text += number("exchange_side_words", machine.rows * side_lanes);
  text += number("exchange_words", sides * machine.rows * side_lanes);
  text += "\n  // Links (link_pkg): queues and ways are numbered as docs/reference/link.md says.\n";
  const unsigned channels = machine.links * machine.link_words;
  text += number("link_channels", channels);
  text += number("link_queues", tessera::spec::kLinkLayers * channels);
  text += number("link_sources", machine.blocks() + tessera::spec::kLinkLayers * channels);
  text += number("link_ways", channels + machine.blocks());
  text += number("link_way_bits", static_cast<uint32_t>(std::bit_width(channels + machine.blocks() - 1)));
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
  return text + select_latencies(machine) + "endpackage\n";
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
