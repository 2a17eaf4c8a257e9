#include "compiler/passes/text/address_range.h"

#include <algorithm>

namespace tessera::compiler {

std::vector<AddressRange> joined(std::vector<AddressRange> ranges) {
  const auto before = [](AddressRange a, AddressRange b) { return a.begin < b.begin; };
  if (!std::is_sorted(ranges.begin(), ranges.end(), before)) std::sort(ranges.begin(), ranges.end(), before);
  std::vector<AddressRange> result;
  for (const AddressRange& range : ranges) {
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  return result;
}

void add_gaps(AddressRange whole, const std::vector<AddressRange>& covers, std::vector<AddressRange>& gaps) {
  for (const AddressRange& cover : covers) {
    if (cover.begin >= whole.end) break;
    if (cover.end <= whole.begin) continue;
    if (cover.begin > whole.begin) gaps.push_back({whole.begin, cover.begin});
    whole.begin = cover.end;
  }
  if (whole.begin < whole.end) gaps.push_back(whole);
}

}  // namespace tessera::compiler
