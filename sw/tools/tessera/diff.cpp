// tessera diff: the first difference of two traces. Exit status 0: equal, 1: different, 2: they cannot be compared.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "inspect/trace/difference.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

constexpr int kDifferent = 1, kCannot = 2;

void compare_files(const std::string& first, const std::string& second) {
  try {
    const auto chips = [](const std::string& path) {
      std::vector<uint32_t> held;
      const inspect::trace::TraceFileReader file(path);
      for (const inspect::trace::ChipHeader& chip : file.header().chips) held.push_back(chip.chip);
      return held;
    };
    const std::vector<uint32_t> held = chips(first);
    if (held != chips(second))
      throw inspect::trace::TraceError(first + " and " + second + " hold different chips: they cannot be compared");
    uint64_t events = 0;
    for (const uint32_t chip : held) {
      inspect::trace::TraceReader a(first, chip), b(second, chip);
      const inspect::trace::Comparison result = compare(a, b);
      for (const std::string& note : result.notes) fmt::print("{}\n", note);
      if (result.difference) {
        fmt::print("{}", result.difference->text);
        throw Finished{kDifferent};
      }
      events += result.events;
    }
    fmt::print("equal: {} events\n", events);
  } catch (const inspect::trace::TraceError& error) {
    throw CommandError(error.what(), kCannot);
  }
}

}  // namespace

void add_diff(CLI::App& app) {
  auto* command = app.add_subcommand("diff", "Tells the first difference of two traces, with what led to it");
  auto files = std::make_shared<std::pair<std::string, std::string>>();
  command->add_option("A", files->first, "a trace")->required();
  command->add_option("B", files->second, "another trace")->required();
  command->callback([files] { compare_files(files->first, files->second); });
}

}  // namespace tessera::tool
