// Where the elements of variables stand: places every variable that is asked for on the tiles it is mapped to, and
// turns tensor views into spans of blocks.
//
// A variable's elements on one tile are packed in order of elements in one block.
#pragma once

#include <functional>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/ir/program.h"

namespace tessera::compiler {

class Storage {
 public:
  // Both must outlive the object; blocks and contents go to `program`.
  Storage(const graph::Graph& graph, ir::Program& program);

  // Places a variable if it has no place yet.
  void place(graph::VariableId id);
  // Spans in flattened order of the view, neighbours joined.
  void for_each_span(const graph::TensorView& view, const std::function<void(const ir::Span&)>& visit);
  std::vector<ir::Span> spans(const graph::TensorView& view);
  // The same, in place of what `spans` held, of a view whose variables have places; may be asked by several threads.
  void spans_of_placed(const graph::TensorView& view, std::vector<ir::Span>& spans) const;

 private:
  struct Placed {
    bool done = false;
    std::vector<ir::Place> intervals;  // parallel to the variable's mapping
  };
  void place_all(const graph::TensorView& view);
  void map_to_tiles(graph::VariableId id);
  template <class Visit>
  void visit_placed(const graph::TensorView& view, const Visit& visit) const;
  void fill(graph::VariableId id);
  template <class Visit>
  void visit_content(graph::VariableId id, std::size_t begin, std::size_t bytes, const Visit& visit) const;
  void add_replica_content(graph::VariableId id, const graph::InitialData& data);
  void add_content(graph::VariableId id, std::size_t begin, const std::vector<std::uint8_t>& bytes);

  const graph::Graph& graph_;
  ir::Program& program_;
  std::vector<Placed> placed_;
  std::vector<std::uint32_t> block_of_tile_;  // scratch of map_to_tiles()
};

}  // namespace tessera::compiler
