// Writes tile_kinds.def, the tiles that are verilated in this build and the memory each was made for:
// TILE_KIND(id, machine, memory_base, memory_bytes, element_bytes, region1_base). Usage: generate_tile_table FILE
// ID=MACHINE...
#include <fmt/ostream.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "rtl/spec/machine.h"

using tessera::spec::Machine;
using tessera::spec::MachineError;

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: generate_tile_table FILE ID=MACHINE...\n");
    return 2;
  }
  try {
    std::ofstream out(argv[1]);
    std::vector<Machine> known;
    for (int i = 2; i < argc; ++i) {
      const std::string argument = argv[i];
      const size_t equals = argument.find('=');
      if (equals == std::string::npos) throw MachineError("'" + argument + "' is not ID=MACHINE");
      const Machine machine = tessera::spec::load_machine(argument.substr(equals + 1));
      for (const Machine& other : known)
        if (other.geometry() == machine.geometry())
          throw MachineError("machines " + other.name + " and " + machine.name +
                             " have the same tile: leave one of them out of TESSERA_TILES");
      known.push_back(machine);
      fmt::print(out, "TILE_KIND({}, \"{}\", {:#x}, {:#x}, {:#x}, {:#x})\n", argument.substr(0, equals), machine.name,
                 machine.memory_base, machine.memory_bytes, machine.element_bytes, machine.region1_base);
    }
    out.close();
    if (!out) throw MachineError(std::string(argv[1]) + " cannot be written");
  } catch (const MachineError& error) {
    std::fprintf(stderr, "generate_tile_table: %s\n", error.what());
    return 1;
  }
}
