#include "sim/port/checkpoint.h"

namespace tessera::chip {

Checkpoint take_checkpoint(Chip& chip) { return chip.checkpoint(); }

void put_checkpoint(Chip& chip, const Checkpoint& checkpoint) { chip.put(checkpoint); }

}  // namespace tessera::chip
