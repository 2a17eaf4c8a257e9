// Names of the operations of reductions: "ADD", ...
#pragma once

#include <istream>
#include <ostream>

#include <popops/OperationDef.hpp>

namespace popops {

std::istream& operator>>(std::istream& is, Operation& op);  // throws poputil::poplibs_error for another word
std::ostream& operator<<(std::ostream& os, const Operation& op);

}  // namespace popops
