#include "compiler/passes/debug_info.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::compiler {
namespace {

template <class Places>
void sort_places(Places& places) {
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return a.tile != b.tile ? a.tile < b.tile : a.address < b.address;
  });
}

class FieldPlaces {
 public:
  FieldPlaces(const graph::Graph& graph, const Lowered& lowered, image::DebugInfo& debug)
      : graph_(graph), lowered_(lowered), debug_(debug) {}

  // Vertices come in the order of emit_state().
  void add(const LoweredVertex& vertex) {
    const graph::CodeletId id = graph_.vertices[vertex.id].codelet;
    const graph::CodeletInfo& codelet = graph_.codelets[id].info;
    std::uint32_t region = vertex.first_region;
    const std::uint32_t end = vertex.first_region + vertex.regions;
    const std::uint32_t state = address_of(lowered_.blocks, vertex.state);
    for (std::uint32_t f = 0; f < codelet.fields.size(); ++f) {
      const graph::CodeletField& field = codelet.fields[f];
      const std::uint32_t size = graph::size_of(field.type);
      if (field.is_edge()) {
        for (; region < end && lowered_.regions[region].field == f; ++region) {
          const Region& r = lowered_.regions[region];
          add(id, f, field, r.index, r.at, r.elements * size);
          if (!field.is_list()) debug_.field_places.back().pointer = state + field.offset;
          debug_.field_places.back().variable = r.variable == kNone ? 0 : r.variable + 1;
          debug_.field_places.back().first_element = r.first_element;
        }
      } else if (field.shape == graph::FieldShape::kScalar) {
        add(id, f, field, 0, {vertex.state.block, vertex.state.offset + field.offset}, size);
      } else {
        const StateArray& array = lowered_.state_arrays[next_array_++];
        add(id, f, field, 0, array.at, array.bytes);
        debug_.field_places.back().pointer = state + field.offset;
      }
    }
  }

 private:
  void add(graph::CodeletId codelet, std::uint32_t f, const graph::CodeletField& field, std::uint32_t index, Place at,
           std::uint32_t bytes) {
    const auto [name, added] = names_.emplace(std::tuple(codelet, f, index), debug_.field_names.size());
    if (added)
      debug_.field_names.push_back(field.is_list() ? field.name + "[" + std::to_string(index) + "]" : field.name);
    debug_.field_places.push_back({.address = address_of(lowered_.blocks, at),
                                   .bytes = bytes,
                                   .name = name->second,
                                   .kind = field.kind,
                                   .element_bytes = static_cast<std::uint8_t>(graph::size_of(field.type))});
  }

  const graph::Graph& graph_;
  const Lowered& lowered_;
  image::DebugInfo& debug_;
  std::map<std::tuple<graph::CodeletId, std::uint32_t, std::uint32_t>, std::uint32_t> names_;
  std::size_t next_array_ = 0;
};

// Of each tile that holds one run of elements of a variable: the first of them.
std::map<std::uint32_t, std::uint64_t> first_elements(const graph::Variable& variable) {
  std::map<std::uint32_t, std::uint64_t> first;
  for (const graph::TileInterval& interval : variable.mapping.intervals()) {
    const auto [at, added] = first.emplace(interval.tile, interval.begin);
    if (!added) at->second = image::FieldPlace::kGathered;
  }
  return first;
}

void add_variables(const graph::Graph& graph, const Lowered& lowered, image::DebugInfo& debug) {
  std::map<std::uint32_t, std::uint64_t> first;
  graph::VariableId current = kNone;
  for (const auto& [variable, block] : lowered.variable_blocks) {
    if (variable != current) first = first_elements(graph.variables[variable]);
    current = variable;
    const Block& b = lowered.blocks[block];
    debug.variable_places.push_back({.tile = b.tile,
                                     .address = b.address,
                                     .bytes = b.bytes,
                                     .variable = variable,
                                     .first_element = first.at(b.tile)});
  }
}

void add_stacks(const Text& text, const Lowered& lowered, image::DebugInfo& debug) {
  for (std::uint32_t tile = 0; tile < lowered.stacks.size(); ++tile) {
    if (lowered.stacks[tile] == kNone) continue;
    const std::uint32_t base = lowered.blocks[lowered.stacks[tile]].address;
    debug.stack_places.push_back({tile, 0, base + 6 * text.worker_stack, text.supervisor_stack});
    for (std::uint32_t worker = 0; worker < 6; ++worker)
      debug.stack_places.push_back({tile, worker + 1, base + worker * text.worker_stack, text.worker_stack});
  }
}

}  // namespace

image::DebugInfo make_debug_info(const graph::Graph& graph, const Text& text, const Lowered& lowered,
                                 const ControlCode& code) {
  image::DebugInfo debug;
  debug.symbols = text.symbols;
  debug.steps = code.steps;
  for (const graph::Codelet& codelet : graph.codelets) debug.codelets.push_back(codelet.info.name);
  for (const graph::ComputeSet& set : graph.compute_sets) debug.compute_sets.push_back(set.name);
  for (graph::VariableId id = 0; id < graph.variables.size(); ++id)
    debug.variables.push_back(graph.variables[id].name.empty() ? graph::describe_variable(graph, id)
                                                               : graph.variables[id].name);
  for (const graph::Variable& variable : graph.variables)
    debug.element_bytes.push_back(static_cast<std::uint8_t>(graph::size_of(variable.type)));
  debug.elf = text.elf;
  FieldPlaces fields(graph, lowered, debug);
  for (const Compute& compute : lowered.computes) {
    for (const LoweredVertex& vertex : compute.vertices) {
      const graph::Vertex& source = graph.vertices[vertex.id];
      const auto first_field = static_cast<std::uint32_t>(debug.field_places.size());
      fields.add(vertex);
      debug.vertex_places.push_back({.tile = source.tile,
                                     .address = address_of(lowered.blocks, vertex.state),
                                     .bytes = std::max(graph.codelets[source.codelet].info.state_size, 4u),
                                     .vertex = vertex.id,
                                     .codelet = source.codelet,
                                     .compute_set = compute.id,
                                     .worker = vertex.worker,
                                     .first_field = first_field,
                                     .fields = static_cast<std::uint32_t>(debug.field_places.size()) - first_field});
    }
  }
  add_variables(graph, lowered, debug);
  add_stacks(text, lowered, debug);
  sort_places(debug.vertex_places);
  sort_places(debug.variable_places);
  for (std::uint32_t tile = 0; tile < lowered.tiles; ++tile) {
    const TileCode& tile_code = code.tiles[tile];
    const std::uint32_t base = lowered.blocks[tile_code.block].address;
    for (const StepMark& mark : tile_code.marks) debug.step_places.push_back({tile, base + mark.offset, mark.step});
  }
  return debug;
}

}  // namespace tessera::compiler
