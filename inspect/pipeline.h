// Where the tile's pipeline has an instruction or a word, in cycles (docs/reference/tile.md).
#pragma once

#include <cstdint>

namespace tessera::inspect {

// From an instruction's issue until it reads or writes memory; its fetch is in the cycle of issue.
constexpr uint64_t kToMemory = 4;
// Until all that it writes is there; weights are the last.
constexpr uint64_t kToState = 9;
// From a word's read by the exchange until it leaves the tile.
constexpr uint64_t kToPort = 2;

}  // namespace tessera::inspect
