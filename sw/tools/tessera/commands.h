// The subcommands of `tessera`, one source file each. add_NAME() declares the subcommand's options and what it does; it
// throws CommandError for anything that ends it early.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>

namespace tessera::tool {

// docs/user/running.md has the table. kExitCannot: what was asked for could not be done; kExitStopped: tiles came to no
// end; kExitFound: traces differ, firmware has what no tile executes; kExitFiles: what was to be left could not be
// written (inspect/program_end.h).
constexpr int kExitCannot = 1, kExitUsage = 2, kExitStopped = 3, kExitFound = 4, kExitFiles = 5;

// what() is one line for the user; `status` is the exit status.
struct CommandError : std::runtime_error {
  explicit CommandError(const std::string& what, int status = kExitCannot) : std::runtime_error(what), status(status) {}
  int status;
};
// Not an error: the command has said all it had to say, and ends with this status.
struct Finished {
  int status = 0;
};

void add_machines(CLI::App& app);  // machines, version
void add_run(CLI::App& app);
void add_compile(CLI::App& app);
void add_new(CLI::App& app);
void add_size(CLI::App& app);
void add_check(CLI::App& app);
void add_disasm(CLI::App& app);
void add_gdb(CLI::App& app);
void add_waves(CLI::App& app);
void add_trace(CLI::App& app);
void add_diff(CLI::App& app);

}  // namespace tessera::tool
