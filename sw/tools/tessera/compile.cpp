// tessera compile: what a Poplar program is compiled to, without running it: the executable as a file, and a report of
// it.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "compiler/codelet/read_whole_file.h"
#include "compiler/codelet/scratch_directory.h"
#include "compiler/image/executable_file.h"
#include "compiler/image/executable_summary.h"
#include "formats/whole_file.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"
#include "sw/tools/tessera/program_file.h"

namespace tessera::tool {
namespace {

constexpr size_t kLongest = 20;  // phases and steps that are listed

struct CompileOptions {
  std::string file, output, machine;
  std::vector<std::string> arguments;
  bool report = false, tiles = false;
};

image::Executable read_executable(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  try {
    return image::deserialize(in, path);
  } catch (const image::BadExecutable& error) {
    throw CommandError(error.what());
  }
}

bool is_executable_file(const std::string& path) {
  char head[8] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  return image::begins_executable(head);
}

// Runs the program up to the first Engine or Executable that it makes, which libpoplar leaves in `leave`. What the
// program prints goes to standard error, so that the report stands alone.
void compile_program(const CompileOptions& o, const std::string& leave) {
  const ProgramFile program = program_file(o.file);
  if (program.firmware)
    throw CommandError(o.file + " is firmware, which is compiled already; tessera size tells where its memory goes");
  const pid_t child = ::fork();
  if (child < 0) throw CommandError(o.file + " cannot be run: " + std::strerror(errno));
  if (child == 0) {
    ::setenv("TESSERA_COMPILE", leave.c_str(), 1);
    if (!o.machine.empty()) ::setenv("TESSERA_MACHINE", o.machine.c_str(), 1);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    try {
      become(program.path, o.arguments);
    } catch (const CommandError& error) {
      std::fprintf(stderr, "tessera: %s\n", error.what());
    }
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !std::ifstream(leave)) throw Finished{kExitCannot};
  if (WIFSIGNALED(status))
    throw CommandError(fmt::format("{} ended by signal {} before it had compiled anything", o.file, WTERMSIG(status)));
  if (!std::ifstream(leave))
    throw CommandError(
        fmt::format("{} ended with status {} and has made no Engine or Executable", o.file, WEXITSTATUS(status)));
}

void print_phases(const image::Executable& executable) {
  for (const image::ChipImage& chip : executable.chips) {
    uint64_t cycles = 0, words = 0;
    for (const image::Phase& phase : chip.phases) cycles += phase.cycles, words += phase.words;
    fmt::print("\nExchange phases: {}, of {} cycles and {} words together\n", chip.phases.size(), cycles, words);
    std::vector<const image::Phase*> longest;
    for (const image::Phase& phase : chip.phases) longest.push_back(&phase);
    std::stable_sort(longest.begin(), longest.end(),
                     [](const auto* a, const auto* b) { return a->cycles > b->cycles; });
    if (longest.size() > kLongest) longest.resize(kLongest);
    if (!longest.empty()) fmt::print("  {:>9} {:>10} {:>6}  {}\n", "cycles", "words", "tiles", "longest first");
    for (const image::Phase* phase : longest)
      fmt::print("  {:>9} {:>10} {:>6}  {}\n", phase->cycles, phase->words, phase->tiles, phase->name);
  }
}

void print_live_memory(const image::ChipImage& chip) {
  std::vector<const image::LiveMemory*> order;
  for (const image::LiveMemory& live : chip.live) order.push_back(&live);
  const auto bytes = [](const image::LiveMemory* live) { return live->variables + live->buffers; };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return bytes(a) > bytes(b); });
  fmt::print("\nNot always live: in {} steps\n", order.size());
  if (order.size() > kLongest) order.resize(kLongest);
  if (!order.empty())
    fmt::print("  {:>11} {:>10} {:>10} {:>9} {:>6}  {}\n", "bytes", "variables", "buffers", "at most", "tile",
               "most on all tiles first");
  for (const image::LiveMemory* live : order)
    fmt::print("  {:>11} {:>10} {:>10} {:>9} {:>6}  {}\n", bytes(live), live->variables, live->buffers, live->most,
               live->tile, live->step);
}

// Code of each step on the tile where it is longest: from its beginning to the next step's.
void print_code(const image::ChipImage& chip) {
  struct Size {
    uint32_t bytes = 0, tile = 0;
    std::string name{};  // there: other tiles may hold the step's code once with that of others
  };
  std::map<uint32_t, Size> sizes;
  const auto& steps = chip.info.steps;
  uint64_t all = 0, most = 0;
  for (size_t first = 0; first < steps.size();) {
    const uint32_t tile = steps[first].tile;
    const uint64_t end = steps[first].pc + chip.usage.at(tile).control;
    all += chip.usage[tile].control;
    most = std::max(most, chip.usage[tile].control);
    for (; first < steps.size() && steps[first].tile == tile; ++first) {
      const bool last = first + 1 == steps.size() || steps[first + 1].tile != tile;
      const auto bytes = static_cast<uint32_t>((last ? end : steps[first + 1].pc) - steps[first].pc);
      Size& size = sizes[steps[first].id];
      if (bytes > size.bytes) size = {bytes, tile, chip.info.step_text(&steps[first], std::nullopt)};
    }
  }
  std::set<uint32_t> known;
  for (const names::Step& step : steps) known.insert(step.id);
  for (const names::StepCall& call : chip.info.calls) known.insert(call.id);
  fmt::print("\nControl code: {} bytes on all tiles, {} on the tile with the most, {} steps\n", all, most,
             known.size());
  std::vector<std::pair<uint32_t, Size>> largest(sizes.begin(), sizes.end());
  std::stable_sort(largest.begin(), largest.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  if (largest.size() > kLongest) largest.resize(kLongest);
  if (!largest.empty()) fmt::print("  {:>9} {:>6}  {}\n", "bytes", "tile", "largest first");
  for (const auto& [id, size] : largest) fmt::print("  {:>9} {:>6}  {}\n", size.bytes, size.tile, size.name);
}

void print_report(const image::Executable& executable, bool tiles) {
  std::cout.flush();
  image::print_summary(std::cout, executable, {.tiles = tiles, .variables = true});
  std::cout.flush();
  for (const image::ChipImage& chip : executable.chips) print_live_memory(chip);
  print_phases(executable);
  for (const image::ChipImage& chip : executable.chips) print_code(chip);
}

void require_loadable(const image::Executable& executable) {
  if (executable.out_of_memory.empty()) return;
  std::fflush(stdout);
  throw CommandError(executable.out_of_memory);
}

void compile(const CompileOptions& o) {
  if (o.output.empty() && !o.report)
    throw CommandError("compile: say what is wanted: --report, -o FILE for the executable, or both", kExitUsage);
  if (o.tiles && !o.report) throw CommandError("--tiles: there are no tiles without --report", kExitUsage);
  if (is_executable_file(o.file)) {
    if (!o.output.empty()) throw CommandError("-o: " + o.file + " is an executable already", kExitUsage);
    if (!o.machine.empty())
      throw CommandError("--machine: " + o.file + " is compiled already, for one machine", kExitUsage);
    if (!o.arguments.empty())
      throw CommandError(o.file + " is an executable, which takes no arguments: '" + o.arguments.front() + "'",
                         kExitUsage);
    const image::Executable executable = read_executable(o.file);
    print_report(executable, o.tiles);
    return require_loadable(executable);
  }
  if (!o.output.empty()) require_place(o.output, "-o");
  const compiler::ScratchDirectory scratch;
  // Beside the tool's own files first: what stands at -o stays there until there is something to take its place.
  const std::string leave = scratch.file("executable");
  compile_program(o, leave);
  const image::Executable executable = read_executable(leave);
  if (o.report) print_report(executable, o.tiles);
  require_loadable(executable);
  if (!o.output.empty()) formats::write_whole_file(o.output, compiler::read_whole_file(leave).value());
}

}  // namespace

void add_compile(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("compile", "Compiles a Poplar program without running it; reports memory, phases and code");
  command->footer(
      "PROGRAM is run up to the first Engine or Executable that it makes, and ends there; its own options go after "
      "--.\n"
      "Or it is an executable that was written to a file, by -o or by Executable::serialize.\n"
      "  tessera compile ./train --report -- --batch 16\n"
      "  tessera compile ./train -o train.exe && tessera compile train.exe --report");
  auto o = std::make_shared<CompileOptions>();
  command->add_option("PROGRAM", o->file, "program of the host, or an executable")->required();
  command->add_option("ARGUMENTS", o->arguments, "for the program");
  command->add_option("-o,--output", o->output, "file for the executable");
  command->add_flag("--report", o->report,
                    "memory by what it holds and by step, the longest phases, the code of the steps");
  command->add_flag("--tiles", o->tiles, "in the report: a line for each tile");
  command->add_option("--machine", o->machine, "machine to compile for (`tessera machines` lists them)");
  command->callback([o] { compile(*o); });
}

}  // namespace tessera::tool
