// tessera-machine-waves: holds what needs traced tiles: the RTL with waves of every signal, and RTL and model in
// lockstep, which leaves a wave of the superstep in which they differ.
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "chip/lockstep_chip.h"
#include "chip/model_chip.h"
#include "chip/rtl_chip.h"
#include "machine/backend.h"
#include "machine/chip_journal.h"
#include "rtl/spec/machine.h"

namespace tessera::machine {
namespace {

std::unique_ptr<chip::Chip> make_lockstep(const spec::Machine& machine) {
  const auto journal = std::make_shared<ChipJournal>();
  const auto wave = [machine, journal](unsigned tile, uint64_t superstep) {
    const std::string path = "lockstep-tile" + std::to_string(tile) + "-superstep" + std::to_string(superstep) + ".fst";
    const ChipJournal done = *journal;
    done.replay(*chip::make_wave_chip(machine, {path, {tile}, superstep, 1}));
    return std::filesystem::absolute(path).string();
  };
  return make_journal_chip(
      chip::make_lockstep_chip(chip::make_rtl_chip(machine), chip::make_model_chip(machine), {}, wave), journal);
}

// Every signal of the tiles asked for: those tiles are traced ones.
std::unique_ptr<chip::Chip> make_traced(const inspect::Options& options, const spec::Machine& machine) {
  const inspect::Window& window = options.wave_window;
  if (window.from.kind != inspect::Trigger::Kind::kSuperstep || window.length.kind == inspect::Length::Kind::kCycles)
    throw inspect::BadOption("inspection option 'wave-depth=all' takes windows of supersteps only, not 'wave-from=" +
                             text(window.from) + ";wave-for=" + text(window.length) + "'");
  const uint64_t supersteps =
      window.length.kind == inspect::Length::Kind::kAll ? std::numeric_limits<uint64_t>::max() : window.length.number;
  return chip::make_wave_chip(machine,
                              {options.waves, window.tiles.of(machine.tiles()), window.from.number, supersteps});
}

}  // namespace

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "lockstep") return make_lockstep(machine);
  if (request.name == "model") return chip::make_model_chip(machine);
  if (request.name != "rtl")
    throw std::runtime_error("tessera-machine-waves holds no backend '" + request.name +
                             "', only rtl, model and lockstep");
  const inspect::Options& options = request.inspection;
  if (!options.waves.empty() && options.wave_all_signals) return make_traced(options, machine);
  return chip::make_rtl_chip(machine);
}

}  // namespace tessera::machine
