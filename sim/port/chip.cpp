#include "sim/port/chip.h"

#include <stdexcept>

#include "sim/port/checkpoint.h"

namespace tessera::chip {

void Chip::stop_at_superstep(uint64_t) { throw std::logic_error("this chip does not stop at supersteps"); }

std::shared_ptr<const Snapshot> Chip::snapshot() const { throw std::logic_error("this chip gives no snapshots"); }

void Chip::restore(const Snapshot&) { throw std::logic_error("this chip takes no snapshots"); }

void Chip::flip(const Flip&) { throw std::logic_error("this chip takes no faults"); }

Checkpoint Chip::checkpoint() { throw std::logic_error("this chip gives no checkpoints"); }

void Chip::put(const Checkpoint&) { throw std::logic_error("this chip takes no checkpoints"); }

}  // namespace tessera::chip
