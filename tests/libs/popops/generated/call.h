// A call of the library: executed and written down at once, so that what is printed of a failure is what failed.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <vector>

#include "tests/libs/popops/generated/case.h"

namespace popops_test {

struct Call {
  poplar::Graph& graph;
  poplar::program::Sequence& prog;
  const Case& c;
  std::vector<poplar::Tensor> tensors;
  poplar::Tensor out, out2;  // new results, if there are any
  std::string text;          // C++ of the statements

  const poplar::Tensor& tensor(std::size_t number) const {
    static const poplar::Tensor none;
    return number < tensors.size() ? tensors[number] : none;
  }
};

}  // namespace popops_test

// The names that a call knows. Of parameters it declares those that it needs, by their own names.
#define POPOPS_NAMES                                                                                                \
  using namespace poplar;                                                                                           \
  using namespace poplar::program;                                                                                  \
  [[maybe_unused]] const Case& c_ = call.c;                                                                         \
  [[maybe_unused]] Graph& graph = call.graph;                                                                       \
  [[maybe_unused]] Sequence& prog = call.prog;                                                                      \
  [[maybe_unused]] Tensor &out = call.out, &out2 = call.out2;                                                       \
  [[maybe_unused]] const Tensor &a = call.tensor(0), &b = call.tensor(1), &c = call.tensor(2), &d = call.tensor(3), \
                                &e = call.tensor(4);                                                                \
  [[maybe_unused]] const auto way = static_cast<unsigned>(c_.number("way"))

#define POPOPS_CALL(...)             \
  do {                               \
    call.text += #__VA_ARGS__ ";\n"; \
    __VA_ARGS__;                     \
  } while (false)
