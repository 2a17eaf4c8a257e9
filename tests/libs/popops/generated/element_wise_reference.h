// What the operators of element-wise expressions give, worked out in double and in wide integers.
#pragma once

#include <functional>
#include <popops/ExprOp.hpp>
#include <string>

#include "tests/libs/popops/generated/expected.h"

namespace popops_test {

using popops::expr::BinaryOpType;
using popops::expr::UnaryOpType;

// A whole number as an integer type keeps it: its lowest bits.
double wrapped(Type type, __int128 value);

// An element of a result, and how far the library's may be from it.
struct Exact {
  double value;
  double slack;  // 0: not at all
};
Exact unary(UnaryOpType op, Type type, double x);
Exact binary(BinaryOpType op, Type type, double x, double y);
const char* name_of(UnaryOpType op);  // "ABSOLUTE", ...
const char* name_of(BinaryOpType op);

// maximumNumber and minimumNumber of IEEE 754-201x: -0 is below 0, a NaN is left out.
double larger(double x, double y);
double smaller(double x, double y);

// Each element of the shape: what f gives of the operands' elements there, broadcast to it. Collects slack where f has
// some.
Expected map_elements(Type type, const Shape& shape, const std::vector<Elements>& operands,
                      const std::function<Exact(const Values&)>& f);
Shape broadcast_shape(const Shape& a, const Shape& b);

}  // namespace popops_test
