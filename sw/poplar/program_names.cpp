#include "sw/poplar/program_names.h"

#include <map>

namespace tessera::runtime {
namespace {

class Names {
 public:
  explicit Names(std::vector<std::string>& names) : names_(names) { known_[""] = 0; }

  inspect::Name of(const std::string& text) {
    const auto [at, added] = known_.emplace(text, names_.size());
    if (added) names_.push_back(text);
    return at->second;
  }
  std::vector<inspect::Name> of(const std::vector<std::string>& texts) {
    std::vector<inspect::Name> result;
    for (const std::string& text : texts) result.push_back(of(text));
    return result;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, inspect::Name> known_;
};

inspect::FieldKind kind_of(graph::FieldKind kind) {
  switch (kind) {
    case graph::FieldKind::kInput:
      return inspect::FieldKind::kInput;
    case graph::FieldKind::kOutput:
      return inspect::FieldKind::kOutput;
    case graph::FieldKind::kInOut:
      return inspect::FieldKind::kInOut;
    case graph::FieldKind::kState:
      break;
  }
  return inspect::FieldKind::kState;
}

}  // namespace

inspect::ProgramInfo program_names(const image::Executable& executable, const std::string& title) {
  const image::DebugInfo& debug = executable.debug;
  inspect::ProgramInfo program;
  program.title = title;
  program.machine_hash = executable.machine_hash;
  program.elf = debug.elf;

  Names names(program.names);
  const auto codelets = names.of(debug.codelets), sets = names.of(debug.compute_sets),
             variables = names.of(debug.variables), steps = names.of(debug.steps), fields = names.of(debug.field_names);
  for (const image::SymbolRange& symbol : debug.symbols)
    program.symbols.push_back({symbol.address, symbol.bytes, names.of(symbol.name)});
  program.vertices.reserve(debug.vertex_places.size());
  for (const image::VertexPlace& v : debug.vertex_places) {
    program.vertices.push_back({.tile = v.tile,
                                .address = v.address,
                                .bytes = v.bytes,
                                .id = v.vertex,
                                .worker = static_cast<uint8_t>(v.worker),
                                .codelet = codelets.at(v.codelet),
                                .compute_set = sets.at(v.compute_set),
                                .first_field = v.first_field,
                                .fields = v.fields});
  }
  program.fields.reserve(debug.field_places.size());
  for (const image::FieldPlace& f : debug.field_places) {
    program.fields.push_back({.name = fields.at(f.name),
                              .kind = kind_of(f.kind),
                              .address = f.address,
                              .bytes = f.bytes,
                              .tensor = f.variable == 0 ? 0 : variables.at(f.variable - 1),
                              .first_element = f.first_element,
                              .element_bytes = f.element_bytes,
                              .pointer = f.pointer});
  }
  static_assert(inspect::Field::kGathered == image::FieldPlace::kGathered);
  program.variables.reserve(debug.variable_places.size());
  for (const image::VariablePlace& v : debug.variable_places)
    program.variables.push_back(
        {v.tile, v.address, v.bytes, variables.at(v.variable), debug.element_bytes.at(v.variable), v.first_element});
  for (const image::StepPlace& s : debug.step_places) program.steps.push_back({s.tile, s.pc, steps.at(s.step)});
  for (const image::StackPlace& s : debug.stack_places)
    program.stacks.push_back({s.tile, s.address, s.bytes, static_cast<uint8_t>(s.context)});
  return program;
}

}  // namespace tessera::runtime
