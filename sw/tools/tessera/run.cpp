// tessera run: a Poplar program, or firmware, with what is to be seen of it.
#include <cstdlib>
#include <filesystem>

#include "inspect/arguments.h"
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
  inspect::Arguments inspect{"tessera-failure"};
  bool check = false;
  FirmwareRun firmware;
};

std::string inspect_text(const RunOptions& o) {
  const std::string variable = card::inspect_variable();
  try {
    return o.inspect.text(variable);
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
  for (const char* name : {"--tiles", "--host-memory", "--input", "--output", "--remote-input", "--remote-output",
                           "--with", "--cycles", "--budget", "--label"})
    if (command.count(name) != 0)
      throw CommandError(std::string(name) + " is for firmware; a Poplar program says this itself", kExitUsage);
}

void run(RunOptions& o, const CLI::App& command) {
  const ProgramFile file = program_file(o.program);
  if (!file.firmware) refuse_firmware_options(command);
  const std::string inspect = inspect_text(o);
  for (const auto& [option, path] : o.inspect.files()) require_place(path, option);
  if (const std::string folder = o.inspect.failure_folder(); fs::exists(folder) && !fs::is_directory(folder))
    throw CommandError("--on-failure: " + folder + " is a file; what a failure leaves needs a folder", kExitFiles);
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

  o->inspect.add_to(*command);
  command
      ->add_flag("--check", o->check,
                 "codelets that the program compiles are compiled with checks (docs/user/checking.md)")
      ->group("Failures");

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
  command
      ->add_option("--remote-input", f.remote_inputs,
                   "FILE[@ADDRESS] to put into the memory of the chip's gateway before the start")
      ->group("Firmware");
  command
      ->add_option("--remote-output", f.remote_outputs,
                   "FILE@ADDRESS:BYTES to write from the memory of the chip's gateway at the end")
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
