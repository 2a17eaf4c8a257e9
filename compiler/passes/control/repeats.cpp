#include "compiler/passes/control/repeats.h"

#include <algorithm>
#include <unordered_map>

namespace tessera::compiler {
namespace {

constexpr std::size_t kPeriodsOfLength = 4;

// The distances that occur most often between a piece and the next one like it.
void add_periods(const std::vector<std::uint32_t>& ranks, std::vector<std::uint32_t>& periods) {
  std::vector<std::uint32_t> last(ranks.size(), ~0u), times(ranks.size());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) {
    std::uint32_t& before = last[ranks[i]];
    if (before != ~0u) ++times[i - before];
    before = i;
  }
  for (std::size_t n = 0; n < kPeriodsOfLength; ++n) {
    const auto most = std::max_element(times.begin(), times.end());
    if (most == times.end() || *most == 0) return;
    periods.push_back(static_cast<std::uint32_t>(most - times.begin()));
    *most = 0;
  }
}

}  // namespace

PieceRanks rank_pieces(const std::vector<std::uint32_t>& keys) {
  PieceRanks ranks;
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // looked up, never walked
  std::vector<std::uint32_t> next(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    next[i] = known.emplace(keys[i], static_cast<std::uint32_t>(known.size())).first->second;
  for (std::size_t length = 1; known.size() < next.size(); length *= 2) {
    ranks.push_back(std::move(next));
    next.clear();
    known.clear();
    const std::vector<std::uint32_t>& half = ranks.back();
    for (std::size_t i = 0; i + 2 * length <= keys.size(); ++i) {
      const std::uint64_t pair = std::uint64_t{half[i]} << 32 | half[i + length];
      next.push_back(known.emplace(pair, static_cast<std::uint32_t>(known.size())).first->second);
    }
  }
  return ranks;
}

std::vector<std::uint32_t> likely_periods(const PieceRanks& ranks) {
  std::vector<std::uint32_t> periods;
  for (const std::vector<std::uint32_t>& of_length : ranks) add_periods(of_length, periods);
  std::sort(periods.begin(), periods.end());
  periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
  return periods;
}

}  // namespace tessera::compiler
