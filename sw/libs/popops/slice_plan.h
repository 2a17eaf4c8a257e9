// What a SlicePlan holds.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popops/DynamicSlice.hpp>

namespace popops {

class SlicePlanInternal {
 public:
  bool planned = false;
  poplar::Type type = poplar::FLOAT;
  std::size_t groups = 1;
  std::size_t rows = 0, columns = 0;            // of a group
  std::size_t row_parts = 1, column_parts = 1;  // what each is cut into
  std::size_t tiles = 0;                        // of a group
  bool for_slice = true, for_update = true;

  auto key() const {
    return std::make_tuple(planned, type.toString().cloneAsString(), groups, rows, columns, row_parts, column_parts,
                           tiles, for_slice, for_update);
  }
};

// Throws poplibs_error if the plan plans something, and for other tables than of `groups` groups of [rows, columns].
void check_plan(const SlicePlan& plan, const char* function, std::size_t groups, std::size_t rows, std::size_t columns);

// The tiles of a planned table [rows, columns] of group `group`: sets t's mapping.
void map_planned(poplar::Graph& graph, const poplar::Tensor& t, const SlicePlanInternal& plan, std::size_t group);

}  // namespace popops
