// GTKWave save files for waves of tiles: named groups, colours, and names instead of numbers where a signal holds a
// code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::waves {

struct SaveFileRequest {
  std::string waves;            // the FST, as GTKWave is to find it
  std::vector<unsigned> tiles;  // with a scope tile<N> each
  std::string filter_folder;    // where the value name files are (write_value_names)
  std::string disassembler;     // path of tessera-disassemble; empty: instruction words stay hexadecimal
};

// Text of the save file. A group per tile, in it groups for time, retired instructions, contexts, sync, exchange,
// packets, exceptions.
std::string save_file(const SaveFileRequest&);

// Every signal that save_file shows, with its scope: "tile0.slot_i".
std::vector<std::string> shown_signals(const std::vector<unsigned>& tiles);

// Writes the files that give codes their names: contexts, exception causes, sync zones. From the tables in rtl/spec.
void write_value_names(const std::string& folder);

}  // namespace tessera::waves
