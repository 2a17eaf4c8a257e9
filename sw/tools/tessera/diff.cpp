// tessera diff: what differs between two traces.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "inspect/trace/difference_report.h"
#include "sw/tools/tessera/arguments.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

struct DiffArguments {
  std::string first, second;
  size_t rows = 20;
};

void compare_files(const DiffArguments& a) {
  const auto chips = [](const std::string& path) {
    require_data(path, "a trace");
    std::vector<uint32_t> held;
    const inspect::trace::TraceFileReader file(path);
    for (const inspect::trace::ChipHeader& chip : file.header().chips) held.push_back(chip.chip);
    return held;
  };
  const std::vector<uint32_t> held = chips(a.first);
  if (held != chips(a.second))
    throw inspect::trace::TraceError(a.first + " and " + a.second + " hold different chips: they cannot be compared");
  bool equal = true;
  for (const uint32_t chip : held) {
    inspect::trace::TraceReader first(a.first, chip), second(a.second, chip);
    const inspect::trace::DifferenceReport report = report_difference(first, second, a.rows);
    if (held.size() > 1) fmt::print("chip {}\n", chip);
    fmt::print("{}", report.text);
    equal = equal && report.equal;
  }
  if (!equal) throw Finished{kExitFound};
}

}  // namespace

void add_diff(CLI::App& app) {
  auto* command = app.add_subcommand(
      "diff", "Tells what differs between two traces: the first event, and values and cycles by the program's parts");
  auto a = std::make_shared<DiffArguments>();
  command->add_option("A", a->first, "a trace")->required();
  command->add_option("B", a->second, "another trace")->required();
  command->add_option("--rows", a->rows, "at most so many lines of each table")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command->callback([a] { compare_files(*a); });
}

}  // namespace tessera::tool
