// Element types: how C++ spells them, and what they are.
#pragma once

#include <string>

#include <poplar/Type.hpp>

namespace popops {

inline std::string text_of(poplar::Type type) { return type.toString().cloneAsString(); }
inline bool is_float(poplar::Type type) { return type == poplar::FLOAT || type == poplar::HALF; }

}  // namespace popops
