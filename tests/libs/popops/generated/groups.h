// The groups of operators, each with the cases of its own.
#pragma once

#include <vector>

#include "tests/libs/popops/generated/operator.h"

namespace popops_test {

std::vector<Operator> unary_operators();
std::vector<Operator> binary_operators();
std::vector<Operator> ternary_operators();
std::vector<Operator> conversion_operators();
std::vector<Operator> reduce_operators();
std::vector<Operator> order_operators();
std::vector<Operator> slice_operators();
std::vector<Operator> gather_operators();
std::vector<Operator> row_operators();
std::vector<Operator> arrange_operators();
std::vector<Operator> statistic_operators();

}  // namespace popops_test
