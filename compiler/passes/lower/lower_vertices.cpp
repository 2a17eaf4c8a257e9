#include "compiler/passes/lower/lower_vertices.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "compiler/parallel/parallel.h"
#include "compiler/passes/exchange/group_by_tile.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/new_blocks.h"

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

// Bytes at the end of a block. `what()` names who needs them.
template <class What>
ir::Place grow(ir::Block& block, ir::BlockId id, std::uint64_t bytes, std::uint32_t align, const What& what) {
  block.align = std::max(block.align, align);
  const std::uint64_t offset = ir::round_up(block.bytes, align);
  block.bytes = tile_bytes(offset + bytes, block.tile, what);
  return {id, static_cast<std::uint32_t>(offset)};
}

// Grows one block of a tile and purpose at a time; blocks are made on first use.
class TileBlock {
 public:
  TileBlock(NewBlocks& blocks, ir::Block prototype) : blocks_(blocks), prototype_(prototype) {}

  template <class What>
  ir::Place take(std::uint64_t bytes, std::uint32_t align, const What& what) {
    if (id_ == ir::kNone) id_ = blocks_.add(prototype_);
    return grow(blocks_[id_], id_, bytes, align, what);
  }

 private:
  NewBlocks& blocks_;
  ir::Block prototype_;
  ir::BlockId id_ = ir::kNone;
};

// Buffers of a tile: a block each of what is gathered, what is scattered and what is both, since these live from
// different phases to different phases.
class Buffers {
 public:
  Buffers(NewBlocks& blocks, std::uint32_t tile, bool interleaved) {
    const ir::Block prototype{.tile = tile, .use = ir::BlockUse::kBuffer, .interleaved = interleaved};
    for (int kind = 0; kind < 3; ++kind) by_kind_.emplace_back(blocks, prototype);
  }
  // Of an edge.
  TileBlock& of(FieldKind kind) { return by_kind_.at(static_cast<std::size_t>(kind)); }

 private:
  std::vector<TileBlock> by_kind_;
};

// All vertices of some tiles, and what comes of them.
struct VertexPart {
  std::span<const graph::VertexId> order;
  std::vector<std::uint32_t> tiles{};          // theirs, in order
  std::vector<graph::VariableId> variables{};  // that they touch, by first use
  std::vector<ir::BlockId> states{};           // by tile: of the program
  std::span<ir::Vertex> vertices{};            // of the compute set
  std::size_t first_region = 0, regions = 0;   // of the program
  NewBlocks blocks{0};
  std::vector<ir::Move> gather{}, scatter{};
};

// A list field that is connected as a whole has a region for each entry of the tensor's outer dimension.
std::size_t rows_of(const graph::TensorView& view) { return view.rank() == 0 ? 1 : view.shape()[0]; }
bool is_whole_list(const graph::Connection& connection, const CodeletField& field) {
  return field.is_list() && connection.index == graph::kWholeField;
}

// Finds out tiles, variables and number of regions.
void survey(const graph::Graph& graph, VertexPart& part) {
  std::unordered_set<graph::VariableId> seen;
  graph::VariableId last = ir::kNone;
  for (const graph::VertexId v : part.order) {
    const graph::Vertex& vertex = graph.vertices[v];
    const graph::CodeletInfo& codelet = graph.codelets[vertex.codelet].info;
    if (part.tiles.empty() || part.tiles.back() != vertex.tile) part.tiles.push_back(vertex.tile);
    for (const graph::Connection& c : vertex.connections) {
      part.regions += is_whole_list(c, codelet.fields[c.field]) ? rows_of(c.tensor.view) : 1;
      for (const graph::Box& box : c.tensor.view.boxes()) {
        if (box.variable != last && seen.insert(box.variable).second) part.variables.push_back(box.variable);
        last = box.variable;
      }
    }
  }
}

// Lowers the vertices of a part.
class VertexLowering {
 public:
  // What vertices ask of variables' blocks on their tile is noted there.
  VertexLowering(const graph::Graph& graph, const Storage& storage, ir::Program& program, VertexPart& part)
      : graph_(graph),
        storage_(storage),
        placed_(program.blocks),
        regions_(program.regions),
        part_(part),
        next_region_(part.first_region) {}

  void run() {
    const auto& order = part_.order;
    auto states = part_.states.begin();
    for (std::size_t next = 0; next < order.size(); ++states) {
      const std::uint32_t tile = graph_.vertices[order[next]].tile;
      Buffers buffers(part_.blocks, tile, false), interleaved(part_.blocks, tile, true);
      shared_.clear();
      apart_.clear();
      for (; next < order.size() && graph_.vertices[order[next]].tile == tile; ++next)
        part_.vertices[next] = lower_vertex(order[next], *states, buffers, interleaved);
    }
  }

 private:
  ir::Vertex lower_vertex(graph::VertexId id, ir::BlockId states, Buffers& buffers, Buffers& interleaved) {
    const graph::Vertex& vertex = graph_.vertices[id];
    const graph::CodeletInfo& codelet = graph_.codelets[vertex.codelet].info;
    ir::Vertex result{.id = id, .tile = vertex.tile, .codelet = vertex.codelet, .kind = codelet.kind};
    result.state = grow(placed_[states], states, std::max(codelet.state_size, 4u), std::max(codelet.state_align, 4u),
                        [&] { return graph::describe_vertex(graph_, id); });
    result.first_region = static_cast<std::uint32_t>(next_region_);
    held_.clear();
    connections_.clear();
    for (const graph::Connection& c : vertex.connections) connections_.push_back(&c);
    std::sort(connections_.begin(), connections_.end(), [](const graph::Connection* a, const graph::Connection* b) {
      return a->field != b->field ? a->field < b->field : a->index < b->index;
    });
    for (const graph::Connection* connection : connections_) {
      const CodeletField& field = codelet.fields[connection->field];
      if (is_whole_list(*connection, field)) {
        add_rows(*connection, field, vertex.tile, buffers, interleaved, result);
      } else {
        const std::uint32_t index = connection->index == graph::kWholeField ? 0 : connection->index;
        add_region(connection->tensor.view, *connection, index, field, vertex.tile, buffers, interleaved, result);
      }
    }
    result.regions = static_cast<std::uint32_t>(next_region_ - result.first_region);
    return result;
  }

  void add_rows(const graph::Connection& connection, const CodeletField& field, std::uint32_t tile, Buffers& buffers,
                Buffers& interleaved, ir::Vertex& result) {
    const graph::TensorView& view = connection.tensor.view;
    for (std::size_t row = 0; row < rows_of(view); ++row)
      add_region(view.rank() == 0 ? view : view.index(row), connection, row, field, tile, buffers, interleaved, result);
  }

  void add_region(const graph::TensorView& view, const graph::Connection& connection, std::uint32_t index,
                  const CodeletField& field, std::uint32_t tile, Buffers& buffers, Buffers& interleaved,
                  ir::Vertex& result) {
    const std::uint32_t size = graph::size_of(field.type);
    const auto what = [&] { return "field '" + field.name + "' of " + graph::describe_vertex(graph_, result.id); };
    const std::uint32_t bytes = tile_bytes(bytes_of(view.num_elements(), size), tile, what);
    storage_.spans_of_placed(view, spans_);
    const std::uint32_t align = std::max(field.min_align, size);
    ir::Region region{.elements = bytes / size,
                      .element_bytes = size,
                      .access = field.kind,
                      .field = connection.field,
                      .index = index};
    trace_origin(view, region);
    result.cost += std::min(region.elements, ~result.cost);
    const std::vector<std::uint32_t> others = kept_apart_from(result.codelet, connection.field);
    if (spans_.size() == 1 && usable_in_place(spans_[0], tile, align) && !holds(others, spans_[0].at.block)) {
      ir::Block& block = placed_[spans_[0].at.block];
      block.align = std::max(block.align, align);
      block.interleaved |= field.interleaved;
      region.at = spans_[0].at;
    } else if (const ir::Place* at =
                   field.kind == FieldKind::kInput ? find_shared(align, field.interleaved, others) : nullptr) {
      region.at = *at;
    } else {
      TileBlock& home = others.empty() ? (field.interleaved ? interleaved : buffers).of(field.kind)
                                       : buffer_apart(result.codelet, connection.field, tile, field.interleaved);
      region.at = home.take(ir::round_up(bytes, 4), std::max(align, kRegionAlign), what);
      if (field.kind == FieldKind::kInput)
        shared_.emplace(hash(spans_), Shared{part_.gather.size(), spans_.size(), std::max(align, kRegionAlign),
                                             field.interleaved, region.at});
      ir::Place part = region.at;
      for (const ir::Span& span : spans_) {
        if (field.kind != FieldKind::kOutput) part_.gather.push_back({span.at, part, span.bytes});
        if (field.kind != FieldKind::kInput) part_.scatter.push_back({part, span.at, span.bytes});
        part.offset += span.bytes;
      }
    }
    regions_[next_region_++] = region;
    if (!others.empty()) held_.emplace_back(connection.field, region.at.block);
  }

  // The fields whose data must not be near those of that field.
  std::vector<std::uint32_t> kept_apart_from(graph::CodeletId codelet, std::uint32_t field) const {
    std::vector<std::uint32_t> others;
    for (const graph::FieldConstraint& constraint : graph_.codelets[codelet].info.constraints) {
      if (constraint.a == field) others.push_back(constraint.b);
      if (constraint.b == field) others.push_back(constraint.a);
    }
    return others;
  }
  // Whether the block has data of one of these fields of the vertex at hand.
  bool holds(const std::vector<std::uint32_t>& fields, ir::BlockId block) const {
    return std::any_of(held_.begin(), held_.end(), [&](const auto& held) {
      return held.second == block && std::find(fields.begin(), fields.end(), held.first) != fields.end();
    });
  }
  // Buffers of that field of all vertices of the codelet: a block that has nothing else in it.
  TileBlock& buffer_apart(graph::CodeletId codelet, std::uint32_t field, std::uint32_t tile, bool interleaved) {
    const ir::Block prototype{.tile = tile, .use = ir::BlockUse::kBuffer, .interleaved = interleaved};
    return apart_.try_emplace({codelet, field}, part_.blocks, prototype).first->second;
  }

  // Inputs of several vertices of a tile that show the same elements have one buffer.
  struct Shared {
    std::size_t gathered, moves;  // the first of the moves that fill it, and how many they are
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
  bool shows_spans(const Shared& shared) const {
    return std::equal(spans_.begin(), spans_.end(), part_.gather.begin() + static_cast<std::ptrdiff_t>(shared.gathered),
                      part_.gather.begin() + static_cast<std::ptrdiff_t>(shared.gathered + shared.moves),
                      [](const ir::Span& s, const ir::Move& m) { return s == ir::Span{m.source, m.bytes}; });
  }
  // The first that will do.
  const ir::Place* find_shared(std::uint32_t align, bool interleaved, const std::vector<std::uint32_t>& others) const {
    const Shared* best = nullptr;
    const auto [first, last] = shared_.equal_range(hash(spans_));
    for (auto known = first; known != last; ++known) {
      const Shared& s = known->second;
      if (best != nullptr && best->gathered < s.gathered) continue;
      if (s.align >= align && s.interleaved == interleaved && shows_spans(s) && !holds(others, s.at.block)) best = &s;
    }
    return best != nullptr ? &best->at : nullptr;
  }

  bool usable_in_place(const ir::Span& span, std::uint32_t tile, std::uint32_t align) const {
    return placed_[span.at.block].tile == tile && span.at.offset % align == 0;
  }

  const graph::Graph& graph_;
  const Storage& storage_;
  ir::Blocks& placed_;
  std::vector<ir::Region>& regions_;
  VertexPart& part_;
  std::size_t next_region_;
  std::unordered_multimap<std::uint64_t, Shared> shared_;                  // of the tile at hand
  std::map<std::pair<graph::CodeletId, std::uint32_t>, TileBlock> apart_;  // of the tile, by codelet and field
  std::vector<std::pair<std::uint32_t, ir::BlockId>> held_;  // by fields kept apart, of the vertex at hand
  std::vector<const graph::Connection*> connections_;        // of the vertex at hand
  std::vector<ir::Span> spans_;                              // of the region at hand
};

// `order` is by tile.
std::vector<VertexPart> cut(const graph::Graph& graph, std::span<const graph::VertexId> order) {
  constexpr std::size_t kLeast = 4096;
  std::vector<VertexPart> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= order.size(); ++i) {
    const bool last = i == order.size();
    if (!last && (i - begin < kLeast || graph.vertices[order[i]].tile == graph.vertices[order[i - 1]].tile)) continue;
    parts.push_back({.order = order.subspan(begin, i - begin)});
    begin = i;
  }
  return parts;
}

std::uint32_t add_exchange(const std::string& name, std::vector<ir::Move>&& moves, ir::Program& program) {
  if (moves.empty()) return ir::kNone;
  program.exchanges.push_back({.name = name, .moves = std::move(moves)});
  return static_cast<std::uint32_t>(program.exchanges.size() - 1);
}

}  // namespace

LoweredComputeSet lower_compute_set(const graph::Graph& graph, graph::ComputeSetId id, Storage& storage,
                                    ir::Program& program, unsigned threads) {
  const graph::ComputeSet& set = graph.compute_sets[id];
  std::vector<graph::VertexId> order = ByTile(set.vertices.size(), program.tiles, threads, [&](std::size_t i) {
                                         return graph.vertices[set.vertices[i]].tile;
                                       }).take();
  for (graph::VertexId& v : order) v = set.vertices[v];
  std::vector<VertexPart> parts = cut(graph, order);
  parallel(threads, parts.size(), [&](std::size_t i) { survey(graph, parts[i]); });

  ir::Compute compute{.id = id, .name = set.name};
  compute.vertices.resize(order.size());
  std::size_t regions = program.regions.size();
  for (VertexPart& part : parts) {
    for (const std::uint32_t tile : part.tiles)
      part.states.push_back(ir::add_block(program.blocks, {.tile = tile, .use = ir::BlockUse::kVertex}));
    for (const graph::VariableId variable : part.variables) storage.place(variable);
    part.vertices = {compute.vertices.data() + (part.order.data() - order.data()), part.order.size()};
    part.first_region = regions;
    regions += part.regions;
  }
  for (VertexPart& part : parts) part.blocks = NewBlocks(program.blocks.size());
  program.regions.resize(regions);
  parallel(threads, parts.size(), [&](std::size_t i) { VertexLowering(graph, storage, program, parts[i]).run(); });

  // Blocks of parts, and places in them, get their numbers in the program.
  std::vector<std::size_t> gathered(1), scattered(1);
  std::vector<BlockShift> shifts;
  for (const VertexPart& part : parts) {
    gathered.push_back(gathered.back() + part.gather.size());
    scattered.push_back(scattered.back() + part.scatter.size());
    shifts.push_back(part.blocks.join(program.blocks));
  }
  std::vector<ir::Move> gather(gathered.back()), scatter(scattered.back());
  parallel(threads, parts.size(), [&](std::size_t i) {
    VertexPart& part = parts[i];
    const BlockShift& moved = shifts[i];
    for (ir::Vertex& vertex : part.vertices) vertex.state = moved(vertex.state);
    for (std::size_t r = part.first_region; r < part.first_region + part.regions; ++r)
      program.regions[r].at = moved(program.regions[r].at);
    for (ir::Move& move : part.gather) move.target = moved(move.target);
    for (ir::Move& move : part.scatter) move.source = moved(move.source);
    std::copy(part.gather.begin(), part.gather.end(), gather.begin() + static_cast<std::ptrdiff_t>(gathered[i]));
    std::copy(part.scatter.begin(), part.scatter.end(), scatter.begin() + static_cast<std::ptrdiff_t>(scattered[i]));
    part = {};
  });
  compute.of_tile = ir::TileIndex::of(order.size(), [&](std::size_t i) { return compute.vertices[i].tile; });
  LoweredComputeSet lowered{.compute = static_cast<std::uint32_t>(program.computes.size())};
  program.computes.push_back(std::move(compute));
  lowered.gather = add_exchange(set.name + "/gather", std::move(gather), program);
  lowered.scatter = add_exchange(set.name + "/scatter", std::move(scatter), program);
  return lowered;
}

}  // namespace tessera::compiler
