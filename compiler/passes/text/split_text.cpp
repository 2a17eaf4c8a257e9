#include "compiler/passes/text/split_text.h"

#include <algorithm>

#include "compiler/ir/block.h"

namespace tessera::compiler {
namespace {

using Ranges = std::vector<AddressRange>;

// In whole words.
void cut(const image::Segment& segment, const Ranges& ranges, std::vector<image::Segment>& parts) {
  const std::uint32_t end = segment.address + static_cast<std::uint32_t>(4 * segment.words.size());
  for (const AddressRange& range : ranges) {
    const std::uint32_t first = std::max(segment.address, range.begin / 4 * 4);
    const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, ir::round_up(range.end, 4)));
    if (first >= last) continue;
    const auto words = segment.words.begin();
    parts.push_back({first, {words + (first - segment.address) / 4, words + (last - segment.address) / 4}});
  }
}

}  // namespace

SplitText split_text(const Text& text, const std::vector<TextRoom>& rooms) {
  Ranges used;
  for (const TextRoom& room : rooms) used.push_back(room.range);
  used = joined(std::move(used));
  SplitText split;
  Ranges outside;
  add_gaps({0, ~0u}, used, outside);
  for (const image::Segment& segment : text.segments) cut(segment, outside, split.shared);
  for (const TextSet& set : text.tiles.sets) {
    Ranges held;
    for (const AddressRange& range : used) add_gaps(range, set.absent, held);
    image::SegmentGroup group;
    for (const image::Segment& segment : text.segments) cut(segment, held, group.segments);
    split.group_of_set.push_back(0);
    if (group.segments.empty()) continue;
    split.groups.push_back(std::move(group));
    split.group_of_set.back() = static_cast<std::uint32_t>(split.groups.size());
  }
  return split;
}

}  // namespace tessera::compiler
