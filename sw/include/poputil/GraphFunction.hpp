// Pieces of graph that are made once and run on different tensors, like functions with arguments. Arguments are copied
// into the function's own tensors and results copied out.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace poputil {
namespace graphfn {

enum ArgType { InputArg, OutputArg, InOutArg, CreatedArg };

// One argument. The function's own tensor is a clone of similarTensor; a created argument is made by the function, and
// the caller gets a clone of it.
struct ArgSig {
  ArgType type;
  poplar::Tensor similarTensor;
  std::string debugName;
  ArgSig(ArgType type, poplar::Tensor tensor, std::string debugName)
      : type(type), similarTensor(std::move(tensor)), debugName(std::move(debugName)) {}
};

inline ArgSig input(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InputArg, std::move(similar), std::move(debugName));
}
inline ArgSig inout(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(InOutArg, std::move(similar), std::move(debugName));
}
inline ArgSig output(poplar::Tensor similar, std::string debugName = "") {
  return ArgSig(OutputArg, std::move(similar), std::move(debugName));
}
inline ArgSig created(std::string debugName = "") { return ArgSig(CreatedArg, poplar::Tensor(), std::move(debugName)); }

using Signature = std::vector<ArgSig>;

// Runs f once, on the function's own tensors, to make the program. Unless inlined, each use is a Call of one
// poplar::Function. Calls throw poplibs_error if there are fewer arguments than the signature has. The graph must live
// as long as the function.
class VoidFunction {
 public:
  VoidFunction(VoidFunction&& other);
  VoidFunction(poplar::Graph& graph, Signature sig,
               std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f, bool inlined = false,
               const poplar::DebugContext& debugContext = {});
  VoidFunction(
      poplar::Graph& graph, Signature sig,
      std::function<void(std::vector<poplar::Tensor>&, poplar::program::Sequence&, const poplar::DebugNameAndId&)> f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});
  // Adds a call to seq. Created arguments are written to args.
  void operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& seq,
                  const poplar::DebugContext& debugContext = {});

 private:
  poplar::Graph& graph_;
  Signature signature_;
  bool inlined_;
  poplar::program::Sequence program_;
  poplar::Function function_;
  std::vector<poplar::Tensor> parameters_;
};

// A function whose use is a program.
class ProgramFunction {
 public:
  ProgramFunction(poplar::Graph& graph, Signature sig,
                  std::function<poplar::program::Program(std::vector<poplar::Tensor>&)> f, bool inlined = false,
                  const poplar::DebugContext& debugContext = {});
  ProgramFunction(
      poplar::Graph& graph, Signature sig,
      std::function<poplar::program::Program(std::vector<poplar::Tensor>&, const poplar::DebugNameAndId&)> f,
      bool inlined = false, const poplar::DebugContext& debugContext = {});
  poplar::program::Program operator()(std::vector<poplar::Tensor>& args, const poplar::DebugContext& debugContext = {});

 private:
  VoidFunction function_;
};

// A function that gives a tensor.
class TensorFunction {
 public:
  TensorFunction(poplar::Graph& graph, Signature sig,
                 std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&)> f,
                 bool inlined = false, const poplar::DebugContext& debugContext = {});
  TensorFunction(poplar::Graph& graph, Signature sig,
                 std::function<poplar::Tensor(std::vector<poplar::Tensor>&, poplar::program::Sequence&,
                                              const poplar::DebugNameAndId&)>
                     f,
                 bool inlined = false, const poplar::DebugContext& debugContext = {});
  poplar::Tensor operator()(std::vector<poplar::Tensor>& args, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {});

 private:
  VoidFunction function_;
};

}  // namespace graphfn
}  // namespace poputil
