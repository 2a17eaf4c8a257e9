// tessera-machine-waves: holds what needs traced tiles: the RTL with waves of every signal, and RTL and model in
// lockstep, which leaves a wave of the superstep in which they differ.
#include <filesystem>
#include <stdexcept>

#include "chip/lockstep_chip.h"
#include "chip/model_chip.h"
#include "chip/rtl_chip.h"
#include "machine/backend.h"
#include "machine/chip_journal.h"
#include "machine/rtl_window.h"
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

// The RTL, for depth all with traced tiles where they are asked for.
std::unique_ptr<chip::Chip> make_rtl(const inspect::Options& options, const spec::Machine& machine) {
  if (options.waves.empty() || !options.wave_all_signals) return chip::make_rtl_chip(machine);
  const SuperstepWindow window = superstep_window(options, "wave-depth=all");
  return chip::make_wave_chip(
      machine, {options.waves, options.wave_window.tiles.of(machine.tiles()), window.from, window.count});
}

}  // namespace

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "lockstep") return make_lockstep(machine);
  if (request.name == "model") return chip::make_model_chip(machine);
  if (request.name != "rtl")
    throw std::runtime_error("tessera-machine-waves holds no backend '" + request.name +
                             "', only rtl, model and lockstep");
  const inspect::Options& options = request.inspection;
  if (!options.rtl_window) return make_rtl(options, machine);
  return make_rtl_window(options, machine, [=] { return make_rtl(options, machine); });
}

}  // namespace tessera::machine
