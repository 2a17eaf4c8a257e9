// The checkpoint file of a system: one checkpoint a chip, in the order of the chips' ids
// (docs/reference/checkpoint.md). What takes a single Checkpoint (checkpoint.h) is the same for a system of one chip.
//
// Those of a system are of one moment: one in which all chips stand at a host sync and nothing is on links. Put into
// chips that have been told of the same system (Chip::join), they go on as the first would have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/port/checkpoint.h"

namespace tessera::spec {
struct System;
}

namespace tessera::chip {

std::vector<uint8_t> serialize(const std::vector<Checkpoint>& chips);
// Throws BadCheckpoint, one line. Whether the machines are those of the system is put_checkpoint's to say.
std::vector<Checkpoint> deserialize_checkpoints(const std::vector<uint8_t>&);

// Throw BadCheckpoint, one line that names the file: also where it is of another system than `system`.
void save_checkpoints(const std::vector<Checkpoint>& chips, const std::string& path);
std::vector<Checkpoint> load_checkpoints(const std::string& path, const spec::System& system);

}  // namespace tessera::chip
