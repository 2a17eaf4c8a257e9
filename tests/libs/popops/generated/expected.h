// What a call of an operator has to leave.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/libs/popops/generated/case.h"

namespace popops_test {

// What a tensor holds before the call.
struct Elements {
  Type type;
  Shape shape;
  Values values;
};
Elements elements(const Case& c, std::size_t tensor);

struct Expected {
  Type type;
  Shape shape;
  Values values;  // of the exact result
  Values slack;   // by element, how far the result may be from it; empty: it is that value, a zero of that sign
};
struct Expectation {
  std::vector<Expected> results;           // new tensors
  std::map<std::size_t, Expected> writes;  // tensors of the case, by their number
};

inline Expected exactly(const Elements& e) { return {e.type, e.shape, e.values, {}}; }

// The size of a unit in the last place of the type's numbers next to the value.
double unit_in_last_place(Type type, double value);

// What the type holds next to the value: of floats infinity from where rounding leads there.
double nearest(Type type, double value);

// "" or what is wrong.
std::string compare(const Expected& expected, const Values& got);

}  // namespace popops_test
