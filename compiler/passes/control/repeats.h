// Where a sequence of numbers repeats itself.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::compiler {

// ranks[j][i]: a number for the piece of 2^j keys that begins at i, the same for equal pieces; up to the longest of
// these pieces that occur twice.
using PieceRanks = std::vector<std::vector<std::uint32_t>>;
PieceRanks rank_pieces(const std::vector<std::uint32_t>& keys);

// Distances at which pieces often occur again, ascending: the periods of the sequence's parts are among them.
std::vector<std::uint32_t> likely_periods(const PieceRanks& ranks);

}  // namespace tessera::compiler
