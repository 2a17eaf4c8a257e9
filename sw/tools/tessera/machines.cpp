// tessera machines, tessera version.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

void list_machines() {
  std::vector<spec::Machine> machines;
  for (const auto& entry : fs::directory_iterator(spec::machines_folder()))
    if (entry.path().extension() == ".toml") machines.push_back(spec::load_machine(entry.path().stem().string()));
  std::sort(machines.begin(), machines.end(),
            [](const auto& a, const auto& b) { return std::pair(a.tiles(), a.name) < std::pair(b.tiles(), b.name); });
  for (const spec::Machine& m : machines)
    fmt::print("{:<8} {:5} tiles ({} rows x {} columns x {} lanes), {} KiB each, {} MHz\n", m.name, m.tiles(), m.rows,
               m.columns, m.lanes, m.memory_bytes / 1024, m.clock_hz / 1000000);
}

void print_version() {
  fmt::print("tessera {}\ninstruction table {:016x}\nmachines in {}\n", TESSERA_VERSION, spec::instruction_table_hash(),
             spec::machines_folder());
}

}  // namespace

void add_machines(CLI::App& app) {
  app.add_subcommand("machines", "Lists the machines that can be simulated: names for --machine")
      ->callback(list_machines);
  app.add_subcommand("version", "Prints the version of Tessera, of its instruction set, and where its machines are")
      ->callback(print_version);
}

}  // namespace tessera::tool
