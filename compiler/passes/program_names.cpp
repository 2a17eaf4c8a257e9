#include "compiler/passes/program_names.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "program/name_table.h"

namespace tessera::compiler {
namespace {

using names::Name;
using names::NameTable;
using names::ProgramInfo;

template <class Places>
void sort_places(Places& places) {
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return a.tile != b.tile ? a.tile < b.tile : a.address < b.address;
  });
}

class FieldPlaces {
 public:
  FieldPlaces(const graph::Graph& graph, const Lowered& lowered, const std::vector<Name>& variables, ProgramInfo& info,
              NameTable& names)
      : graph_(graph), lowered_(lowered), variables_(variables), info_(info), names_(names) {}

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
          names::Field& place = add(id, f, field, r.index, r.at, r.elements * size);
          if (!field.is_list()) place.pointer = state + field.offset;
          if (r.variable != kNone) place.tensor = variables_[r.variable];
          place.first_element = r.first_element;
        }
      } else if (field.shape == graph::FieldShape::kScalar) {
        add(id, f, field, 0, {vertex.state.block, vertex.state.offset + field.offset}, size);
      } else {
        const StateArray& array = lowered_.state_arrays[next_array_++];
        add(id, f, field, 0, array.at, array.bytes).pointer = state + field.offset;
      }
    }
  }

 private:
  names::Field& add(graph::CodeletId codelet, std::uint32_t f, const graph::CodeletField& field, std::uint32_t index,
                    Place at, std::uint32_t bytes) {
    const auto [known, added] = known_.emplace(std::tuple(codelet, f, index), 0);
    if (added) known->second = names_.of(field.is_list() ? field.name + "[" + std::to_string(index) + "]" : field.name);
    info_.fields.push_back({.name = known->second,
                            .kind = field.kind,
                            .address = address_of(lowered_.blocks, at),
                            .bytes = bytes,
                            .element_bytes = static_cast<std::uint8_t>(graph::size_of(field.type))});
    return info_.fields.back();
  }

  const graph::Graph& graph_;
  const Lowered& lowered_;
  const std::vector<Name>& variables_;
  ProgramInfo& info_;
  NameTable& names_;
  std::map<std::tuple<graph::CodeletId, std::uint32_t, std::uint32_t>, Name> known_;
  std::size_t next_array_ = 0;
};

// The elements of a variable that each tile holds, in the order of its memory.
using Runs = std::map<std::uint32_t, std::vector<names::ElementRun>>;
Runs runs_of(const graph::Variable& variable) {
  Runs runs;
  for (const graph::TileInterval& interval : variable.mapping.intervals())
    runs[interval.tile].push_back({interval.begin, static_cast<std::uint32_t>(interval.end - interval.begin)});
  return runs;
}

void add_variables(const graph::Graph& graph, const Lowered& lowered, const std::vector<Name>& names, ProgramInfo& info,
                   NameTable& texts) {
  Runs runs;
  graph::VariableId current = kNone;
  for (const auto& [id, block] : lowered.variable_blocks) {
    const graph::Variable& variable = graph.variables[id];
    if (id != current) runs = runs_of(variable);
    current = id;
    const Block& b = lowered.blocks[block];
    const std::vector<names::ElementRun>& held = runs.at(b.tile);
    info.variables.push_back({.tile = b.tile,
                              .address = b.address,
                              .bytes = b.bytes,
                              .name = names[id],
                              .element_bytes = static_cast<std::uint8_t>(graph::size_of(variable.type)),
                              .first_element = held.size() == 1 ? held[0].first_element : names::Field::kGathered,
                              .id = id,
                              .type = texts.of(std::string(graph::name_of(variable.type)))});
    if (held.size() == 1) continue;
    info.variables.back().first_run = static_cast<std::uint32_t>(info.runs.size());
    info.variables.back().runs = static_cast<std::uint32_t>(held.size());
    info.runs.insert(info.runs.end(), held.begin(), held.end());
  }
}

void add_initial(const Lowered& lowered, ProgramInfo& info) {
  for (const Content& content : lowered.contents)
    if (const Block& block = lowered.blocks[content.at.block]; block.use == BlockUse::kVariable)
      info.initial.push_back(
          {block.tile, block.address + content.at.offset, static_cast<std::uint32_t>(content.bytes.size())});
}

void add_stacks(const Text& text, const Lowered& lowered, ProgramInfo& info) {
  for (std::uint32_t tile = 0; tile < lowered.stacks.size(); ++tile) {
    if (lowered.stacks[tile] == kNone) continue;
    const std::uint32_t base = lowered.blocks[lowered.stacks[tile]].address;
    info.stacks.push_back({tile, base + 6 * text.worker_stack, text.supervisor_stack, 0});
    for (std::uint8_t worker = 0; worker < 6; ++worker)
      info.stacks.push_back(
          {tile, base + worker * text.worker_stack, text.worker_stack, static_cast<std::uint8_t>(worker + 1)});
  }
}

}  // namespace

ProgramInfo program_names(const graph::Graph& graph, const Text& text, const Lowered& lowered,
                          const ControlCode& code) {
  ProgramInfo info;
  NameTable names(info.names);
  std::vector<Name> codelets, sets, variables, steps;
  for (const graph::Codelet& codelet : graph.codelets) codelets.push_back(names.of(codelet.info.name));
  for (const graph::ComputeSet& set : graph.compute_sets) sets.push_back(names.of(set.name));
  for (graph::VariableId id = 0; id < graph.variables.size(); ++id)
    variables.push_back(
        names.of(graph.variables[id].name.empty() ? graph::describe_variable(graph, id) : graph.variables[id].name));
  for (const std::string& step : code.steps) steps.push_back(names.of(step));
  for (const TextSymbol& symbol : text.symbols)
    info.symbols.push_back({symbol.address, symbol.bytes, names.of(symbol.name)});
  info.elf = text.elf;
  FieldPlaces fields(graph, lowered, variables, info, names);
  for (const Compute& compute : lowered.computes) {
    for (const LoweredVertex& vertex : compute.vertices) {
      const graph::Vertex& source = graph.vertices[vertex.id];
      const auto first_field = static_cast<std::uint32_t>(info.fields.size());
      fields.add(vertex);
      info.vertices.push_back({.tile = source.tile,
                               .address = address_of(lowered.blocks, vertex.state),
                               .bytes = std::max(graph.codelets[source.codelet].info.state_size, 4u),
                               .id = vertex.id,
                               .worker = static_cast<std::uint8_t>(vertex.worker),
                               .codelet = codelets[source.codelet],
                               .compute_set = sets[compute.id],
                               .first_field = first_field,
                               .fields = static_cast<std::uint32_t>(info.fields.size()) - first_field});
    }
  }
  add_variables(graph, lowered, variables, info, names);
  add_initial(lowered, info);
  add_stacks(text, lowered, info);
  sort_places(info.vertices);
  sort_places(info.variables);
  sort_places(info.initial);
  for (std::uint32_t tile = 0; tile < lowered.tiles; ++tile) {
    const TileCode& tile_code = code.tiles[tile];
    const std::uint32_t base = lowered.blocks[tile_code.block].address;
    for (const StepMark& mark : tile_code.marks)
      info.steps.push_back({tile, base + mark.offset, steps[mark.step], mark.step});
  }
  return info;
}

}  // namespace tessera::compiler
