// Two chips in lockstep that differ leave a wave of every signal of the tile, whatever else is recorded.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "inspect/faults/fault_injector.h"
#include "inspect/recorded_run.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "tb/chip/chip_programs.h"
#include "tests/inspect/waves/fst_dump.h"

using namespace tessera;
using namespace tessera::test;
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kFar = 1'000'000;

// The working folder, and nothing of it afterwards.
struct Folder {
  Folder() : before(fs::current_path()) {
    fs::create_directories(path);
    fs::current_path(path);
  }
  ~Folder() {
    fs::current_path(before);
    fs::remove_all(path);
  }
  const fs::path before, path = fs::temp_directory_path() / ("tessera-lockstep-wave-" + std::to_string(getpid()));
};

// A word that tile 0 is to send turns over in one of the two chips.
struct Bench {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const ChipProgram program = ring_program(machine, 1);
  const std::vector<inspect::Fault> faults = {
      {.flip = {.site = chip::FlipSite::kMemory, .tile = 0, .address = kSent, .mask = 1u << 4}, .cycle = after_load()}};
  HostMemory host{machine};
  const Folder folder;

  uint64_t after_load() const {
    const auto chip = chip::make_model_chip(machine);
    load_and_start(*chip, program);
    return chip->cycle() + 1;
  }
  std::unique_ptr<chip::Chip> lockstep(std::unique_ptr<chip::Chip> left) const {
    return chip::make_lockstep_chip(inspect::make_faulty_chip(std::move(left), faults), chip::make_model_chip(machine));
  }
  void run(inspect::RecordedRun& run) {
    run.attach(&host);
    load_and_start(run, program);
    run.run(kFar, 0);
  }
};

}  // namespace

TEST_CASE_METHOD(Bench, "a difference in lockstep is left as a wave that is named in the report") {
  const std::string options = GENERATE("", "snapshots=false");
  inspect::RecordedRun recorded(lockstep(chip::make_rtl_chip(machine)), options, nullptr,
                                [&](const std::string& path, unsigned tile, uint64_t superstep) {
                                  return inspect::make_faulty_chip(
                                      chip::make_wave_chip(machine, {path, {tile}, superstep, 1}), faults);
                                });
  try {
    run(recorded);
    FAIL("the chips do not differ");
  } catch (const chip::LockstepDifference& difference) {
    const chip::Difference& where = difference.where;
    const fs::path wave = folder.path / ("lockstep-tile" + std::to_string(where.tile) + "-superstep" +
                                         std::to_string(where.superstep) + ".fst");
    CHECK_THAT(difference.what(), Catch::Matchers::EndsWith("wave of the superstep: " + wave.string() + "\n"));
    const FstDump dump(wave.string());
    CHECK(dump.has("chip0.tile" + std::to_string(where.tile) + ".sync_o.zone[3:0]"));
    CHECK(dump.last() >= where.cycle);
  }
}

TEST_CASE_METHOD(Bench, "a difference is told also when its wave cannot be left") {
  inspect::RecordedRun recorded(lockstep(chip::make_model_chip(machine)), "", nullptr,
                                [](const std::string&, unsigned, uint64_t) -> std::unique_ptr<chip::Chip> {
                                  throw std::runtime_error("the disk is full");
                                });
  CHECK_THROWS_WITH(run(recorded), Catch::Matchers::ContainsText("differs in superstep") &&
                                       Catch::Matchers::EndsWith("no wave of the superstep: the disk is full\n"));
}
