#include "compiler/passes/lower_vertices.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/passes/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

using graph::CodeletField;
using graph::FieldKind;
using graph::FieldShape;

constexpr std::uint32_t kRegionAlign = 8;  // of buffers, so that 64-bit accesses of codelets stay possible

// Fills in where the elements of a view come from.
void trace_origin(const graph::TensorView& view, ir::Region& region) {
  const auto boxes = view.boxes();
  if (boxes.empty()) return;
  const auto other = [&](const graph::Box& box) { return box.variable != boxes[0].variable; };
  if (std::any_of(boxes.begin(), boxes.end(), other)) return;
  region.variable = boxes[0].variable;
  if (boxes.size() > 1) return;
  std::int64_t step = 1;
  for (std::size_t i = boxes[0].dims.size(); i-- > 0; step *= boxes[0].dims[i].size)
    if (boxes[0].dims[i].stride != step) return;
  region.first_element = boxes[0].offset;
}

// Grows one block of a tile and purpose at a time; blocks are made on first use.
class TileBlock {
 public:
  TileBlock(ir::Blocks& blocks, ir::Block prototype) : blocks_(blocks), prototype_(prototype) {}

  // `what()` names who needs the bytes.
  template <class What>
  ir::Place take(std::uint64_t bytes, std::uint32_t align, const What& what) {
    if (id_ == ir::kNone) id_ = ir::add_block(blocks_, prototype_);
    ir::Block& block = blocks_[id_];
    block.align = std::max(block.align, align);
    const std::uint64_t offset = ir::round_up(block.bytes, align);
    block.bytes = tile_bytes(offset + bytes, block.tile, what);
    return {id_, static_cast<std::uint32_t>(offset)};
  }

 private:
  ir::Blocks& blocks_;
  ir::Block prototype_;
  ir::BlockId id_ = ir::kNone;
};

// Buffers of a tile: a block each of what is gathered, what is scattered and what is both, since these live from
// different phases to different phases.
class Buffers {
 public:
  Buffers(ir::Blocks& blocks, std::uint32_t tile, bool interleaved) {
    const ir::Block prototype{.tile = tile, .use = ir::BlockUse::kBuffer, .interleaved = interleaved};
    for (int kind = 0; kind < 3; ++kind) by_kind_.emplace_back(blocks, prototype);
  }
  // Of an edge.
  TileBlock& of(FieldKind kind) { return by_kind_.at(static_cast<std::size_t>(kind)); }

 private:
  std::vector<TileBlock> by_kind_;
};

class ComputeSetLowering {
 public:
  ComputeSetLowering(const graph::Graph& graph, Storage& storage, ir::Program& program)
      : graph_(graph), storage_(storage), program_(program) {}

  LoweredComputeSet run(graph::ComputeSetId id) {
    const graph::ComputeSet& set = graph_.compute_sets[id];
    ir::Compute compute{.id = id, .name = set.name};
    std::vector<graph::VertexId> order = set.vertices;
    std::stable_sort(order.begin(), order.end(), [&](graph::VertexId a, graph::VertexId b) {
      return graph_.vertices[a].tile < graph_.vertices[b].tile;
    });
    compute.vertices.reserve(order.size());
    for (std::size_t next = 0; next < order.size();) {
      const std::uint32_t tile = graph_.vertices[order[next]].tile;
      TileBlock states(program_.blocks, {.tile = tile, .use = ir::BlockUse::kVertex});
      Buffers buffers(program_.blocks, tile, false), interleaved(program_.blocks, tile, true);
      shared_.clear();
      for (; next < order.size() && graph_.vertices[order[next]].tile == tile; ++next) {
        compute.of_tile.add(tile, static_cast<std::uint32_t>(compute.vertices.size()));
        compute.vertices.push_back(lower_vertex(order[next], states, buffers, interleaved));
      }
    }
    const std::uint32_t gather = add_exchange(set.name + "/gather", std::move(gather_));
    const std::uint32_t scatter = add_exchange(set.name + "/scatter", std::move(scatter_));
    program_.computes.push_back(std::move(compute));
    return {static_cast<std::uint32_t>(program_.computes.size() - 1), gather, scatter};
  }

 private:
  ir::Vertex lower_vertex(graph::VertexId id, TileBlock& states, Buffers& buffers, Buffers& interleaved) {
    const graph::Vertex& vertex = graph_.vertices[id];
    const graph::CodeletInfo& codelet = graph_.codelets[vertex.codelet].info;
    ir::Vertex result{.id = id, .tile = vertex.tile, .codelet = vertex.codelet, .kind = codelet.kind};
    result.state = states.take(std::max(codelet.state_size, 4u), std::max(codelet.state_align, 4u),
                               [&] { return graph::describe_vertex(graph_, id); });
    result.first_region = program_.regions.size();
    std::vector<const graph::Connection*> connections;
    connections.reserve(vertex.connections.size());
    for (const graph::Connection& c : vertex.connections) connections.push_back(&c);
    std::sort(connections.begin(), connections.end(), [](const graph::Connection* a, const graph::Connection* b) {
      return a->field != b->field ? a->field < b->field : a->index < b->index;
    });
    for (const graph::Connection* connection : connections) {
      const CodeletField& field = codelet.fields[connection->field];
      if (field.is_list() && connection->index == graph::kWholeField) {
        add_rows(*connection, field, vertex.tile, buffers, interleaved, result);
      } else {
        const std::uint32_t index = connection->index == graph::kWholeField ? 0 : connection->index;
        add_region(connection->tensor.view, *connection, index, field, vertex.tile, buffers, interleaved, result);
      }
    }
    result.regions = program_.regions.size() - result.first_region;
    return result;
  }

  // A list field connected as a whole: one region for each entry of the tensor's outer dimension.
  void add_rows(const graph::Connection& connection, const CodeletField& field, std::uint32_t tile, Buffers& buffers,
                Buffers& interleaved, ir::Vertex& result) {
    const graph::TensorView& view = connection.tensor.view;
    const std::size_t rows = view.rank() == 0 ? 1 : view.shape()[0];
    for (std::size_t row = 0; row < rows; ++row)
      add_region(view.rank() == 0 ? view : view.index(row), connection, row, field, tile, buffers, interleaved, result);
  }

  void add_region(const graph::TensorView& view, const graph::Connection& connection, std::uint32_t index,
                  const CodeletField& field, std::uint32_t tile, Buffers& buffers, Buffers& interleaved,
                  ir::Vertex& result) {
    const std::uint32_t size = graph::size_of(field.type);
    const auto what = [&] { return "field '" + field.name + "' of " + graph::describe_vertex(graph_, result.id); };
    const std::uint32_t bytes = tile_bytes(bytes_of(view.num_elements(), size), tile, what);
    const std::vector<ir::Span> spans = storage_.spans(view);
    const std::uint32_t align = std::max(field.min_align, size);
    ir::Region region{.elements = bytes / size,
                      .element_bytes = size,
                      .access = field.kind,
                      .field = connection.field,
                      .index = index};
    trace_origin(view, region);
    result.cost += std::min(region.elements, ~result.cost);
    if (spans.size() == 1 && usable_in_place(spans[0], tile, align)) {
      ir::Block& block = program_.blocks[spans[0].at.block];
      block.align = std::max(block.align, align);
      block.interleaved |= field.interleaved;
      region.at = spans[0].at;
    } else if (const ir::Place* at =
                   field.kind == FieldKind::kInput ? find_shared(spans, align, field.interleaved) : nullptr) {
      region.at = *at;
    } else {
      TileBlock& home = (field.interleaved ? interleaved : buffers).of(field.kind);
      region.at = home.take(ir::round_up(bytes, 4), std::max(align, kRegionAlign), what);
      ir::Place part = region.at;
      for (const ir::Span& span : spans) {
        if (field.kind != FieldKind::kOutput) gather_.push_back({span.at, part, span.bytes});
        if (field.kind != FieldKind::kInput) scatter_.push_back({part, span.at, span.bytes});
        part.offset += span.bytes;
      }
      if (field.kind == FieldKind::kInput)
        shared_[hash(spans)].push_back({spans, std::max(align, kRegionAlign), field.interleaved, region.at});
    }
    program_.regions.push_back(region);
  }

  // Inputs of several vertices of a tile that show the same elements have one buffer.
  struct Shared {
    std::vector<ir::Span> spans;
    std::uint32_t align;
    bool interleaved;
    ir::Place at;
  };
  static std::uint64_t hash(const std::vector<ir::Span>& spans) {
    std::uint64_t h = spans.size();
    for (const ir::Span& s : spans)
      for (std::uint32_t v : {s.at.block, s.at.offset, s.bytes}) h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h;
  }
  const ir::Place* find_shared(const std::vector<ir::Span>& spans, std::uint32_t align, bool interleaved) const {
    const auto found = shared_.find(hash(spans));
    if (found == shared_.end()) return nullptr;
    for (const Shared& s : found->second)
      if (s.align >= align && s.interleaved == interleaved && s.spans == spans) return &s.at;
    return nullptr;
  }

  bool usable_in_place(const ir::Span& span, std::uint32_t tile, std::uint32_t align) const {
    return program_.blocks[span.at.block].tile == tile && span.at.offset % align == 0;
  }

  std::uint32_t add_exchange(const std::string& name, std::vector<ir::Move>&& moves) {
    if (moves.empty()) return ir::kNone;
    ir::Exchange exchange;
    exchange.name = name;
    exchange.moves = std::move(moves);
    program_.exchanges.push_back(std::move(exchange));
    return program_.exchanges.size() - 1;
  }

  const graph::Graph& graph_;
  Storage& storage_;
  ir::Program& program_;
  std::vector<ir::Move> gather_, scatter_;
  std::unordered_map<std::uint64_t, std::vector<Shared>> shared_;  // of the tile at hand
};

}  // namespace

LoweredComputeSet lower_compute_set(const graph::Graph& graph, graph::ComputeSetId id, Storage& storage,
                                    ir::Program& program) {
  return ComputeSetLowering(graph, storage, program).run(id);
}

}  // namespace tessera::compiler
