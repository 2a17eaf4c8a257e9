// What two chips in lockstep differ in, as a wave: all that was done to them is done again to a chip that leaves one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rtl/spec/tile_id.h"
#include "sim/port/journal.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::inspect {

// A chip as after power-up that writes every signal of a tile in one superstep to the file, which is whole when the
// chip has closed its files.
using MakeWaveChip =
    std::function<std::unique_ptr<chip::Chip>(const std::string& path, unsigned tile, uint64_t superstep)>;

// Leaves lockstep-tile<N>-superstep<K>.fst of the difference in the working folder, of a chip among several
// lockstep-chip<C>-tile<N>-superstep<K>.fst. `journal` begins with the reset; the chips have come to cycle `reached`.
// Returns a line that says where the wave is, or why there is none.
std::string leave_wave(const MakeWaveChip& make_chip, const chip::Journal& journal, const chip::Difference& difference,
                       uint64_t reached, const spec::ChipPlace& place = {});

}  // namespace tessera::inspect
