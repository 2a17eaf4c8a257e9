// [[poplar::constraint("elem(*a) != elem(*b)", "region(*a) != region(*c)")]] on a vertex class: what the fields hold
// lies in different elements, or regions, of memory. Clang knows no such attribute, so it is read from the words of the
// class.
#pragma once

#include <string>
#include <vector>

#include "compiler/graph/codelet_info.h"

namespace tessera::compiler {

// The constraints among the words before a class's body, without quotes; a word that is no string as it is.
std::vector<std::string> find_constraints(const std::vector<std::string>& words);

// Throws CodeletError (kCompilation) naming the codelet, the constraint and what is wrong with it.
std::vector<graph::FieldConstraint> read_constraints(const std::vector<std::string>& constraints,
                                                     const graph::CodeletInfo& codelet);

}  // namespace tessera::compiler
