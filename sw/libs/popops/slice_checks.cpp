#include "sw/libs/popops/slice_checks.h"

#include <set>

#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/types.h"

namespace popops {

void check_dims(const std::string& function, const std::string& what, const std::vector<std::size_t>& shape,
                const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes, std::size_t rank) {
  const auto fail = [&](const std::string& why) { throw poputil::poplibs_error(function + ": " + why); };
  if (dims.size() != sizes.size())
    fail(std::to_string(dims.size()) + " dimensions and " + std::to_string(sizes.size()) + " sizes");
  const std::size_t all = rank != 0 ? rank : shape.size();
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::string dimension = "dimension " + std::to_string(dims[i]) + " of '" + what + "'";
    if (dims[i] >= all) fail(dimension + " is not there");
    if (!seen.insert(dims[i]).second) fail(dimension + " is named twice");
    if (rank == 0 && sizes[i] > shape[dims[i]])
      fail("a slice of " + std::to_string(sizes[i]) + " of " + dimension + ", which has " +
           std::to_string(shape[dims[i]]));
  }
}

OffsetOptions parse_offset_options(const poplar::OptionFlags& options) {
  OffsetOptions out;
  const poplibs::OptionSpec spec{
      {"remapOutOfBoundIndices", poplibs::OptionHandler::createWithBool(out.remap)},
      {"paddingIndexUsed", poplibs::OptionHandler::createWithBool(out.padding)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  return out;
}

void check_offsets(const std::string& function, const poplar::Tensor& offsets) {
  if (offsets.elementType() != poplar::UNSIGNED_INT && offsets.elementType() != poplar::INT)
    throw poputil::poplibs_error(function + ": the offsets '" + offsets.getDebugStr() + "' are of type " +
                                 text_of(offsets.elementType()));
}

}  // namespace popops
