#include "sim/link/lane_faults.h"

#include <algorithm>

namespace tessera::link {

void LaneFaults::add(const LaneFault& fault) {
  given_.insert(std::ranges::upper_bound(given_, fault.cycle, {}, &LaneFault::cycle), fault);
}

void LaneFaults::add(const RandomFaults& faults, uint64_t stream) {
  std::seed_seq seed{static_cast<uint32_t>(faults.seed), static_cast<uint32_t>(faults.seed >> 32),
                     static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)};
  Source& source = sources_.emplace_back(Source{faults, std::mt19937_64(seed), faults.first});
  draw(source);
}

void LaneFaults::draw(Source& source) {
  const uint64_t gap = 1 + source.random() % (2 * source.faults.every - 1);
  source.next = source.next > source.faults.last || gap > source.faults.last - source.next ? kNever : source.next + gap;
}

uint64_t LaneFaults::next() const {
  uint64_t cycle = given_.empty() ? kNever : given_.front().cycle;
  for (const Source& source : sources_) cycle = std::min(cycle, source.next);
  return cycle;
}

std::vector<LaneFault> LaneFaults::take(uint64_t cycle) {
  std::vector<LaneFault> now;
  for (; !given_.empty() && given_.front().cycle <= cycle; given_.pop_front())
    if (given_.front().cycle == cycle) now.push_back(given_.front());
  for (Source& source : sources_)
    while (source.next <= cycle) {
      const auto& kinds = source.faults.kinds;
      LaneFault fault{source.next, kinds[source.random() % kinds.size()], 0, 0};
      fault.bit = static_cast<uint32_t>(source.random());
      fault.until = source.next + 1 + source.random() % source.faults.longest_down;
      if (source.next == cycle) now.push_back(fault);
      draw(source);
    }
  taken_ += now.size();
  return now;
}

}  // namespace tessera::link
