#include <popops/codelets.hpp>

namespace popops {

// Operations write the vertices that they need; they are prebuilt or compiled (prebuilt.h), so a graph needs nothing
// first.
void addCodelets(poplar::Graph&) {}

}  // namespace popops
