// A case as a C++ program.
#pragma once

#include <string>

#include "tests/libs/popops/generated/operator.h"

namespace popops_test {

// Compiled with -lpopops -lpoputil -lpoplar it makes the call, prints the elements that are not as expected, and exits
// with 1 if there are any. `failure` stands in its head.
std::string print_cpp(const Case& c, const Expectation& expected, const std::string& failure);

}  // namespace popops_test
