// tessera waves FST: a GTKWave save file for waves of tiles.
#include <fmt/format.h>

#include "inspect/waves/save_file.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {

void add_waves(CLI::App& app) {
  CLI::App* command = app.add_subcommand("waves", "Writes a GTKWave save file for an FST of `tessera run --waves`");
  command->footer(
      "Groups per tile and context, markers at supersteps, names instead of numbers. Runs leave one beside their FST\n"
      "already; this makes it again. Then: gtkwave FILE.gtkw");
  struct Options {
    std::string fst, out;
  };
  auto o = std::make_shared<Options>();
  command->add_option("FST", o->fst, "waves")->required();
  command->add_option("-o,--output", o->out, "save file to write (beside the FST)");
  command->callback([o] {
    require_data(o->fst, "waves");
    require_place(o->out, "-o");
    fmt::print("{}\n", inspect::waves::write_save_file(o->fst, o->out));
  });
}

}  // namespace tessera::tool
