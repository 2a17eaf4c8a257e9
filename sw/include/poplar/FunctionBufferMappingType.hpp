// Where the code of a function is kept that a program loads before it calls it (Graph::addFunctionBuffer).
#pragma once

namespace poplar {

enum class FunctionBufferMappingType { REMOTE };

}  // namespace poplar
