#include "inspect/failure/failure_files.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "formats/whole_file.h"
#include "inspect/failure/words.h"
#include "inspect/tile_groups.h"
#include "inspect/trace/part.h"
#include "inspect/waves/part.h"
#include "inspect/waves/save_file.h"

namespace tessera::inspect::failure {
namespace {

namespace fs = std::filesystem;

constexpr size_t kTilesShown = 8;
constexpr uint64_t kCyclesShown = 1000000;  // of a superstep that does not end, its last cycles are shown

// Where the last `supersteps` supersteps begin.
uint64_t begin_of(const Run& run, uint64_t supersteps) {
  const uint64_t least = std::max(run.oldest(), run.frontier() > kCyclesShown ? run.frontier() - kCyclesShown : 0);
  uint64_t cycle = run.boundary_before(run.frontier()).cycle;
  for (uint64_t i = 1; i < supersteps && cycle > least; ++i) cycle = run.boundary_before(cycle - 1).cycle;
  return std::max(cycle, least);
}

// The run as it was when its forward run stood where it stands now: what a part that joins there expects to see.
class Stretch : public Run {
 public:
  explicit Stretch(Run& run) : run_(run) {}
  chip::Chip& chip() override { return run_.chip(); }
  const names::ProgramInfo& program() const override { return run_.program(); }
  uint64_t position() const override { return run_.position(); }
  uint64_t frontier() const override { return frontier_; }
  uint64_t oldest() const override { return run_.oldest(); }
  Boundary boundary_before(uint64_t cycle) const override { return run_.boundary_before(cycle); }
  std::optional<HostSync> host_sync_before(uint64_t cycle) const override { return run_.host_sync_before(cycle); }
  void go_to(uint64_t cycle) override { run_.go_to(cycle); }
  void replay(uint64_t cycle, chip::Observer* observer) override { run_.replay(cycle, observer); }
  std::unique_ptr<Scratch> scratch() override { return run_.scratch(); }
  bool change(unsigned, chip::DebugSpace, unsigned, uint32_t, uint32_t) override { refuse(); }
  void inspect(const std::string&) override { refuse(); }
  bool abandoned() const override { return run_.abandoned(); }
  int abandoned_descriptor() const override { return run_.abandoned_descriptor(); }

  // The part is told that its run stands at `cycle`.
  void stand_at(uint64_t cycle, Part& part) {
    frontier_ = cycle;
    run_.go_to(cycle);
    part.at_boundary(*this, {chip::StopReason::kLimit, cycle, chip::kNoTile});
    run_.go_to(cycle);
  }

 private:
  [[noreturn]] static void refuse() { throw std::runtime_error("a replayed stretch of a run is not changed"); }

  Run& run_;
  uint64_t frontier_ = 0;
};

using MakePart = std::unique_ptr<Part> (*)(const Options&, const spec::Machine&, const spec::ChipPlace&);

// A part made with these options shows the stretch from `begin` to the end; returns "" or what went wrong.
std::string show(Run& run, MakePart make_part, const std::string& options, const spec::Machine& machine,
                 const spec::ChipPlace& place, uint64_t begin) {
  try {
    const auto part = make_part(parse_options(options), machine, place);
    Stretch stretch(run);
    part->program_changed(run.program());
    stretch.stand_at(begin, *part);
    run.replay(run.frontier(), part->observer());
    stretch.stand_at(run.frontier(), *part);
    part->finish();
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// The save file once more: of a deadlock or a loop the waves alone do not say what failed. Returns "" or what is wrong.
std::string open_at_failure(const std::string& waves, const spec::TileId& tile) {
  try {
    waves::write_save_file(waves, "", tile);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// The path, or why nothing is there.
std::string leave_text(const std::string& path, const std::string& text) {
  try {
    formats::write_whole_file(path, text);
    return path;
  } catch (const formats::CannotWrite& error) {
    return error.what();
  }
}

}  // namespace

std::string leave_files(Run& run, const Options& options, const spec::Machine& machine, const spec::ChipPlace& place,
                        const std::vector<unsigned>& tiles, const std::string& report) {
  std::vector<unsigned> shown;
  for (const unsigned tile : tiles)
    if (shown.size() < kTilesShown && tile < machine.tiles() &&
        std::find(shown.begin(), shown.end(), tile) == shown.end())
      shown.push_back(tile);
  std::error_code error;
  const fs::path folder(options.on_failure);
  fs::create_directories(folder, error);
  if (error) return "\n  no files: " + folder.string() + ": " + error.message();

  if (shown.empty()) shown.push_back(0);
  std::string list;
  for (const unsigned tile : shown)
    list += (list.empty() ? "" : ",") + std::to_string(place.chip) + ":" + std::to_string(tile);
  const uint64_t begin = begin_of(run, std::max<uint64_t>(options.failure_supersteps, 1));
  const std::string from = "=cycle:" + std::to_string(begin);
  const std::string waves = folder / "failure.fst", trace = folder / "failure.trace", text = folder / "report.txt";

  std::string lines;
  const auto leave = [&](const std::string& path, MakePart make_part, const std::string& options) {
    std::string wrong = show(run, make_part, options, machine, place, begin);
    if (wrong.empty() && !fs::exists(path)) wrong = "there was nothing to write";
    if (wrong.empty() && path == waves) wrong = open_at_failure(path, place(shown.front()));
    lines += "\n  " + (wrong.empty() ? path : path + ": " + wrong);
  };
  leave(waves, waves::make_part, "waves=" + waves + ";wave-tiles=" + list + ";wave-from" + from);
  leave(trace, trace::make_part,
        "trace=" + trace + ";trace-tiles=" + list + ";trace-from" + from + ";trace-registers=true");
  run.go_to(run.frontier());
  lines += "\n  " + leave_text(text, report + "\n");
  return "\n" + tile_list(shown, place) + " from cycle " + std::to_string(begin) + " to the end:" + lines;
}

}  // namespace tessera::inspect::failure
