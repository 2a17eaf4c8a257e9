// Loads a random chip program, runs it to its traps and checks that every word arrived.
#pragma once

#include <catch2/catch.hpp>

#include "chip_program.h"
#include "sim/port/chip.h"

namespace tessera::test {

inline void load_chip_program(chip::Chip& chip, const RandomChipProgram& program) {
  for (unsigned tile = 0; tile < chip.machine().tiles(); ++tile)
    for (const auto& image : program.images[tile]) chip.load(tile, image.address, image.words);
  chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, program.entry);
}

inline void run_chip_program(chip::Chip& chip, const RandomChipProgram& program) {
  const unsigned tiles = chip.machine().tiles();
  load_chip_program(chip, program);
  chip::Stop stop;
  do {
    stop = chip.run(chip.cycle() + 1'000'000, 0);
    if (stop.reason == chip::StopReason::kHostSync) chip.mark(stop.cycle + 500, 9);
  } while (stop.reason == chip::StopReason::kHostSync);
  REQUIRE(stop.reason == chip::StopReason::kException);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const auto end = chip.exception(tile);
    INFO("tile " << tile << " pc " << std::hex << end.pc << " value " << end.value);
    REQUIRE(end.cause == 2);
  }
  size_t wrong = 0;
  for (const auto& word : program.received)
    wrong += chip.debug_read(word.tile, chip::DebugSpace::kMemory, 0, word.address) != word.value;
  CHECK(wrong == 0);
  CHECK(program.received.size() > tiles);
}

}  // namespace tessera::test
