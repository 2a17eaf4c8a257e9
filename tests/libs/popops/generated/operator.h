// The operators of popops that cases are made for: how a case is drawn, how the library is called, and what is right.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/libs/popops/generated/call.h"
#include "tests/libs/popops/generated/case.h"
#include "tests/libs/popops/generated/draft.h"
#include "tests/libs/popops/generated/expected.h"

namespace popops_test {

struct Operator {
  std::string name;
  std::function<void(Draft&)> draw;
  std::function<void(Call&)> call;
  std::function<Expectation(const Case&)> reference;
};

// All of them, in an order that does not change.
const std::vector<Operator>& operators();

// A case of the operator, from choices.
Case draw(std::size_t op, Choices& choices, bool full);

}  // namespace popops_test
