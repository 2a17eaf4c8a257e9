// Tensors reduced over some of their dimensions.
//
// What a tile holds of a result's operands is reduced there; partial results that several tiles have are gathered and
// reduced again, in several steps where they are many. Halves are added and multiplied as floats and rounded at the
// end. The order of operations follows from the mapping. Misuse throws poputil::poplibs_error.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popops/Operation.hpp>

namespace popops {

struct ReduceParams {
  ReduceParams() = default;
  ReduceParams(Operation op, bool update = false) : op(op), update(update) {}
  ReduceParams(Operation op, bool update, poplar::Tensor scale)
      : op(op), update(update), useScale(true), scale(scale) {}
  ReduceParams(Operation op, float constantScale, bool update = false) = delete;

  Operation op = Operation::ADD;
  bool update = false;  // the result is added to what the output holds: for ADD and SQUARE_ADD with an output of yours
  bool useScale = false;  // the result is multiplied by `scale` first: for ADD and SQUARE_ADD
  poplar::Tensor scale;   // FLOAT, of one element
};

// The result has the dimensions of `in` that are not in dims, in their order, and outType (in's if not given; float for
// half and half for float are the others). It is new and mapped where it is made, or goes to `out`, of that shape,
// whose elements may lie anywhere. Without operands it is the operation's neutral element.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const std::vector<std::size_t>& dims,
                      ReduceParams params, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params, poplar::program::Sequence& prog,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

// By compute sets to be executed in order: the first ones of css, which grows as needed. The first may load weights of
// the matrix engine that the next one uses.
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Type& outType,
                      const std::vector<std::size_t>& dims, ReduceParams params, std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
poplar::Tensor reduce(poplar::Graph& graph, const poplar::Tensor& in, const std::vector<std::size_t>& dims,
                      ReduceParams params, std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
void reduceWithOutput(poplar::Graph& graph, const poplar::Tensor& in, const poplar::Tensor& out,
                      const std::vector<std::size_t>& dims, ReduceParams params, std::vector<poplar::ComputeSet>& css,
                      const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

struct SingleReduceOp {
  poplar::Tensor in;
  std::vector<std::size_t> dims;
  ReduceParams params;
  bool useOutType;
  poplar::Type outType;
  std::string debugName;
  SingleReduceOp(poplar::Tensor in, std::vector<std::size_t> dims, ReduceParams params, poplar::Type outType,
                 std::string debugName = "")
      : in(in),
        dims(std::move(dims)),
        params(params),
        useOutType(true),
        outType(outType),
        debugName(std::move(debugName)) {}
  SingleReduceOp(poplar::Tensor in, std::vector<std::size_t> dims, ReduceParams params, std::string debugName = "")
      : in(in),
        dims(std::move(dims)),
        params(params),
        useOutType(false),
        outType(poplar::BOOL),
        debugName(std::move(debugName)) {}
};

// Several reductions that share their compute sets. outputs is empty, and gets a tensor for each, or has one for each.
void reduceMany(poplar::Graph& graph, const std::vector<SingleReduceOp>& reductions,
                std::vector<poplar::Tensor>& outputs, poplar::program::Sequence& prog,
                const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

}  // namespace popops
