// tessera-machine-waves: holds what needs traced tiles: the RTL leaving waves, and RTL and model in lockstep, which
// leaves a wave of the superstep in which they differ.
#include <filesystem>
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

}  // namespace

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "lockstep") return make_lockstep(machine);
  if (request.name != "waves")
    throw std::runtime_error("tessera-machine-waves holds no backend '" + request.name + "', only waves and lockstep");
  if (request.wave_path.empty() || request.wave_tiles.empty())
    throw std::runtime_error("waves need a file and tiles: --waves, --wave-tiles");
  return chip::make_wave_chip(machine,
                              {request.wave_path, request.wave_tiles, request.wave_from, request.wave_supersteps});
}

}  // namespace tessera::machine
