#include "inspect/difference_wave.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace tessera::inspect {

std::string leave_wave(const MakeWaveChip& make_chip, const chip::Journal& journal, const chip::Difference& difference,
                       uint64_t reached, const spec::ChipPlace& place) {
  const std::string of_chip = place.chips > 1 ? "chip" + std::to_string(place.chip) + "-" : "";
  const std::string path = "lockstep-" + of_chip + "tile" + std::to_string(difference.tile) + "-superstep" +
                           std::to_string(difference.superstep) + ".fst";
  std::unique_ptr<chip::Chip> chip;
  try {
    chip = make_chip(path, difference.tile, difference.superstep);
  } catch (const std::exception& error) {
    return std::string("no wave of the superstep: ") + error.what() + "\n";
  }
  std::string note;
  try {
    chip::Journal::Place place;
    journal.replay(place, *chip, std::max(reached, difference.cycle + 1));
  } catch (const std::logic_error& error) {
    note = std::string(", up to cycle ") + std::to_string(chip->cycle()) + ": " + error.what();
  }
  try {
    chip->close_files();
  } catch (const std::exception& error) {
    return std::string("no wave of the superstep: ") + error.what() + "\n";
  }
  return "wave of the superstep: " + std::filesystem::absolute(path).string() + note + "\n";
}

}  // namespace tessera::inspect
