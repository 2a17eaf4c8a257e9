// The checkpoint file of a system: one checkpoint a chip, in the order of the chips' ids
// (docs/reference/checkpoint.md). What takes a single Checkpoint (checkpoint.h) is the same for a system of one chip.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/port/checkpoint.h"

namespace tessera::chip {

std::vector<uint8_t> serialize(const std::vector<Checkpoint>& chips);
// Throws BadCheckpoint, one line. Whether the machines are those of the system is put_checkpoint's to say.
std::vector<Checkpoint> deserialize_checkpoints(const std::vector<uint8_t>&);

}  // namespace tessera::chip
