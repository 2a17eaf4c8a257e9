// tessera: runs programs under inspection, makes and measures firmware, reads what runs leave behind.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "formats/whole_file.h"
#include "sw/card/environment.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"

using namespace tessera::tool;
namespace card = tessera::card;

namespace {

// CLI11 would say that a subcommand is required.
void require_known(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::string known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    known += " " + command->get_name();
  }
  throw CommandError(std::string("no command is named '") + argv[1] + "'; there are:" + known, kExitUsage);
}

// What a command prints may go into a file, on a disk that is full.
int with_output_written(int status) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  if (errno == 0) {  // it was long ago: why is found out once more
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  const std::string why = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  std::fprintf(stderr, "tessera: standard output cannot be written%s\n", why.c_str());
  return status == 0 ? kExitFiles : status;
}

int perform(int argc, char** argv) {
  CLI::App app{
      "Runs Poplar programs and firmware on a simulated IPU and looks inside them.\n"
      "`tessera COMMAND --help` explains a command."};
  app.name("tessera");
  app.require_subcommand(1);
#ifdef TESSERA_HAS_RUN
  add_run(app);
#endif
#ifdef TESSERA_HAS_COMPILE
  add_compile(app);
#endif
#ifdef TESSERA_HAS_NEW
  add_new(app);
#endif
#ifdef TESSERA_HAS_SIZE
  add_size(app);
#endif
#ifdef TESSERA_HAS_CHECK
  add_check(app);
#endif
#ifdef TESSERA_HAS_DISASM
  add_disasm(app);
#endif
#ifdef TESSERA_HAS_GDB
  add_gdb(app);
#endif
#ifdef TESSERA_HAS_WAVES
  add_waves(app);
#endif
#ifdef TESSERA_HAS_TRACE
  add_trace(app);
#endif
#ifdef TESSERA_HAS_DIFF
  add_diff(app);
#endif
#ifdef TESSERA_HAS_MACHINES
  add_machines(app);
#endif
  try {
    require_known(app, argc, argv);
    refuse_empty_values(app);
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "tessera: %s\n", complaint_text(app, error).c_str());
    return kExitUsage;
  } catch (const Finished& finished) {
    return finished.status;
  } catch (const CommandError& error) {
    std::fprintf(stderr, "tessera: %s\n", error.what());
    return error.status;
  } catch (const card::BadVariable& error) {
    std::fprintf(stderr, "tessera: %s\n", error.what());
    return kExitUsage;
  } catch (const tessera::formats::CannotWrite& error) {
    std::fprintf(stderr, "tessera: %s\n", error.what());
    return kExitFiles;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return kExitFiles;  // is told below
    std::fprintf(stderr, "tessera: %s\n", error.what());
    return kExitCannot;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return with_output_written(perform(argc, argv)); }
