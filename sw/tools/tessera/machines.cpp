// tessera machines, tessera version.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "rtl/spec/instructions.h"
#include "rtl/spec/standard_system.h"
#include "rtl/spec/system.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

void list_machines() {
  std::vector<spec::Machine> machines;
  for (const std::string& name : spec::machine_names()) machines.push_back(spec::load_machine(name));
  std::sort(machines.begin(), machines.end(),
            [](const auto& a, const auto& b) { return std::pair(a.tiles(), a.name) < std::pair(b.tiles(), b.name); });
  for (const spec::Machine& m : machines)
    fmt::print("{:<8} {:5} tiles ({} rows x {} columns x {} lanes), {} KiB each, {} MHz\n", m.name, m.tiles(), m.rows,
               m.columns, m.lanes, m.memory_bytes / 1024, m.clock_hz / 1000000);
  for (const std::string& name : spec::system_names()) {
    const spec::System s = spec::load_system(name);
    fmt::print("{:<8} {:5} tiles, a system: {} chip{} of {}{}\n", s.name, s.tiles(), s.chips.size(),
               s.chips.size() == 1 ? "" : "s", s.chips.front().name, s.chips.size() == 1 ? "" : "; cannot be run yet");
  }
  fmt::print("and a machine's name, x and {} (mk2-16x4): systems of so many chips; cannot be run yet\n",
             spec::standard_sizes());
}

void print_version() {
  fmt::print("tessera {}\ninstruction table {:016x}\nmachines in {}\n", TESSERA_VERSION, spec::instruction_table_hash(),
             spec::machines_folder());
}

}  // namespace

void add_machines(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* machines = app.add_subcommand(
      "machines", "Lists the machines and systems there are: names for --machine and TESSERA_MACHINE");
  machines->add_option("NAME", *name, "machine or system (name or .toml path) to be described");
  machines->callback([name] {
    if (name->empty())
      list_machines();
    else
      fmt::print("{}", spec::text(spec::load_system(*name)));
  });
  app.add_subcommand("version", "Prints the version of Tessera, of its instruction set, and where its machines are")
      ->callback(print_version);
}

}  // namespace tessera::tool
