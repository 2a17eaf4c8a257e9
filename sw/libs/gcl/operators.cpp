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

namespace {

popops::expr::BinaryOpType binary(CollectiveOperator op) {
  using popops::expr::BinaryOpType;
  switch (op) {
    case CollectiveOperator::MUL:
      return BinaryOpType::MULTIPLY;
    case CollectiveOperator::MIN:
      return BinaryOpType::MINIMUM;
    case CollectiveOperator::MAX:
      return BinaryOpType::MAXIMUM;
    case CollectiveOperator::LOGICAL_AND:
      return BinaryOpType::LOGICAL_AND;
    case CollectiveOperator::LOGICAL_OR:
      return BinaryOpType::LOGICAL_OR;
    default:
      return BinaryOpType::ADD;
  }
}

popops::expr::Any pairs(CollectiveOperator op, unsigned first, unsigned n) {
  using namespace popops::expr;
  if (n == 1) return PlaceHolder(first + 1);
  return BinaryOp(binary(op), pairs(op, first, n / 2), pairs(op, first + n / 2, n / 2));
}

}  // namespace

popops::expr::Any in_pairs(CollectiveOperator op, unsigned n) {
  const popops::expr::Any all = pairs(op, 0, n);
  if (op != CollectiveOperator::MEAN) return all;
  return popops::expr::Mul(all, popops::expr::Const(1.0F / static_cast<float>(n)));
}

void combine(poplar::Graph& graph, const std::vector<poplar::Tensor>& operands, CollectiveOperator op,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  using namespace popops::expr;
  Any all = PlaceHolder(1);
  for (unsigned i = 1; i < operands.size(); ++i) all = BinaryOp(binary(op), all, PlaceHolder(i + 1));
  popops::mapInPlace(graph, all, operands, prog, debugContext);
}

void complete(poplar::Graph& graph, const poplar::Tensor& all, unsigned n, CollectiveOperator op,
              poplar::program::Sequence& prog, const poplar::DebugContext& debugContext) {
  if (op == CollectiveOperator::MEAN && n > 1)
    popops::mulInPlace(graph, all, 1.0F / static_cast<float>(n), prog, debugContext);
}

}  // namespace gcl
