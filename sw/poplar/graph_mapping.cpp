// Where vertices and elements live.
#include <algorithm>

#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;
using detail::Access;

namespace {

constexpr unsigned kOutside = ~0U;

// The tile of all elements of the view, if it is one; most tensors that are asked for are whole.
bool single_tile(const g::Graph& graph, const g::TensorView& view, std::uint32_t& tile) {
  bool single = view.num_elements() != 0;
  tile = g::kNoTile;
  const std::vector<g::VariableRun> bounds = view.bounding_runs();
  for (const g::VariableRun& run : bounds) {
    const g::TileMap& mapping = graph.variables[run.variable].mapping;
    const std::size_t i = mapping.find(run.begin);
    single = single && i < mapping.intervals().size() && mapping.intervals()[i].begin <= run.begin &&
             mapping.intervals()[i].end >= run.end && (tile == g::kNoTile || tile == mapping.intervals()[i].tile);
    if (!single) return false;
    tile = mapping.intervals()[i].tile;
  }
  return single;
}

class MappingReader {
 public:
  MappingReader(const detail::GraphImpl& impl) : impl_(impl), mapping_(impl.num_tiles()) {
    if (impl.tiles.empty()) return;
    virtual_tiles_.assign(impl.state->graph.num_tiles, kOutside);
    for (unsigned i = 0; i < impl.tiles.size(); ++i) virtual_tiles_[impl.tiles[i]] = i;
  }

  void read(const g::TensorView& view) {
    const g::Graph& graph = impl_.state->graph;
    std::uint32_t tile;
    if (single_tile(graph, view, tile)) {
      add(0, view.num_elements(), tile);
      return;
    }
    std::size_t at = 0;
    view.for_each_run([&](const g::VariableRun& run) {
      const g::TileMap& map = graph.variables[run.variable].mapping;
      const std::vector<g::TileInterval>& all = map.intervals();
      std::size_t element = run.begin;
      for (std::size_t i = map.find(run.begin); element < run.end; ++i) {
        if (i == all.size() || all[i].begin > element) {
          if (complete_) unmapped_ = {run.variable, element, element + 1};
          complete_ = false;
          element = i == all.size() ? run.end : std::min(run.end, all[i].begin);
          if (element == run.end) break;
        }
        const std::size_t end = std::min(run.end, all[i].end);
        add(at + element - run.begin, at + end - run.begin, all[i].tile);
        element = end;
      }
      at += run.end - run.begin;
    });
  }

  bool complete() const { return complete_; }
  bool external() const { return external_; }
  g::VariableRun unmapped() const { return unmapped_; }
  Graph::TileToTensorMapping take() { return std::move(mapping_); }

 private:
  void add(std::size_t begin, std::size_t end, std::uint32_t physical) {
    const unsigned tile = virtual_tiles_.empty() ? physical : virtual_tiles_[physical];
    if (tile == kOutside) {
      external_ = true;
      return;
    }
    std::vector<Interval>& intervals = mapping_[tile];
    if (!intervals.empty() && intervals.back().end() == begin) {
      intervals.back() = Interval(intervals.back().begin(), end);
    } else {
      intervals.emplace_back(begin, end);
    }
  }

  const detail::GraphImpl& impl_;
  Graph::TileToTensorMapping mapping_;
  std::vector<unsigned> virtual_tiles_;  // by physical tile
  bool complete_ = true;
  bool external_ = false;
  g::VariableRun unmapped_{0, 0, 0};
};

void map_view(g::Graph& graph, const g::TensorView& view, unsigned physical) {
  view.for_each_covering_run(
      [&](const g::VariableRun& run) { graph.variables[run.variable].mapping.assign(run.begin, run.end, physical); });
}

const g::Variable& checked_variable(const g::Graph& graph, VariableRef variable, const char* what) {
  if (variable.getId() < graph.variables.size()) return graph.variables[variable.getId()];
  throw poplar_error(std::string(what) + ": the graph has no variable " + std::to_string(variable.getId()));
}

}  // namespace

namespace detail {

unsigned GraphImpl::checked_physical(unsigned tile, const std::string& what) const {
  if (tile < num_tiles()) return physical(tile);
  throw invalid_tile_mapping("Tile " + std::to_string(tile) + " for " + what + ", but there are only " +
                             std::to_string(num_tiles()) + " tiles");
}

}  // namespace detail

void Graph::setTileMapping(VertexRef v, unsigned tile) {
  g::Graph& graph = impl_->state->graph;
  impl_->check_own(v, "setTileMapping");
  if (tile >= impl_->num_tiles()) impl_->checked_physical(tile, g::describe_vertex(graph, v.getId()));
  const unsigned physical = impl_->physical(tile);
  graph.vertices[v.getId()].tile = physical;
  const auto constants = impl_->state->vertex_constants.find(v.getId());
  if (constants == impl_->state->vertex_constants.end()) return;
  for (const g::VariableId id : constants->second) graph.variables[id].mapping.assign(0, 1, physical);
}

void Graph::setTileMapping(const Tensor& t, unsigned tile) {
  const g::TensorView& view = impl_->own(t, "setTileMapping").view;
  if (tile >= impl_->num_tiles()) impl_->checked_physical(tile, t.getVarStr());
  map_view(impl_->state->graph, view, impl_->physical(tile));
}

void Graph::setTileMapping(const Tensor& t, const TileToTensorMapping& mapping) {
  const g::TensorView flat = impl_->own(t, "setTileMapping").view.flatten();
  const std::size_t n = flat.num_elements();
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& i : mapping[tile]) {
      const unsigned physical = impl_->checked_physical(tile, t.getVarStr());
      if (i.begin() > i.end() || i.end() > n) {
        throw invalid_tile_mapping("Interval [" + std::to_string(i.begin()) + "," + std::to_string(i.end()) + ") of " +
                                   t.getVarStr() + " with " + std::to_string(n) + " elements");
      }
      map_view(impl_->state->graph, flat.slice(0, i.begin(), i.end()), physical);
    }
  }
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool requireComplete, bool allowExternal) const {
  MappingReader reader(*impl_);
  reader.read(impl_->own(t, "getTileMapping").view);
  if (requireComplete && !reader.complete()) {
    throw invalid_tile_mapping("Element " + std::to_string(reader.unmapped().begin) + " of " +
                               g::describe_variable(impl_->state->graph, reader.unmapped().variable) +
                               " is not mapped to a tile");
  }
  if (requireComplete && reader.external() && !allowExternal) {
    throw invalid_tile_mapping(t.getVarStr() + " is mapped to tiles outside the virtual graph");
  }
  return reader.take();
}

Graph::TileToTensorMapping Graph::getTileMapping(const Tensor& t, bool* isComplete, bool allowExternal) const {
  MappingReader reader(*impl_);
  reader.read(impl_->own(t, "getTileMapping").view);
  if (isComplete != nullptr) *isComplete = reader.complete() && (allowExternal || !reader.external());
  return reader.take();
}

Graph::TileToTensorMapping Graph::getVariableTileMapping(const Tensor& t) const {
  MappingReader reader(*impl_);
  const g::TensorView& view = impl_->own(t, "getVariableTileMapping").view;
  if (t.numElements() == 0) return reader.take();
  const g::VariableId id = view.first_variable();
  const std::size_t n = impl_->state->graph.variables[id].num_elements;
  reader.read(g::TensorView::whole(id, {&n, 1}));
  return reader.take();
}

Tensor Graph::getVariable(VariableRef variable) const {
  const g::Variable& v = checked_variable(impl_->state->graph, variable, "getVariable");
  return Access::make_tensor(impl_->state, v.type, g::TensorView::whole(variable.getId(), {&v.num_elements, 1}));
}

bool Graph::isConstant(VariableRef variable) const {
  return checked_variable(impl_->state->graph, variable, "isConstant").constant;
}

}  // namespace poplar
