#include "inspect/failure/failure_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "inspect/failure/words.h"
#include "inspect/trace/part.h"
#include "inspect/waves/part.h"

namespace tessera::inspect::failure {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostTiles = 8;
constexpr uint64_t kMostCycles = 1000000;  // of a superstep that does not end, its last cycles are shown

// Where the last `supersteps` supersteps begin.
uint64_t begin_of(const Run& run, uint64_t supersteps) {
  const uint64_t least = std::max(run.oldest(), run.frontier() > kMostCycles ? run.frontier() - kMostCycles : 0);
  uint64_t cycle = run.boundary_before(run.frontier()).cycle;
  for (uint64_t i = 1; i < supersteps && cycle > least; ++i) cycle = run.boundary_before(cycle - 1).cycle;
  return std::max(cycle, least);
}

// One part shows the stretch from `begin` to the end; returns "" or what went wrong.
std::string show(Run& run, Part& part, uint64_t begin) {
  try {
    part.program_changed(run.program());
    run.go_to(begin);
    part.at_boundary(run, {chip::StopReason::kLimit, begin, chip::kNoTile});
    run.go_to(begin);
    run.replay(run.frontier(), part.observer());
    part.at_boundary(run, {chip::StopReason::kLimit, run.frontier(), chip::kNoTile});
    part.finish();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

std::string leave_files(Run& run, const Options& options, const spec::Machine& machine,
                        const std::vector<unsigned>& tiles, const std::string& report) {
  std::vector<unsigned> shown;
  for (const unsigned tile : tiles)
    if (shown.size() < kMostTiles && tile < machine.tiles() &&
        std::find(shown.begin(), shown.end(), tile) == shown.end())
      shown.push_back(tile);
  std::error_code error;
  const fs::path folder(options.on_failure);
  fs::create_directories(folder, error);
  if (error) return "\n  no files: " + folder.string() + ": " + error.message();

  std::string list;
  for (const unsigned tile : shown) list += (list.empty() ? "" : ",") + std::to_string(tile);
  const uint64_t begin = begin_of(run, std::max<uint64_t>(options.failure_supersteps, 1));
  const std::string from = "=cycle:" + std::to_string(begin);
  const std::string waves = folder / "failure.fst", trace = folder / "failure.trace", text = folder / "report.txt";

  std::string lines;
  const auto leave = [&](const std::string& path, std::unique_ptr<Part> part) {
    const std::string wrong = part ? show(run, *part, begin) : "not asked for";
    lines += "\n  " + (wrong.empty() ? path : path + ": " + wrong);
  };
  leave(waves,
        waves::make_part(parse_options("waves=" + waves + ";wave-tiles=" + list + ";wave-from" + from), machine));
  leave(trace, trace::make_part(parse_options("trace=" + trace + ";trace-tiles=" + list + ";trace-from" + from +
                                              ";trace-registers=true"),
                                machine));
  run.go_to(run.frontier());
  std::ofstream file(text);
  file << report << "\n";
  lines += "\n  " + (file.flush() ? text : text + ": cannot be written");
  return "\n" + tile_list(shown) + " from cycle " + std::to_string(begin) + " to the end:" + lines;
}

}  // namespace tessera::inspect::failure
