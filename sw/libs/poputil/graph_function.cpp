#include <poputil/DebugInfo.hpp>
#include <poputil/GraphFunction.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {
namespace graphfn {

using poplar::DebugContext;
using poplar::DebugNameAndId;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Program;
using poplar::program::Sequence;

VoidFunction::VoidFunction(VoidFunction&& other) = default;

VoidFunction::VoidFunction(Graph& graph, Signature sig, std::function<void(std::vector<Tensor>&, Sequence&)> f,
                           bool inlined, const DebugContext& debugContext)
    : VoidFunction(
          graph, std::move(sig),
          [&f](std::vector<Tensor>& args, Sequence& program, const DebugNameAndId&) { f(args, program); }, inlined,
          debugContext) {}

VoidFunction::VoidFunction(Graph& graph, Signature sig,
                           std::function<void(std::vector<Tensor>&, Sequence&, const DebugNameAndId&)> f, bool inlined,
                           const DebugContext& debugContext)
    : graph_(graph), signature_(std::move(sig)), inlined_(inlined), program_(debugContext) {
  const PoplibsOpDebugInfo info(debugContext, DI_ARGS(inlined));
  for (const ArgSig& argument : signature_) {
    parameters_.push_back(
        argument.type == CreatedArg ? Tensor() : graph.clone(argument.similarTensor, {info, argument.debugName}));
  }
  f(parameters_, program_, DebugNameAndId(debugContext.getPathName(), info.getId()));
  for (std::size_t i = 0; i < signature_.size(); ++i) {
    if (!parameters_[i].valid())
      throw poplibs_error("graph function '" + debugContext.getPathName() + "': argument " + std::to_string(i) +
                          " is to be created, and the function made no tensor");
  }
  if (!inlined_) function_ = graph.addFunction(program_);
}

void VoidFunction::operator()(std::vector<Tensor>& args, Sequence& seq, const DebugContext& debugContext) {
  if (args.size() < signature_.size())
    throw poplibs_error("graph function '" + debugContext.getPathName() + "': " + std::to_string(args.size()) +
                        " arguments for " + std::to_string(signature_.size()));
  const PoplibsOpDebugInfo info(debugContext, DI_ARGS(args));
  for (std::size_t i = 0; i < signature_.size(); ++i) {
    const ArgType type = signature_[i].type;
    if (type == InputArg || type == InOutArg) seq.add(Copy(args[i], parameters_[i], false, {info}));
  }
  if (inlined_)
    seq.add(program_);
  else
    seq.add(poplar::program::Call(function_, {info}));
  for (std::size_t i = 0; i < signature_.size(); ++i) {
    const ArgType type = signature_[i].type;
    if (type == CreatedArg) args[i] = graph_.clone(parameters_[i], {info, signature_[i].debugName});
    if (type != InputArg) seq.add(Copy(parameters_[i], args[i], false, {info}));
  }
}

ProgramFunction::ProgramFunction(Graph& graph, Signature sig, std::function<Program(std::vector<Tensor>&)> f,
                                 bool inlined, const DebugContext& debugContext)
    : function_(
          graph, std::move(sig), [&f](std::vector<Tensor>& args, Sequence& seq) { seq.add(f(args)); }, inlined,
          debugContext) {}

ProgramFunction::ProgramFunction(Graph& graph, Signature sig,
                                 std::function<Program(std::vector<Tensor>&, const DebugNameAndId&)> f, bool inlined,
                                 const DebugContext& debugContext)
    : function_(
          graph, std::move(sig),
          [&f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId& name) { seq.add(f(args, name)); },
          inlined, debugContext) {}

Program ProgramFunction::operator()(std::vector<Tensor>& args, const DebugContext& debugContext) {
  Sequence seq(debugContext);
  function_(args, seq, debugContext);
  return seq;
}

namespace {

// The result is one more argument.
Signature with_result(Signature sig) {
  sig.push_back(created());
  return sig;
}

}  // namespace

TensorFunction::TensorFunction(Graph& graph, Signature sig, std::function<Tensor(std::vector<Tensor>&, Sequence&)> f,
                               bool inlined, const DebugContext& debugContext)
    : function_(
          graph, with_result(std::move(sig)),
          [&f](std::vector<Tensor>& args, Sequence& seq) { args.back() = f(args, seq); }, inlined, debugContext) {}

TensorFunction::TensorFunction(Graph& graph, Signature sig,
                               std::function<Tensor(std::vector<Tensor>&, Sequence&, const DebugNameAndId&)> f,
                               bool inlined, const DebugContext& debugContext)
    : function_(
          graph, with_result(std::move(sig)),
          [&f](std::vector<Tensor>& args, Sequence& seq, const DebugNameAndId& name) {
            args.back() = f(args, seq, name);
          },
          inlined, debugContext) {}

Tensor TensorFunction::operator()(std::vector<Tensor>& args, Sequence& prog, const DebugContext& debugContext) {
  std::vector<Tensor> with_result = args;
  with_result.emplace_back();
  function_(with_result, prog, debugContext);
  const Tensor result = with_result.back();
  with_result.pop_back();
  args = with_result;
  return result;
}

}  // namespace graphfn
}  // namespace poputil
