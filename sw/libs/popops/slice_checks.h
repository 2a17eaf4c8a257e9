// What slices are asked for, checked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/OptionFlags.hpp>
#include <poplar/Tensor.hpp>

#include "sw/libs/popops/slice_rows.h"

namespace popops {

// dims: different ones of `shape`, or of `rank` dimensions of any size; sizes: as many, none larger than its dimension.
// Throws poplibs_error with the function and `what`, whose shape it is.
void check_dims(const std::string& function, const std::string& what, const std::vector<std::size_t>& shape,
                const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes, std::size_t rank = 0);

// Options of DynamicSlice.hpp.
OffsetOptions parse_offset_options(const poplar::OptionFlags& options);

// Throws poplibs_error if the offsets are not whole numbers of 32 bits.
void check_offsets(const std::string& function, const poplar::Tensor& offsets);

}  // namespace popops
