// The firmware half of `tessera run`: this process is the host of the tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::tool {

struct FirmwareRun {
  std::string elf;
  std::string machine;  // "": the one it was built for
  std::string backend;  // "": rtl
  std::string inspect;
  std::string tiles = "all";
  uint64_t host_memory = 0;
  std::vector<std::string> inputs;                         // FILE[@OFFSET], into host memory before the start
  std::vector<std::string> outputs;                        // FILE@OFFSET:BYTES, from host memory at the end
  std::vector<std::string> remote_inputs, remote_outputs;  // the same of the memory of the chip's gateway
  std::vector<std::string> with;                           // programs that the firmware itself brings to the tiles
  uint64_t cycles = 0;                                     // most that the run may take; 0: no limit
  std::optional<uint64_t> budget;                          // of a compute phase, 0: none; not given: the machine's
  bool label = false;                                      // printed lines begin with tile and context
};

// Returns the exit status: 0, the first exit code of a tile that is not 0, or kExitStopped when the tiles came to no
// end.
int run_firmware(const FirmwareRun& run);

}  // namespace tessera::tool
