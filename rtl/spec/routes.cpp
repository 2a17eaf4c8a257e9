#include "rtl/spec/routes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace tessera::spec {
namespace {

// The next place of a line of `length`, or of a ring. Half way round either way is as long: places that are even go up,
// so that the links of a ring are loaded alike.
uint32_t step(uint32_t at, uint32_t target, uint32_t length, bool ring) {
  const uint32_t up = (target + length - at) % length, down = length - up;
  const bool goes_up = ring ? up < down || (up == down && at % 2 == 0) : target > at;
  return goes_up ? (at + 1) % length : (at + length - 1) % length;
}

std::vector<uint32_t> by_grid(const Grid& grid, uint32_t chips) {
  std::vector<uint32_t> next(size_t{chips} * chips);
  for (uint32_t chip = 0; chip < chips; ++chip)
    for (uint32_t target = 0; target < chips; ++target) {
      const uint32_t column = grid.column(chip), row = grid.row(chip);
      uint32_t& to = next[size_t{chip} * chips + target];
      if (column != grid.column(target))
        to = grid.chip(step(column, grid.column(target), grid.columns, grid.torus), row);
      else if (row != grid.row(target))
        to = grid.chip(column, step(row, grid.row(target), grid.rows, grid.torus));
      else
        to = chip;
    }
  return next;
}

// Chips have ranks: by their distance from chip 0, then their number. A way first goes down in rank, towards chip 0,
// and then up, each part as short as can be; it turns up as soon as there is a way of that kind alone.
std::vector<uint32_t> by_rank(const System& system, uint32_t chips) {
  std::vector<std::set<uint32_t>> beside(chips);
  for (const Link& link : system.links) {
    beside[link.ends[0].chip].insert(link.ends[1].chip);
    beside[link.ends[1].chip].insert(link.ends[0].chip);
  }
  std::vector<uint32_t> order = {0}, rank(chips, chips);
  rank[0] = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (const uint32_t other : beside[order[i]])
      if (rank[other] == chips) {
        rank[other] = static_cast<uint32_t>(order.size());
        order.push_back(other);
      }
  const uint32_t never = 2 * chips;
  std::vector<uint32_t> next(size_t{chips} * chips);
  for (uint32_t target = 0; target < chips; ++target) {
    // Hops that only go up in rank, and hops at all.
    std::vector<uint32_t> up(chips, never), all(chips, never);
    up[target] = all[target] = 0;
    for (size_t i = order.size(); i-- > 0;)
      for (const uint32_t other : beside[order[i]])
        if (rank[other] > rank[order[i]]) up[order[i]] = std::min(up[order[i]], up[other] + 1);
    for (const uint32_t chip : order) {
      all[chip] = up[chip];
      if (up[chip] < never) continue;
      for (const uint32_t other : beside[chip])
        if (rank[other] < rank[chip]) all[chip] = std::min(all[chip], all[other] + 1);
    }
    for (uint32_t chip = 0; chip < chips; ++chip) {
      uint32_t& to = next[size_t{chip} * chips + target] = chip;
      if (chip == target) continue;
      const bool rises = up[chip] < never;
      for (const uint32_t other : beside[chip]) {
        const bool fits = rises ? rank[other] > rank[chip] && up[other] + 1 == up[chip]
                                : rank[other] < rank[chip] && all[other] + 1 == all[chip];
        if (fits && to == chip) to = other;
      }
    }
  }
  return next;
}

}  // namespace

Routes::Routes(const System& system)
    : grid_(system.grid),
      links_(system.links),
      chips_(static_cast<uint32_t>(system.chips.size())),
      next_(system.grid ? by_grid(*system.grid, chips_) : by_rank(system, chips_)) {}

// Whether a hop is from one end of a row or column to the other, past chips between.
bool Routes::wraps(uint32_t from, uint32_t to) const {
  if (!grid_) return false;
  const Grid& grid = *grid_;
  const uint32_t columns =
      grid.column(from) > grid.column(to) ? grid.column(from) - grid.column(to) : grid.column(to) - grid.column(from);
  const uint32_t rows = grid.row(from) > grid.row(to) ? grid.row(from) - grid.row(to) : grid.row(to) - grid.row(from);
  return columns + rows > 1;
}

uint32_t Routes::layer(const Hop* last, uint32_t chip, uint32_t to) const {
  if (wraps(chip, to)) return 1;
  if (last == nullptr || !grid_) return 0;
  const bool turns = (grid_->row(last->from) == grid_->row(chip)) != (grid_->row(chip) == grid_->row(to));
  return turns ? 0 : last->layer;
}

std::vector<Routes::Hop> Routes::way(uint32_t source, uint32_t target) const {
  std::vector<Hop> hops;
  for (uint32_t chip = source; chip != target; chip = hops.back().to) {
    const uint32_t to = next(chip, target);
    hops.push_back({chip, to, layer(hops.empty() ? nullptr : &hops.back(), chip, to)});
  }
  return hops;
}

std::vector<uint32_t> Routes::links(uint32_t from, uint32_t to) const {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < links_.size(); ++i) {
    const auto& [a, b] = links_[i].ends;
    if ((a.chip == from && b.chip == to) || (a.chip == to && b.chip == from)) numbers.push_back(i);
  }
  return numbers;
}

std::vector<Routes::Hop> find_circle(const std::vector<std::vector<Routes::Hop>>& ways) {
  using Hop = Routes::Hop;
  std::map<Hop, std::set<Hop>> waits;  // who holds a hop waits for those that follow it on some way
  for (const std::vector<Hop>& hops : ways)
    for (size_t i = 0; i < hops.size(); ++i) {
      std::set<Hop>& after = waits[hops[i]];
      if (i + 1 < hops.size()) after.insert(hops[i + 1]);
    }
  enum class Seen { kNo, kOnTheWay, kDone };
  std::map<Hop, Seen> seen;
  std::vector<Hop> on_the_way;
  const std::function<bool(const Hop&)> closes = [&](const Hop& hop) {
    seen[hop] = Seen::kOnTheWay;
    on_the_way.push_back(hop);
    for (const Hop& after : waits[hop]) {
      if (seen[after] == Seen::kOnTheWay) {
        on_the_way.erase(on_the_way.begin(), std::find(on_the_way.begin(), on_the_way.end(), after));
        return true;
      }
      if (seen[after] == Seen::kNo && closes(after)) return true;
    }
    seen[hop] = Seen::kDone;
    on_the_way.pop_back();
    return false;
  };
  for (const auto& [hop, after] : waits)
    if (seen[hop] == Seen::kNo && closes(hop)) return on_the_way;
  return {};
}

}  // namespace tessera::spec
