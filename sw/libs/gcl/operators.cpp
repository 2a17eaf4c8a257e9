#include "sw/libs/gcl/operators.h"

#include <popops/ElementWise.hpp>
#include <poputil/exceptions.hpp>
#include <string>

namespace gcl {
namespace {

constexpr const char* kNames[] = {"ADD",         "MEAN",       "MUL",        "MIN",  "MAX",
                                  "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOCAL"};

std::string text(CollectiveOperator op) { return kNames[static_cast<int>(op)]; }

}  // namespace

std::istream& operator>>(std::istream& is, CollectiveOperator& op) {
  std::string word;
  is >> word;
  for (int i = 0; i <= static_cast<int>(CollectiveOperator::LOCAL); ++i)
    if (word == kNames[i]) {
      op = static_cast<CollectiveOperator>(i);
      return is;
    }
  throw poputil::poplibs_error("'" + word + "' is no operator of collectives");
}

std::ostream& operator<<(std::ostream& os, const CollectiveOperator& op) { return os << text(op); }

void check_operator(CollectiveOperator op, const poplar::Type& type, const char* collective) {
  const bool logical = op == CollectiveOperator::LOGICAL_AND || op == CollectiveOperator::LOGICAL_OR;
  const bool fits = op == CollectiveOperator::LOCAL ||
                    (logical ? type == poplar::BOOL
                             : type != poplar::BOOL && (op != CollectiveOperator::MEAN || type.isFloatingPoint()));
  if (!fits)
    throw poputil::poplibs_error(std::string(collective) + ": " + text(op) + " takes no elements of type " +
                                 type.toString().cloneAsString());
}

poplar::Tensor prepared(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                        poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  return op == CollectiveOperator::SQUARE_ADD ? popops::square(graph, data, prog, debugContext) : data;
}

void combine(poplar::Graph& graph, const poplar::Tensor& into, const poplar::Tensor& other, CollectiveOperator op,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  switch (op) {
    case CollectiveOperator::ADD:
    case CollectiveOperator::MEAN:
    case CollectiveOperator::SQUARE_ADD:
      return popops::addInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::MUL:
      return popops::mulInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::MIN:
      return popops::minInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::MAX:
      return popops::maxInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::LOGICAL_AND:
      return popops::logicalAndInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::LOGICAL_OR:
      return popops::logicalOrInPlace(graph, into, other, prog, debugContext);
    case CollectiveOperator::LOCAL:
      return;
  }
}

void complete(poplar::Graph& graph, const poplar::Tensor& all, unsigned n, CollectiveOperator op,
              poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  if (op == CollectiveOperator::MEAN && n > 1)
    popops::mulInPlace(graph, all, 1.0F / static_cast<float>(n), prog, debugContext);
}

}  // namespace gcl
