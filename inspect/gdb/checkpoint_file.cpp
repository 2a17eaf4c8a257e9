#include "inspect/gdb/checkpoint_file.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/port/system_checkpoint.h"

namespace tessera::inspect::gdb {
namespace {

constexpr uint64_t kNotAnswered = ~uint64_t{0};

chip::Checkpoint take(Run& run, uint64_t cycle) {
  run.go_to(cycle);
  const auto scratch = run.scratch();  // taking one may access the chip
  return chip::take_checkpoint(run.chip());
}

// By chip, where it stands at a host sync before the host has answered any of them: so they all stand there in one
// cycle. The last such before `position`.
std::vector<uint64_t> common_host_sync(Target& target, uint64_t position) {
  std::vector<Run::HostSync> stands;
  const auto before = [&](unsigned chip, uint64_t cycle) {
    const auto sync = target.run(chip).host_sync_before(cycle);
    if (!sync || sync->at < target.run(chip).oldest())
      throw std::runtime_error("no host sync at which all chips stood is recorded before cycle " +
                               std::to_string(position));
    return *sync;
  };
  for (unsigned chip = 0; chip < target.chips(); ++chip) {
    const uint64_t frontier = target.run(chip).frontier();
    const bool waits = target.standings()[chip].stop.reason == chip::StopReason::kHostSync && frontier <= position;
    stands.push_back(waits ? Run::HostSync{frontier, kNotAnswered} : before(chip, position));
  }
  const auto at = [](const Run::HostSync& sync) { return sync.at; };
  const auto answered = [](const Run::HostSync& sync) { return sync.answered; };
  for (;;) {
    const auto last = std::ranges::max_element(stands, {}, at);
    if (last->at < std::ranges::min_element(stands, {}, answered)->answered) break;
    if (last->at == 0) throw std::runtime_error("the chips have no host sync in common");
    *last = before(static_cast<unsigned>(last - stands.begin()), last->at - 1);
  }
  std::vector<uint64_t> cycles;
  for (const Run::HostSync& sync : stands) cycles.push_back(sync.at);
  return cycles;
}

}  // namespace

std::string write_checkpoint(Target& target, uint64_t position, const std::string& path) {
  if (target.chips() == 1) {
    Run& run = target.run(0);
    const auto boundary = run.boundary_before(position);
    chip::save_checkpoint(take(run, boundary.cycle), path);
    return "superstep " + std::to_string(boundary.superstep) + ", cycle " + std::to_string(boundary.cycle) + ", in " +
           path + "\n";
  }
  const std::vector<uint64_t> cycles = common_host_sync(target, position);
  std::vector<chip::Checkpoint> chips;
  for (unsigned chip = 0; chip < target.chips(); ++chip) {
    try {
      chips.push_back(take(target.run(chip), cycles[chip]));
    } catch (const std::logic_error& error) {
      throw std::runtime_error("chip " + std::to_string(chip) + ": " + error.what());
    }
  }
  chip::save_checkpoints(chips, path);
  return std::to_string(chips.size()) + " chips at the host sync of cycle " +
         std::to_string(*std::ranges::max_element(cycles)) + ", in " + path + "\n";
}

}  // namespace tessera::inspect::gdb
