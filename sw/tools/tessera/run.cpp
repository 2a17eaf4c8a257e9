// tessera run: a Poplar program, or firmware, with what is to be seen of it.
#include <cstdlib>
#include <filesystem>

#include "inspect/options.h"
#include "sw/card/environment.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"
#include "sw/tools/tessera/program_file.h"
#include "sw/tools/tessera/run_firmware.h"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::string program;
  std::vector<std::string> arguments;
  std::string more;  // --inspect
  std::string waves, wave_tiles, wave_from, wave_for, wave_depth;
  std::string trace, trace_tiles, trace_from, trace_for;
  bool check = false, trace_registers = false, rtl_window = false, gdb_halt = false;
  std::vector<std::string> gdb;  // at most one, perhaps empty
  std::string gdb_tiles, gdb_file;
  std::string on_failure = "tessera-failure", faults;
  FirmwareRun firmware;
};

// Files are named from here, wherever the program goes.
std::string absolute(const std::string& path) { return path.empty() ? path : fs::absolute(path).string(); }

std::string inspect_text(const RunOptions& o, const CLI::App& command) {
  std::string text;
  const auto put = [&](const std::string& key, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ";") + key + "=" + value;
  };
  put("waves", absolute(o.waves));
  put("wave-tiles", o.wave_tiles);
  put("wave-from", o.wave_from);
  put("wave-for", o.wave_for);
  put("wave-depth", o.wave_depth);
  put("rtl-window", o.rtl_window ? "true" : "");
  put("trace", absolute(o.trace));
  put("trace-tiles", o.trace_tiles);
  put("trace-from", o.trace_from);
  put("trace-for", o.trace_for);
  put("trace-registers", o.trace_registers ? "true" : "");
  if (command.count("--gdb") != 0 || o.gdb_halt || !o.gdb_file.empty())
    put("gdb", o.gdb.empty() || o.gdb.front().empty() ? "0" : o.gdb.front());
  put("gdb-tiles", o.gdb_tiles);
  put("gdb-halt", o.gdb_halt ? "true" : "");
  put("gdb-file", absolute(o.gdb_file));
  put("faults", absolute(o.faults));
  const std::string variable = card::inspect_variable();  // what the command line does not say
  const bool elsewhere = command.count("--on-failure") == 0 && !inspect::parse_options(variable).on_failure.empty();
  if (o.on_failure != "none" && !elsewhere) put("on-failure", absolute(o.on_failure));
  try {
    const std::string all = inspect::merge(variable, inspect::merge(text, o.more));
    const std::string told = inspect::text(inspect::parse_options(all));
    inspect::check_companions(all);
    return told;
  } catch (const inspect::BadOption& error) {
    throw CommandError(error.what(), kExitUsage);
  }
}

[[noreturn]] void run_host_program(const std::string& program, const RunOptions& o, const std::string& inspect) {
  ::setenv("TESSERA_INSPECT", inspect.c_str(), 1);
  if (!o.firmware.machine.empty()) ::setenv("TESSERA_MACHINE", o.firmware.machine.c_str(), 1);
  if (o.check) ::setenv("TESSERA_CHECK", "1", 1);
  if (!o.firmware.backend.empty()) ::setenv("TESSERA_BACKEND", o.firmware.backend.c_str(), 1);
  become(program, o.arguments);
}

// Options that only one of the two kinds of program has.
void refuse_firmware_options(const CLI::App& command) {
  for (const char* name :
       {"--tiles", "--host-memory", "--input", "--output", "--with", "--cycles", "--budget", "--label"})
    if (command.count(name) != 0)
      throw CommandError(std::string(name) + " is for firmware; a Poplar program says this itself", kExitUsage);
}

void run(RunOptions& o, const CLI::App& command) {
  const ProgramFile file = program_file(o.program);
  if (!file.firmware) refuse_firmware_options(command);
  const std::string inspect = inspect_text(o, command);
  require_place(o.waves, "--waves");
  require_place(o.trace, "--trace");
  require_place(o.gdb_file, "--gdb-file");
  if (command.count("--on-failure") != 0 && fs::exists(o.on_failure) && !fs::is_directory(o.on_failure))
    throw CommandError("--on-failure: " + o.on_failure + " is a file; what a failure leaves needs a folder",
                       kExitFiles);
  if (!file.firmware) run_host_program(file.path, o, inspect);
  if (o.check || inspect::parse_options(inspect).check)
    throw CommandError("checks are for Poplar programs: firmware has no vertices whose memory could be watched",
                       kExitUsage);
  if (!o.arguments.empty())
    throw CommandError("firmware takes no arguments: '" + o.arguments.front() + "'", kExitUsage);
  o.firmware.elf = file.path;
  o.firmware.inspect = inspect;
  throw Finished{run_firmware(o.firmware)};
}

}  // namespace

void add_run(CLI::App& app) {
  auto o = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Runs a Poplar program or firmware and looks inside");
  command->footer(
      "PROGRAM is a Poplar program or script of this host, run as it is with the devices it attaches under "
      "inspection;\n"
      "its own options go after --. Or it is firmware (a RISC-V ELF file), which is loaded into the tiles.\n"
      "  tessera run ./train --waves out.fst --wave-tiles 3,7-9 --wave-from 10 --wave-for 2 -- --epochs 3\n"
      "  tessera run hello.elf --backend model\n"
      "Exit status: the program's; of firmware the first exit code of a tile that is not 0. Of tessera itself: 1 it\n"
      "could not be run, 2 wrong command line, 3 tiles came to no end (exception, deadlock, cycle limit), 5 a file "
      "could\n"
      "not be written.");
  command->add_option("PROGRAM", o->program, "program of the host, or firmware")->required();
  command->add_option("ARGUMENTS", o->arguments, "for a program of the host");
  command->add_option("--machine", o->firmware.machine, "machine to run on (`tessera machines` lists them)");
  command->add_option("--backend", o->firmware.backend, "rtl (default), model (fast, the same cycles), lockstep (both)")
      ->check(CLI::IsMember({"rtl", "model", "lockstep"}));

  const char* from =
      "where it begins: a superstep (10), cycle:N, exception, pc:ADDRESS|SYMBOL, vertex:NAME, address:ADDRESS, "
      "sync:TILE";
  const char* lengths = "for how long: N supersteps, Nc cycles, all";
  command->add_option("--waves", o->waves, "FST file of waves to write")->group("Waves");
  command->add_option("--wave-tiles", o->wave_tiles, "tiles in it: 3,7-9 or all")->group("Waves");
  command->add_option("--wave-from", o->wave_from, from)->group("Waves");
  command->add_option("--wave-for", o->wave_for, lengths)->group("Waves");
  command->add_option("--wave-depth", o->wave_depth, "architecture (default), or all: every signal of the RTL")
      ->group("Waves");
  command->add_flag("--rtl-window", o->rtl_window, "runs the model outside the window and the RTL inside it")
      ->group("Waves");
  command->add_option("--trace", o->trace, "trace file to write; `tessera trace` reads it")->group("Trace");
  command->add_option("--trace-tiles", o->trace_tiles, "tiles in it")->group("Trace");
  command->add_option("--trace-from", o->trace_from, from)->group("Trace");
  command->add_option("--trace-for", o->trace_for, lengths)->group("Trace");
  command->add_flag("--trace-registers", o->trace_registers, "register values too")->group("Trace");
  command->add_option("--gdb", o->gdb, "serves a debugger at this port (none: a free one, which is said)")
      ->expected(0, 1)
      ->group("Debugger");
  command->add_flag("--gdb-halt", o->gdb_halt, "waits for the debugger before the first instruction")
      ->group("Debugger");
  command->add_option("--gdb-tiles", o->gdb_tiles, "tiles it sees (all)")->group("Debugger");
  command->add_option("--gdb-file", o->gdb_file, "file that gets the port once the server listens")->group("Debugger");
  command->add_option("--on-failure", o->on_failure, "folder for report, waves and trace of a failure; none: nothing")
      ->capture_default_str()
      ->group("Failures");
  command
      ->add_flag("--check", o->check,
                 "codelets that the program compiles are compiled with checks (docs/user/checking.md)")
      ->group("Failures");
  command->add_option("--faults", o->faults, "list of faults to inject (docs/user/faults.md)")->group("Failures");
  command->add_option("--inspect", o->more, "any of it as text: key=value;key=value, and the rarer keys");

  FirmwareRun& f = o->firmware;
  command->add_option("--tiles", f.tiles, "tiles that get the firmware")->capture_default_str()->group("Firmware");
  command
      ->add_option_function<std::string>(
          "--host-memory", [o](const std::string& text) { o->firmware.host_memory = bytes_of(text, "--host-memory"); },
          "bytes of the host that packets may reach: 4096, 64k, 1m")
      ->group("Firmware");
  command->add_option("--input", f.inputs, "FILE[@OFFSET] to put into host memory before the start")->group("Firmware");
  command->add_option("--output", f.outputs, "FILE@OFFSET:BYTES to write from host memory at the end")
      ->group("Firmware");
  command->add_option("--with", f.with, "a program that the firmware itself brings to the tiles (a boot loader's)")
      ->group("Firmware");
  add_number(
      command, "--cycles", "ends the run at this cycle", [o](uint64_t n) { o->firmware.cycles = n; }, 1)
      ->group("Firmware");
  add_number(command, "--budget", "cycles that a tile may compute between syncs (0: any number)", [o](uint64_t n) {
    o->firmware.budget = n;
  })->group("Firmware");
  command->add_flag("--label", f.label, "begins printed lines with tile and context")->group("Firmware");
  command->callback([o, command] { run(*o, *command); });
}

}  // namespace tessera::tool
