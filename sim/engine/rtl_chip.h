// The chip of verilated tiles, plain and with waves. Link tessera_rtl_chip (plain) or tessera_wave_chip (waves).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/port/chip.h"
#include "sim/port/fabric_choice.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_rtl_chip(const spec::Machine&);  // with the usual fabric
// threads: as make_model_chip_with says. kRtl: std::runtime_error where this build has none for the machine.
std::unique_ptr<Chip> make_rtl_chip_with(FabricChoice, const spec::Machine&, bool linked = false, unsigned threads = 1);

// Waves of some tiles over some supersteps, every signal, in one FST: scopes tile<N>, one time unit a cycle. Superstep
// 0 ends at the first internal acknowledgement. The other tiles are plain ones.
struct WaveOptions {
  std::string path;
  std::vector<unsigned> tiles;
  uint64_t from_superstep = 0;
  uint64_t supersteps = 1;
  std::string scope = "chip0";  // around the tiles' scopes tile<N>
  bool linked = false;          // of a chip in a system of several: its fabric is not shown
};

// Does what make_rtl_chip's chip does, cycle for cycle, and leaves the FST; it is complete when the chip is destroyed.
// Throws std::runtime_error when the file cannot be written, std::out_of_range when there is no such tile.
std::unique_ptr<Chip> make_wave_chip(const spec::Machine&, const WaveOptions&, FabricChoice = FabricChoice::kUsual);

}  // namespace tessera::chip
