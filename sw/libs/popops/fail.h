// How the library complains about a tensor.
#pragma once

#include <string>

#include <poplar/Tensor.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

// Throws poplibs_error.
[[noreturn]] inline void fail(const std::string& function, const poplar::Tensor& t, const std::string& why) {
  throw poputil::poplibs_error(function + ": '" + t.getDebugStr() + "' of shape " + t.shapeToString() + ": " + why);
}

}  // namespace popops
