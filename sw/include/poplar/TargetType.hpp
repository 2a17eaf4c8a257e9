// Kinds of device.
#pragma once

#include <ostream>
#include <string>

namespace poplar {

enum class TargetType { IPU, IPU_MODEL, CPU };

// "IPU", "IPU_MODEL" or "CPU"; throws poplar_error for any other value.
std::string toString(TargetType type);
std::ostream& operator<<(std::ostream& os, TargetType type);

}  // namespace poplar
