// Supersteps of two runs are aligned by their numbers and by what is done in them.
#include <catch2/catch.hpp>

#include "inspect/trace/aligned_difference.h"

namespace tessera::inspect::trace {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;

// A letter a superstep: what it does; from superstep `first` on.
std::vector<SuperstepOutline> supersteps(const std::string& letters, uint64_t first = 0) {
  std::vector<SuperstepOutline> all;
  for (const char letter : letters) all.push_back({first++, 0, 0, std::string(1, letter)});
  return all;
}

TEST_CASE("the same program is aligned superstep by superstep") {
  CHECK(align(supersteps("abab"), supersteps("abab")) == Pairs{{0, 0}, {1, 1}, {2, 2}, {3, 3}});
  CHECK(align(supersteps("abab"), supersteps("ab")) == Pairs{{0, 0}, {1, 1}});
}

TEST_CASE("windows are aligned by the numbers of their supersteps") {
  CHECK(align(supersteps("abab"), supersteps("ab", 2)) == Pairs{{2, 0}, {3, 1}});
  CHECK(align(supersteps("ba", 1), supersteps("abab")) == Pairs{{0, 1}, {1, 2}});
}

TEST_CASE("supersteps that were added or taken out have no partner") {
  CHECK(align(supersteps("abcd"), supersteps("abxcd")) == Pairs{{0, 0}, {1, 1}, {2, 3}, {3, 4}});
  CHECK(align(supersteps("abcd"), supersteps("acd")) == Pairs{{0, 0}, {2, 1}, {3, 2}});
  CHECK(align(supersteps("axbyc"), supersteps("aubvwc")) == Pairs{{0, 0}, {2, 2}, {4, 5}});
  CHECK(align(supersteps("abc"), supersteps("xyz")) == Pairs{});
}

}  // namespace
}  // namespace tessera::inspect::trace
