// Small graphs as plain data, for tests of passes: no API between the test and the structures.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/graph.h"

namespace tessera::test {

using graph::ElementType;
using graph::ProgramRef;
using graph::TensorRef;
using graph::TensorView;

struct GraphBuilder {
  graph::Graph graph;

  explicit GraphBuilder(std::uint32_t tiles) { graph.num_tiles = tiles; }

  // A variable whose elements are spread over the given tiles: (elements, tile) in order.
  TensorRef variable(const std::string& name, ElementType type,
                     const std::vector<std::pair<std::size_t, std::uint32_t>>& parts) {
    graph::Variable variable;
    variable.name = name;
    variable.type = type;
    for (const auto& [elements, tile] : parts) {
      variable.mapping.assign(variable.num_elements, variable.num_elements + elements, tile);
      variable.num_elements += elements;
    }
    const std::array<std::size_t, 1> shape{variable.num_elements};
    graph.variables.push_back(std::move(variable));
    return {type, TensorView::whole(static_cast<graph::VariableId>(graph.variables.size() - 1), shape)};
  }

  void initial(const TensorRef& tensor, const std::vector<std::uint32_t>& words) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint32_t word : words)
      for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> 8 * i));
    graph.variables[tensor.view.first_variable()].initial.push_back({0, bytes});
  }

  void write_handle(const std::string& name, const TensorRef& tensor) { graph.host_writes.push_back({name, tensor}); }
  void read_handle(const std::string& name, const TensorRef& tensor) { graph.host_reads.push_back({name, tensor}); }
  void handles(const std::string& name, const TensorRef& tensor) {
    write_handle(name, tensor);
    read_handle(name, tensor);
  }
};

template <class Op>
ProgramRef program(Op op, const std::string& name = "") {
  return std::make_shared<const graph::Program>(graph::Program{name, std::move(op)});
}

inline ProgramRef sequence(std::vector<ProgramRef> steps) { return program(graph::Sequence{std::move(steps)}); }
inline ProgramRef copy(const TensorRef& source, const TensorRef& destination) {
  return program(graph::Copy{source, destination});
}

inline TensorRef slice(const TensorRef& tensor, std::size_t begin, std::size_t end) {
  return {tensor.type, tensor.view.slice(0, begin, end)};
}

}  // namespace tessera::test
