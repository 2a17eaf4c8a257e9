// What programs are made of.
#pragma once

#include <memory>
#include <poplar/Program.hpp>
#include <poplar/exceptions.hpp>
#include <string>
#include <utility>

#include "compiler/graph/program.h"
#include "sw/poplar/impl.h"

namespace poplar::detail {

namespace g = tessera::graph;

// Takes what a program is made of, all of one graph: throws poplar_error for what is of another.
class Parts {
 public:
  Parts(const char* kind, const DebugContext& debugContext) : kind_(kind), out_(std::make_shared<ProgramImpl>()) {
    out_->name = debugContext.getPathName();
  }
  // A program that grows. What others hold stays as it is: a program that is shared is copied first.
  Parts(const char* kind, std::shared_ptr<const ProgramImpl>& grown) : kind_(kind) {
    if (grown.use_count() > 1) grown = std::make_shared<const ProgramImpl>(*grown);
    out_ = std::const_pointer_cast<ProgramImpl>(grown);
  }

  g::TensorRef operator()(const Tensor& t) {
    const TensorImpl& impl = Access::impl(t);
    take(impl.state->number, [&] { return "tensor " + t.getVarStr(); });
    return impl.ref;
  }
  g::ProgramRef operator()(const program::Program& p) {
    const ProgramImpl& impl = Access::impl(p);
    take(impl.graph, [&] { return impl.name.empty() ? std::string("a program") : "program '" + impl.name + "'"; });
    return Access::program(p);
  }
  g::ComputeSetId operator()(const ComputeSet& cs) {
    take(Access::graph_number(cs), [&] { return "compute set " + std::to_string(cs.getId()); });
    return cs.getId();
  }
  g::FunctionId operator()(const Function& f) {
    take(Access::graph_number(f), [&] { return "function " + std::to_string(f.getId()); });
    return f.getId();
  }
  g::StreamId operator()(const DataStream& stream) {
    take(Access::graph_number(stream), [&] { return "stream '" + stream.handle() + "'"; });
    return Access::stream_id(stream);
  }

  g::RemoteBufferId operator()(const RemoteBuffer& buffer) {
    if (Access::graph_number(buffer) == 0) throw poplar_error(kind_ + ": a default-constructed RemoteBuffer");
    take(Access::graph_number(buffer), [&] { return "remote buffer '" + buffer.handle() + "'"; });
    return Access::remote_buffer_id(buffer);
  }
  // The function that the buffer is for.
  g::FunctionId operator()(const FunctionBuffer& buffer) {
    if (Access::graph_number(buffer) == 0) throw poplar_error(kind_ + ": a FunctionBuffer that no graph has made");
    take(Access::graph_number(buffer), [&] { return "function buffer " + std::to_string(buffer.getId()); });
    return Access::function_of(buffer);
  }
  g::HostFunctionId operator()(const HostFunction& f) {
    if (Access::graph_number(f) == 0) throw poplar_error(kind_ + ": a default-constructed HostFunction");
    take(Access::graph_number(f), [&] { return "host function '" + f.handle() + "'"; });
    return Access::host_function_id(f);
  }

  template <class Op>
  std::shared_ptr<const ProgramImpl> make(Op op) {
    out_->op = std::move(op);
    return out_;
  }
  template <class Op>
  Op& grow() {
    return std::get<Op>(out_->op);
  }

 private:
  template <class Describe>
  void take(GraphNumber graph, Describe describe) {
    if (graph == 0 || graph == out_->graph) return;
    if (out_->graph != 0)
      throw poplar_error(kind_ + (out_->name.empty() ? "" : " '" + out_->name + "'") + ": " + describe() +
                         " is of another graph than what it is to go with");
    out_->graph = graph;
  }

  std::string kind_;
  std::shared_ptr<ProgramImpl> out_;
};

}  // namespace poplar::detail
