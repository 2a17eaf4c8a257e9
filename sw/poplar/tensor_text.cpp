// Tensors as text.
#include <iostream>

#include "compiler/graph/dump.h"
#include "sw/poplar/impl.h"

namespace poplar {

std::string detail::too_many_elements(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "{" : ",") + std::to_string(size);
  return "Shape " + text + "} has more than the " + std::to_string(tessera::graph::kMostElements) +
         " elements that a tensor can have";
}

std::string Tensor::getDebugStr() const {
  const detail::TensorImpl& impl = detail::Access::impl(*this);
  if (numElements() == 0) return "";
  return impl.state->graph.variables[impl.ref.view.first_variable()].name;
}

std::string Tensor::getVarStr() const {
  const detail::TensorImpl& impl = detail::Access::impl(*this);
  return tessera::graph::describe_view(impl.state->graph, impl.ref.view);
}

void Tensor::dump() const { std::cout << *this << '\n'; }

void Tensor::dumpRegions() const {
  const detail::TensorImpl& impl = detail::Access::impl(*this);
  std::cout << tessera::graph::to_text(impl.ref.view, numElements()) << '\n';
}

std::ostream& operator<<(std::ostream& os, const Tensor& tensor) {
  if (!tensor.valid()) return os << "invalid tensor";
  return os << tensor.elementType() << tensor.shapeToString() << ' ' << tensor.getVarStr();
}

std::ostream& operator<<(std::ostream& os, const VariableInterval& interval) {
  return os << "var " << interval.var << ' ' << interval.interval;
}

}  // namespace poplar
