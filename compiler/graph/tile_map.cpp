#include "compiler/graph/tile_map.h"

#include <algorithm>
#include <queue>

namespace tessera::graph {

void TileMap::assign(std::size_t begin, std::size_t end, std::uint32_t tile) {
  if (begin == end) return;
  if (pending_.empty() && (sorted_.empty() || sorted_.back().end <= begin)) {
    if (!sorted_.empty() && sorted_.back().end == begin && sorted_.back().tile == tile) {
      sorted_.back().end = end;
    } else {
      gapless_ = gapless_ && (sorted_.empty() || sorted_.back().end == begin);
      sorted_.push_back({begin, end, tile});
    }
    return;
  }
  pending_.push_back({begin, end, tile});
}

void TileMap::settle() const {
  if (pending_.empty()) return;
  // One sweep over all begins; of the intervals open at a place the latest assignment holds.
  struct Numbered {
    TileInterval interval;
    std::size_t order;
  };
  std::vector<Numbered> all;
  all.reserve(sorted_.size() + pending_.size());
  for (const TileInterval& i : sorted_) all.push_back({i, 0});
  for (std::size_t i = 0; i < pending_.size(); ++i) all.push_back({pending_[i], i + 1});
  std::sort(all.begin(), all.end(),
            [](const Numbered& a, const Numbered& b) { return a.interval.begin < b.interval.begin; });
  const auto older = [](const Numbered& a, const Numbered& b) { return a.order < b.order; };
  std::priority_queue<Numbered, std::vector<Numbered>, decltype(older)> open(older);
  std::vector<TileInterval> out;
  const auto emit = [&](std::size_t begin, std::size_t end, std::uint32_t tile) {
    if (!out.empty() && out.back().end == begin && out.back().tile == tile) {
      out.back().end = end;
    } else {
      out.push_back({begin, end, tile});
    }
  };
  std::size_t next = 0;
  std::size_t position = 0;
  while (next < all.size() || !open.empty()) {
    while (!open.empty() && open.top().interval.end <= position) open.pop();
    if (open.empty()) {
      if (next == all.size()) break;
      position = std::max(position, all[next].interval.begin);
    }
    for (; next < all.size() && all[next].interval.begin <= position; ++next) open.push(all[next]);
    if (open.empty()) continue;
    const TileInterval top = open.top().interval;
    if (top.end <= position) continue;
    const std::size_t end = next < all.size() ? std::min(top.end, all[next].interval.begin) : top.end;
    emit(position, end, top.tile);
    position = end;
  }
  sorted_ = std::move(out);
  pending_.clear();
  gapless_ = true;
  for (std::size_t i = 1; i < sorted_.size(); ++i) gapless_ = gapless_ && sorted_[i].begin == sorted_[i - 1].end;
}

const std::vector<TileInterval>& TileMap::intervals() const {
  settle();
  return sorted_;
}

std::size_t TileMap::find(std::size_t element) const {
  const std::vector<TileInterval>& all = intervals();
  return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), element,
                                                   [](std::size_t e, const TileInterval& i) { return e < i.end; }) -
                                  all.begin());
}

bool TileMap::covers(std::size_t begin, std::size_t end) const {
  const std::vector<TileInterval>& all = intervals();
  if (gapless_) return begin == end || (!all.empty() && all.front().begin <= begin && end <= all.back().end);
  for (std::size_t i = find(begin); begin < end; ++i) {
    if (i == all.size() || all[i].begin > begin) return false;
    begin = all[i].end;
  }
  return true;
}

}  // namespace tessera::graph
