// How far results of floats may be from the exact ones: the table of docs/user/libraries.md, which users read.
#pragma once

#include <string>

#include <poplar/Type.hpp>

namespace popops_test {

// In units of the last place of the type. name: an entry of the table's first column, the enumerator of an operator
// mostly. Throws std::out_of_range for one that the table does not have.
double bound(const std::string& name, poplar::Type type);

}  // namespace popops_test
