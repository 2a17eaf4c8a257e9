#include "compiler/passes/program_names.h"

#include <algorithm>
#include <map>

#include "program/name_table.h"

namespace tessera::compiler {
namespace {

using names::Name;
using names::NameTable;
using names::ProgramInfo;

// The tiles of a chip among all.
struct ChipTiles {
  std::uint32_t first, end;

  bool has(std::uint32_t tile) const { return first <= tile && tile < end; }
};

template <class Places>
void sort_places(Places& places) {
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
    return a.tile != b.tile ? a.tile < b.tile : a.address < b.address;
  });
}

class FieldPlaces {
 public:
  FieldPlaces(const graph::Graph& graph, const LaidOut& program, const std::vector<Name>& variables, ProgramInfo& info,
              NameTable& names)
      : graph_(graph),
        regions_(program.input.program.regions),
        arrays_(program.input.state.arrays),
        layout_(program.layout),
        lives_(program.lives),
        variables_(variables),
        info_(info),
        names_(names),
        known_(graph.codelets.size()) {}

  // Vertices come in the order of emit_state().
  void add(const ir::Vertex& vertex) {
    const graph::CodeletId id = vertex.codelet;
    const graph::CodeletInfo& codelet = graph_.codelets[id].info;
    std::uint32_t region = vertex.first_region;
    const std::uint32_t end = vertex.first_region + vertex.regions;
    const std::uint32_t state = layout_.address_of(vertex.state);
    for (std::uint32_t f = 0; f < codelet.fields.size(); ++f) {
      const graph::CodeletField& field = codelet.fields[f];
      const std::uint32_t size = graph::size_of(field.type);
      if (field.is_edge()) {
        for (; region < end && regions_[region].field == f; ++region) {
          const ir::Region& r = regions_[region];
          names::Field& place = add(id, f, field, r.index, r.at, r.elements * r.element_bytes);
          place.kind = r.access;
          if (!field.is_list()) place.pointer = state + field.offset;
          if (r.variable != ir::kNone) place.tensor = variables_[r.variable];
          place.first_element = r.first_element;
        }
      } else if (field.shape == graph::FieldShape::kScalar) {
        add(id, f, field, 0, {vertex.state.block, vertex.state.offset + field.offset}, size);
      } else {
        const StateArray& array = arrays_[next_array_++];
        add(id, f, field, 0, array.at, array.bytes).pointer = state + field.offset;
      }
    }
  }

  // A vertex of another chip.
  void pass(const ir::Vertex& vertex) {
    for (const graph::CodeletField& field : graph_.codelets[vertex.codelet].info.fields)
      if (!field.is_edge() && field.shape != graph::FieldShape::kScalar) ++next_array_;
  }

 private:
  names::Field& add(graph::CodeletId codelet, std::uint32_t f, const graph::CodeletField& field, std::uint32_t index,
                    ir::Place at, std::uint32_t bytes) {
    info_.fields.push_back({.name = name_of(codelet, f, field, index),
                            .kind = field.kind,
                            .address = layout_.address_of(at),
                            .bytes = bytes,
                            .element_bytes = static_cast<std::uint8_t>(graph::size_of(field.type)),
                            .life = lives_.number_of(at.block)});
    return info_.fields.back();
  }

  Name name_of(graph::CodeletId codelet, std::uint32_t f, const graph::CodeletField& field, std::uint32_t index) {
    std::vector<std::vector<Name>>& known = known_[codelet];
    known.resize(graph_.codelets[codelet].info.fields.size());
    while (known[f].size() <= index)
      known[f].push_back(
          names_.of(field.is_list() ? field.name + "[" + std::to_string(known[f].size()) + "]" : field.name));
    return known[f][index];
  }

  const graph::Graph& graph_;
  const std::vector<ir::Region>& regions_;
  const std::vector<StateArray>& arrays_;
  const Layout& layout_;
  const Lives& lives_;
  const std::vector<Name>& variables_;
  ProgramInfo& info_;
  NameTable& names_;
  std::vector<std::vector<std::vector<Name>>> known_;  // by codelet, field and entry
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

void add_variables(const graph::Graph& graph, const LaidOut& program, const ChipTiles& tiles,
                   const std::vector<Name>& names, ProgramInfo& info, NameTable& texts) {
  Runs runs;
  graph::VariableId current = ir::kNone;
  for (ir::BlockId block = 0; block < program.blocks.size(); ++block) {
    const ir::Block& b = program.blocks[block];
    const graph::VariableId id = b.variable;
    if (id == ir::kNone || !tiles.has(b.tile)) continue;
    const graph::Variable& variable = graph.variables[id];
    if (id != current) runs = runs_of(variable);
    current = id;
    const std::vector<names::ElementRun>& held = runs.at(b.tile);
    info.variables.push_back({.tile = b.tile - tiles.first,
                              .address = program.layout.addresses[block],
                              .bytes = b.bytes,
                              .name = names[id],
                              .element_bytes = static_cast<std::uint8_t>(graph::size_of(variable.type)),
                              .first_element = held.size() == 1 ? held[0].first_element : names::Field::kGathered,
                              .id = id,
                              .type = texts.of(std::string(graph::name_of(variable.type))),
                              .life = program.lives.number_of(block)});
    if (held.size() == 1) continue;
    info.variables.back().first_run = static_cast<std::uint32_t>(info.runs.size());
    info.variables.back().runs = static_cast<std::uint32_t>(held.size());
    info.runs.insert(info.runs.end(), held.begin(), held.end());
  }
}

void add_lives(const Lives& lives, ProgramInfo& info) {
  info.lives.clear();
  for (const Life& life : lives.lives) {
    info.lives.push_back({static_cast<std::uint32_t>(info.intervals.size()), static_cast<std::uint32_t>(life.size())});
    for (const Interval& i : life) info.intervals.push_back({i.first, i.last});
  }
}

// Step 0 is the wait for the host, the others are those of the bodies.
names::Step points_of_step(const LaidOut& program, std::uint32_t id) {
  if (id == 0) return {.id = 0, .point = 0, .points = 1};
  const std::vector<StepPlace>& places = program.lives.points.steps;
  const std::vector<std::uint32_t>& first = program.code.first_steps;
  const std::size_t end = id + 1 < first.size() ? first[id + 1] : places.size();
  const std::uint32_t own = places[first[id]].own;
  return {.id = id, .point = own, .points = places[end - 1].own - own + 1};
}

void add_initial(const LaidOut& program, const ChipTiles& tiles, ProgramInfo& info) {
  for (const ir::Content& content : program.input.program.contents)
    if (const std::uint32_t tile = program.blocks[content.at.block].tile; tiles.has(tile))
      info.initial.push_back({tile - tiles.first, program.layout.address_of(content.at),
                              static_cast<std::uint32_t>(content.bytes.size())});
}

void add_stacks(const LaidOut& program, const ChipTiles& tiles, ProgramInfo& info) {
  const Text& text = program.input.text;
  const std::vector<ir::BlockId>& stacks = program.input.state.stacks;
  for (std::uint32_t tile = 0; tile < tiles.end - tiles.first; ++tile) {
    const ir::BlockId stack = stacks[tiles.first + tile];
    if (stack == ir::kNone) continue;
    const std::uint32_t base = program.layout.addresses[stack];
    info.stacks.push_back({tile, base + 6 * text.worker_stack, text.supervisor_stack, 0});
    for (std::uint8_t worker = 0; worker < 6; ++worker)
      info.stacks.push_back(
          {tile, base + worker * text.worker_stack, text.worker_stack, static_cast<std::uint8_t>(worker + 1)});
  }
}

}  // namespace

ProgramInfo program_names(const graph::Graph& graph, const LaidOut& program, std::uint32_t chip) {
  const std::uint32_t tiles_of_chip = program.input.program.tiles_of_chip();
  const ChipTiles tiles{chip * tiles_of_chip, (chip + 1) * tiles_of_chip};
  const Text& text = program.input.text;
  const ControlCode& code = program.code;
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
  for (const TextRoom& room : program.layout.text_rooms)
    if (tiles.has(room.tile))
      info.no_text.push_back({room.tile - tiles.first, room.range.begin, room.range.end - room.range.begin});
  info.fields.reserve(program.input.program.regions.size() / program.input.program.chips);
  FieldPlaces fields(graph, program, variables, info, names);
  for (const ir::Compute& compute : program.input.program.computes) {
    for (const ir::Vertex& vertex : compute.vertices) {
      if (!tiles.has(vertex.tile)) {
        fields.pass(vertex);
        continue;
      }
      const auto first_field = static_cast<std::uint32_t>(info.fields.size());
      fields.add(vertex);
      info.vertices.push_back({.tile = vertex.tile - tiles.first,
                               .address = program.layout.address_of(vertex.state),
                               .bytes = std::max(graph.codelets[vertex.codelet].info.state_size, 4u),
                               .id = vertex.id,
                               .worker = static_cast<std::uint8_t>(vertex.worker),
                               .codelet = codelets[vertex.codelet],
                               .compute_set = sets[compute.id],
                               .first_field = first_field,
                               .fields = static_cast<std::uint32_t>(info.fields.size()) - first_field});
    }
  }
  add_variables(graph, program, tiles, variables, info, names);
  add_initial(program, tiles, info);
  add_lives(program.lives, info);
  add_stacks(program, tiles, info);
  sort_places(info.vertices);
  sort_places(info.variables);
  overlay(info);
  sort_places(info.initial);
  for (std::uint32_t tile = 0; tile < tiles_of_chip; ++tile) {
    const TileCode& tile_code = code.tiles[tiles.first + tile];
    const std::uint32_t base = program.layout.addresses[tile_code.block];
    for (const StepMark& mark : tile_code.marks) {
      const names::Step own = points_of_step(program, mark.step);
      info.steps.push_back({.tile = tile,
                            .pc = base + mark.offset,
                            .what = steps[mark.step],
                            .id = own.id,
                            .point = own.point,
                            .points = own.points,
                            .first_call = static_cast<std::uint32_t>(info.calls.size()),
                            .calls = static_cast<std::uint32_t>(mark.calls.size())});
      for (const StepCall& call : mark.calls) {
        const names::Step called = points_of_step(program, call.step);
        info.calls.push_back({.table = program.layout.address_of(call.table),
                              .what = steps[call.step],
                              .id = called.id,
                              .point = called.point,
                              .points = called.points});
      }
      std::sort(info.calls.end() - static_cast<std::ptrdiff_t>(mark.calls.size()), info.calls.end(),
                [](const names::StepCall& a, const names::StepCall& b) { return a.table < b.table; });
    }
  }
  return info;
}

}  // namespace tessera::compiler
