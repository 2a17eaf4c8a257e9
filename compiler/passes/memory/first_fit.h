// Places pieces of one tile's memory that live at different times: each at the lowest address where it meets nothing
// that lives when it lives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/passes/memory/find_lives.h"

namespace tessera::compiler {

class FirstFit {
 public:
  // Addresses [begin, end), `begin` a multiple of 8; `lives` are not owned.
  FirstFit(const std::vector<Life>& lives, std::uint64_t begin, std::uint64_t end)
      : lives_(lives), begin_(begin), end_(end), high_(begin) {}

  struct Extent {
    std::uint64_t begin, end;
  };
  // Nothing is placed there.
  void block(Extent extent) { blocked_.push_back(extent); }

  // At `from` or above, outside of `avoid`; `align` is a power of two. None: there is no room.
  std::optional<std::uint32_t> place(std::uint32_t bytes, std::uint32_t align, std::uint64_t from, std::uint32_t life,
                                     const std::vector<Extent>& avoid = {});
  // The end of what lies highest.
  std::uint64_t high() const { return high_; }

 private:
  struct Group {  // what has one life
    std::uint32_t life;
    Interval hull;                // from its first point to its last
    std::vector<Extent> extents;  // ascending, neither overlapping nor touching
  };
  static void add(std::vector<Extent>& extents, Extent extent);

  const std::vector<Life>& lives_;
  std::uint64_t begin_, end_, high_;
  std::vector<Group> groups_;
  std::vector<Extent> blocked_;
};

}  // namespace tessera::compiler
