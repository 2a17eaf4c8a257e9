#include <stdexcept>

#include "compiler/passes/compile.h"
#include "inspect/check/part.h"
#include "inspect/failure/history.h"
#include "inspect/failure/part.h"
#include "inspect/faults/fault_injector.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "tests/compiler/program_runner.h"
#include "tests/inspect/failures/planted.h"

namespace tessera::test {
namespace {

constexpr const char* kMachine = "mk2-4";

// Where the event lists stand: seen in a run without anything wrong.
std::map<unsigned, uint32_t> event_lists(const image::Executable& executable, const spec::Machine& machine) {
  inspect::failure::History history(executable.chip().info, machine.tiles(), {0, 1, 2, 3});
  ProgramRunner runner(executable, machine);
  runner.chip().observe(&history);
  runner.run(0);
  std::map<unsigned, uint32_t> lists;
  for (unsigned tile = 0; tile < machine.tiles(); ++tile)
    if (const auto& exchange = history.tile(tile).exchange; exchange.armed != 0) lists[tile] = exchange.list;
  return lists;
}

inspect::MakePart failure_parts(const spec::Machine& machine) {
  return [machine](inspect::PartKind kind, const inspect::Options& options) {
    if (kind == inspect::PartKind::kCheck) return inspect::check::make_part(options, machine);
    return kind == inspect::PartKind::kFailure ? inspect::failure::make_part(options, machine) : nullptr;
  };
}

Told compare(const Planted& planted, Told told) {
  const auto want = [&](const std::string& text) {
    if (!text.empty() && told.report.find(text) == std::string::npos) told.missing.push_back(text);
  };
  for (const std::string& text : {planted.tile, planted.context, planted.vertex, planted.line, planted.cause})
    want(text);
  for (const std::string& text : planted.more) want(text);
  for (const std::string& text : planted.never)
    if (told.report.find(text) != std::string::npos) told.wrong.push_back(text);
  return told;
}

}  // namespace

Told tell(const Planted& planted, const MakeChip& make_chip, const std::string& folder) {
  const spec::Machine machine = spec::load_machine(kMachine);
  // Each variable beside the one before: what is written or read beyond one is of the next.
  compiler::GraphCompileOptions apart;
  apart.optimise.share_memory = false;
  apart.optimise.skip_syncs = false;  // who is made to miss a sync would have waited
  const image::Executable executable = compiler::compile(planted.builder.graph, planted.programs, machine, apart);
  std::unique_ptr<chip::Chip> chip = make_chip(machine);
  if (planted.faults) chip = inspect::make_faulty_chip(std::move(chip), planted.faults(executable));
  if (planted.lockstep)
    chip = chip::make_lockstep_chip(std::move(chip), chip::make_model_chip(machine), {"faulty", "model"});
  const std::string options =
      (planted.watch ? std::string("check=true;") : "") + (folder.empty() ? std::string() : "on-failure=" + folder);
  auto recorded = std::make_unique<inspect::RecordedRun>(std::move(chip), options, failure_parts(machine));
  inspect::RecordedRun& run = *recorded;
  run.set_program(executable.chip().info, false);

  Told told;
  ProgramRunner runner(executable, machine, std::move(recorded), planted.budget);
  if (planted.host_bytes != 0) runner.end_host_memory(planted.host_bytes);
  if (planted.poke) planted.poke(runner.chip(), executable, event_lists(executable, machine));
  bool failed = false;
  try {
    runner.run(0);
  } catch (const chip::LockstepDifference& difference) {
    told.report = difference.what();
    told.failed_tile = difference.where.tile;
    return compare(planted, told);
  } catch (const std::runtime_error&) {
    failed = true;
  }
  if (failed == !planted.check.empty())
    throw std::runtime_error(planted.name + (failed ? " did not run to its end" : " ran to its end"));
  if (!failed) {
    told.report = run.explain_check(planted.check, {planted.check_tile});
    told.failed_tile = planted.check_tile;
    return compare(planted, told);
  }
  told.report = run.explain_failure();
  for (unsigned tile = 0; tile < machine.tiles() && told.exception.cause == 0; ++tile) {
    told.exception = run.exception(tile);
    told.failed_tile = tile;
  }
  return compare(planted, told);
}

}  // namespace tessera::test
