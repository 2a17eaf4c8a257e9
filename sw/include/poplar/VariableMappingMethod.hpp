// How a new variable is mapped to tiles: not at all, or in equal consecutive shares over all tiles.
#pragma once

namespace poplar {

enum class VariableMappingMethod { NONE, LINEAR };

}  // namespace poplar
