// How results are ordered.
#pragma once

#include <iosfwd>

namespace popops {

enum class SortOrder {
  NONE,  // any order
  ASCENDING,
  DESCENDING
};

std::ostream& operator<<(std::ostream& os, const SortOrder& o);

}  // namespace popops
