// Which graph a thing is of: numbers of variables, vertices and functions mean nothing in another.
#include <atomic>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar::detail {

GraphNumber next_graph_number() {
  static std::atomic<GraphNumber> last{0};
  return ++last;
}

namespace {

[[noreturn]] void refuse(const char* function, const std::string& what) {
  throw poplar_error(std::string(function) + ": " + what + " is of another graph");
}

}  // namespace

const tessera::graph::TensorRef& GraphImpl::own(const Tensor& t, const char* function) const {
  const TensorImpl& impl = Access::impl(t);
  if (impl.state != state) refuse(function, "tensor " + t.getVarStr());
  return impl.ref;
}

void GraphImpl::check_own(const VertexRef& v, const char* function) const {
  if (Access::state(v) == nullptr) throw poplar_error(std::string(function) + ": a default-constructed VertexRef");
  if (Access::state(v) != state.get()) refuse(function, "vertex " + std::to_string(v.getId()));
}

void GraphImpl::check_own(const FieldRef& f, const char* function) const {
  if (Access::state(f) != state.get())
    refuse(function, "field '" + f.getFieldName() + "' of vertex " + std::to_string(Access::vertex(f)));
}

void GraphImpl::check_own(ComputeSet cs, const char* function) const {
  const GraphNumber graph = Access::graph_number(cs);
  if (graph != 0 && graph != state->number) refuse(function, "compute set " + std::to_string(cs.getId()));
  if (cs.getId() >= state->graph.compute_sets.size())
    throw poplar_error(std::string(function) + ": this graph has no compute set " + std::to_string(cs.getId()));
}

void GraphImpl::check_own(const program::Program& p, const char* function) const {
  const ProgramImpl& impl = Access::impl(p);
  if (impl.graph != 0 && impl.graph != state->number)
    refuse(function, impl.name.empty() ? "a program" : "program '" + impl.name + "'");
}

}  // namespace poplar::detail
