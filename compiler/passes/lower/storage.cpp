#include "compiler/passes/lower/storage.h"

#include <algorithm>

#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {

Storage::Storage(const graph::Graph& graph, ir::Program& program)
    : graph_(graph),
      program_(program),
      placed_(graph.variables.size()),
      block_of_tile_(std::max(graph.num_tiles, program.tiles), ir::kNone) {}

void Storage::place(graph::VariableId id) {
  if (!placed_[id].done) map_to_tiles(id);
}

void Storage::map_to_tiles(graph::VariableId id) {
  const graph::Variable& variable = graph_.variables[id];
  const std::size_t size = graph::size_of(variable.type);
  Placed& placed = placed_[id];
  placed.done = true;
  placed.intervals.reserve(variable.mapping.intervals().size());
  for (const graph::TileInterval& interval : variable.mapping.intervals()) {
    std::uint32_t& block = block_of_tile_[interval.tile];
    if (block == ir::kNone) {
      block = ir::add_block(program_.blocks, {.tile = interval.tile, .variable = id});
    }
    placed.intervals.push_back({block, program_.blocks[block].bytes});
    program_.blocks[block].bytes = tile_bytes(program_.blocks[block].bytes + (interval.end - interval.begin) * size,
                                              interval.tile, [&] { return graph::describe_variable(graph_, id); });
  }
  for (const graph::TileInterval& interval : variable.mapping.intervals()) block_of_tile_[interval.tile] = ir::kNone;
  fill(id);
}

void Storage::fill(graph::VariableId id) {
  const graph::Variable& variable = graph_.variables[id];
  const std::size_t size = graph::size_of(variable.type);
  if (variable.constant) {
    if (variable.constant_bytes.size() == variable.num_elements * size) {
      add_content(id, 0, variable.constant_bytes);
    } else {
      std::vector<std::uint8_t> bytes(variable.num_elements * size);
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = variable.constant_bytes[i % size];
      add_content(id, 0, bytes);
    }
  }
  bool differs = false;  // so far
  for (const graph::InitialData& data : variable.initial) {
    add_content(id, data.begin, data.bytes);
    differs = differs || !data.other_replicas.empty();
    if (differs) add_replica_content(id, data);
  }
}

// visit(place, first, last) for what is placed of `bytes` bytes from element `begin` on: bytes [first, last) of them.
template <class Visit>
void Storage::visit_content(graph::VariableId id, std::size_t begin, std::size_t bytes, const Visit& visit) const {
  const graph::Variable& variable = graph_.variables[id];
  const std::size_t size = graph::size_of(variable.type);
  const std::size_t end = begin + bytes / size;
  const auto& intervals = variable.mapping.intervals();
  for (std::size_t i = variable.mapping.find(begin); i < intervals.size() && intervals[i].begin < end; ++i) {
    const std::size_t from = std::max(begin, intervals[i].begin), to = std::min(end, intervals[i].end);
    ir::Place at = placed_[id].intervals[i];
    at.offset += (from - intervals[i].begin) * size;
    visit(at, (from - begin) * size, (to - begin) * size);
  }
}

void Storage::add_content(graph::VariableId id, std::size_t begin, const std::vector<std::uint8_t>& bytes) {
  visit_content(id, begin, bytes.size(), [&](const ir::Place& at, std::size_t first, std::size_t last) {
    program_.contents.push_back({at, {bytes.begin() + first, bytes.begin() + last}});
  });
}

void Storage::add_replica_content(graph::VariableId id, const graph::InitialData& data) {
  visit_content(id, data.begin, data.bytes.size(), [&](const ir::Place& at, std::size_t first, std::size_t last) {
    ir::ReplicaContent content{at, {{data.bytes.begin() + first, data.bytes.begin() + last}}};
    for (std::size_t other = 0; other + 1 < graph_.replicas; ++other) {
      const std::vector<std::uint8_t>& bytes = data.other_replicas.empty() ? data.bytes : data.other_replicas[other];
      content.bytes.emplace_back(bytes.begin() + first, bytes.begin() + last);
    }
    program_.replica_contents.push_back(std::move(content));
  });
}

void Storage::place_all(const graph::TensorView& view) {
  view.for_each_variable([&](graph::VariableId id) { place(id); });
}

template <class Visit>
void Storage::visit_placed(const graph::TensorView& view, const Visit& visit) const {
  ir::Span pending;
  const auto give = [&](const ir::Place& at, std::uint32_t bytes) {
    if (pending.bytes != 0 && pending.at.block == at.block && pending.at.offset + pending.bytes == at.offset) {
      pending.bytes += bytes;
      return;
    }
    if (pending.bytes != 0) visit(pending);
    pending = {at, bytes};
  };
  view.for_each_run([&](const graph::VariableRun& run) {
    const graph::Variable& variable = graph_.variables[run.variable];
    const std::size_t size = graph::size_of(variable.type);
    const auto& intervals = variable.mapping.intervals();
    for (std::size_t i = variable.mapping.find(run.begin); i < intervals.size() && intervals[i].begin < run.end; ++i) {
      const std::size_t from = std::max(run.begin, intervals[i].begin), to = std::min(run.end, intervals[i].end);
      ir::Place at = placed_[run.variable].intervals[i];
      at.offset += (from - intervals[i].begin) * size;
      give(at, (to - from) * size);
    }
  });
  if (pending.bytes != 0) visit(pending);
}

void Storage::for_each_span(const graph::TensorView& view, const std::function<void(const ir::Span&)>& visit) {
  place_all(view);
  visit_placed(view, visit);
}

std::vector<ir::Span> Storage::spans(const graph::TensorView& view) {
  place_all(view);
  std::vector<ir::Span> spans;
  spans_of_placed(view, spans);
  return spans;
}

void Storage::spans_of_placed(const graph::TensorView& view, std::vector<ir::Span>& spans) const {
  spans.clear();
  visit_placed(view, [&](const ir::Span& span) { spans.push_back(span); });
}

}  // namespace tessera::compiler
