#include "compiler/graph/program.h"

#include <type_traits>

namespace tessera::graph {

std::vector<ProgramRef> children(const Program& program) {
  return std::visit(
      [](const auto& op) -> std::vector<ProgramRef> {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Sequence>) {
          return op.steps;
        } else if constexpr (std::is_same_v<Op, Repeat>) {
          return {op.body};
        } else if constexpr (std::is_same_v<Op, RepeatWhile>) {
          return {op.condition, op.body};
        } else if constexpr (std::is_same_v<Op, If>) {
          return {op.then_body, op.else_body};
        } else if constexpr (std::is_same_v<Op, Switch>) {
          std::vector<ProgramRef> all;
          for (const auto& one : op.cases) all.push_back(one.second);
          all.push_back(op.otherwise);
          return all;
        } else {
          return {};
        }
      },
      program.op);
}

std::vector<const TensorRef*> tensors(const Program& program) {
  return std::visit(
      [](const auto& op) -> std::vector<const TensorRef*> {
        using Op = std::decay_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Execute>) {
          if (op.predicate) return {&*op.predicate};
          return {};
        } else if constexpr (std::is_same_v<Op, Copy>) {
          return {&op.source, &op.destination};
        } else if constexpr (std::is_same_v<Op, CrossReplicaCopy>) {
          std::vector<const TensorRef*> all;
          for (const CrossReplicaCopy::Part& part : op.parts)
            for (const auto* tensors : {&part.sources, &part.destinations})
              for (const TensorRef& tensor : *tensors) all.push_back(&tensor);
          return all;
        } else if constexpr (std::is_same_v<Op, CopyFromStream>) {
          return {&op.destination};
        } else if constexpr (std::is_same_v<Op, CopyToStream>) {
          return {&op.source};
        } else if constexpr (std::is_same_v<Op, CopyFromRemote> || std::is_same_v<Op, CopyToRemote>) {
          std::vector<const TensorRef*> all;
          if constexpr (std::is_same_v<Op, CopyToRemote>)
            all = {&op.source};
          else
            all = {&op.destination};
          if (op.rows) all.push_back(&*op.rows);
          return all;
        } else if constexpr (std::is_same_v<Op, CallHost>) {
          std::vector<const TensorRef*> all;
          for (const TensorRef& input : op.inputs) all.push_back(&input);
          for (const TensorRef& output : op.outputs) all.push_back(&output);
          return all;
        } else if constexpr (std::is_same_v<Op, RepeatWhile> || std::is_same_v<Op, If> ||
                             std::is_same_v<Op, AbortOnCondition>) {
          return {&op.predicate};
        } else if constexpr (std::is_same_v<Op, Switch>) {
          return {&op.selector};
        } else if constexpr (std::is_same_v<Op, PrintTensor> || std::is_same_v<Op, WriteUndef>) {
          return {&op.tensor};
        } else {
          return {};
        }
      },
      program.op);
}

}  // namespace tessera::graph
