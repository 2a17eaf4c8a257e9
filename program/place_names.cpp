#include "program/place_names.h"

#include <algorithm>
#include <tuple>

namespace tessera::names {
namespace {

constexpr unsigned kOverlapping = 32;  // buffers that are looked at behind that which begins nearest: they may overlap

// Calls run(first element, elements, address) for each run of the variable.
template <class Call>
void each_run(const ProgramInfo& program, const Variable& v, const Call& run) {
  if (v.element_bytes == 0) return;
  if (v.first_element != Field::kGathered) return run(v.first_element, v.bytes / v.element_bytes, v.address);
  uint32_t address = v.address;
  for (uint32_t i = v.first_run; i < v.first_run + v.runs; ++i) {
    run(program.runs[i].first_element, program.runs[i].elements, address);
    address += program.runs[i].elements * v.element_bytes;
  }
}

}  // namespace

std::optional<uint64_t> element_at(const ProgramInfo& program, const Variable& v, uint32_t address) {
  std::optional<uint64_t> element;
  each_run(program, v, [&](uint64_t first, uint32_t elements, uint32_t begin) {
    if (const uint32_t offset = (address - begin) / v.element_bytes; address >= begin && offset < elements)
      element = first + offset;
  });
  return element;
}

namespace {

// The variable whose elements the field sees where they lie, among those at its address; null: the field's own memory,
// perhaps that of a variable of the same name which is dead.
const Variable* in_place(const ProgramInfo& program, const Field& field, const std::vector<const Variable*>& there) {
  if (field.kind == FieldKind::kState) return nullptr;
  for (const Variable* variable : there)
    if (variable->name == field.tensor &&
        (field.first_element == Field::kGathered ||
         element_at(program, *variable, field.address) == std::optional(field.first_element)))
      return variable;
  return nullptr;
}

}  // namespace

std::string element_name(const ProgramInfo& program, const Variable& v, uint32_t address) {
  const std::string& name = program.name(v.name);
  const uint32_t offset = address - v.address;
  if (v.element_bytes == 0) return offset == 0 ? name : name + " byte " + std::to_string(offset);
  if (const auto element = element_at(program, v, address)) return name + "[" + std::to_string(*element) + "]";
  return name + "[? " + std::to_string(offset / v.element_bytes) + "]";
}

std::string element_name(const ProgramInfo& program, const Field& f, uint32_t address) {
  const std::string& name = program.name(f.name);
  const uint32_t offset = address - f.address;
  if (f.element_bytes == 0) return offset == 0 ? name : name + " byte " + std::to_string(offset);
  return f.bytes <= f.element_bytes ? name : name + "[" + std::to_string(offset / f.element_bytes) + "]";
}

PlaceNames::PlaceNames(const ProgramInfo& program, uint32_t tile) : program_(program), tile_(tile) {}

void PlaceNames::find_buffers() const {
  found_ = true;
  for (uint32_t v = 0; v < program_.vertices.size(); ++v) {
    const Vertex& vertex = program_.vertices[v];
    if (tile_ != kEveryTile && vertex.tile != tile_) continue;
    for (uint32_t f = vertex.first_field; f < vertex.first_field + vertex.fields; ++f)
      if (const Field& field = program_.fields.at(f); field.bytes != 0)
        buffers_.push_back({vertex.tile, field.address, field.bytes, v, f});
  }
  std::stable_sort(buffers_.begin(), buffers_.end(), [](const Buffer& a, const Buffer& b) {
    return std::tie(a.tile, a.address) < std::tie(b.tile, b.address);
  });
}

PlaceNames::Element PlaceNames::element(const Field& field, uint32_t address) const {
  Element e{field.tensor, Field::kGathered};
  if (field.first_element != Field::kGathered && field.element_bytes != 0)
    e.number = field.first_element + (address - field.address) / field.element_bytes;
  return e;
}

PlaceNames::Found PlaceNames::buffer_at(uint32_t tile, uint32_t address, const Vertex* by, const Step* in,
                                        const std::vector<const Variable*>& there) const {
  if (!found_) find_buffers();
  Found found;
  auto at = std::upper_bound(buffers_.begin(), buffers_.end(), std::tuple(tile, address),
                             [](const auto& key, const Buffer& b) { return key < std::tuple(b.tile, b.address); });
  for (unsigned back = 0; back < kOverlapping && at != buffers_.begin() && (at - 1)->tile == tile; ++back) {
    --at;
    if (address - at->address >= at->bytes) continue;
    const Field& field = program_.fields[at->field];
    if (by != nullptr) {
      if (by == &program_.vertices[at->vertex]) return {&*at, false};
      continue;
    }
    if (field.kind != FieldKind::kInput && field.kind != FieldKind::kInOut) continue;
    if (in_place(program_, field, there) != nullptr || (in != nullptr && !program_.lives_in(field.life, *in))) continue;
    if (found.buffer == nullptr)
      found.buffer = &*at;
    else
      found.shared |= element(program_.fields[found.buffer->field], address) != element(field, address);
  }
  return found;
}

std::vector<const Variable*> PlaceNames::meant(const std::vector<const Variable*>& there, uint32_t address,
                                               const Vertex* by, const Step* in, bool& alone) const {
  alone = there.size() == 1 && there[0]->life == 0;
  if (alone) return {there[0]};
  if (by != nullptr) {
    for (uint32_t f = by->first_field; f < by->first_field + by->fields; ++f) {
      const Field& field = program_.fields[f];
      if (address - field.address >= field.bytes) continue;
      const Variable* variable = in_place(program_, field, there);
      alone = variable != nullptr;
      return alone ? std::vector{variable} : std::vector<const Variable*>{};
    }
    return there;
  }
  std::vector<const Variable*> living;
  for (const Variable* v : there)
    if (in == nullptr || program_.lives_in(v->life, *in)) living.push_back(v);
  return living;
}

std::string PlaceNames::of_buffer(const Buffer& buffer, uint32_t address) const {
  const Vertex& vertex = program_.vertices[buffer.vertex];
  const Field& field = program_.fields[buffer.field];
  const std::string name =
      program_.name(vertex.codelet) + "." + element_name(program_, field, address) + " #" + std::to_string(vertex.id);
  const Element e = element(field, address);
  if (e.tensor == 0) return name;
  return program_.name(e.tensor) + (e.number == Field::kGathered ? "" : "[" + std::to_string(e.number) + "]") + " of " +
         name;
}

PlaceNames::Element PlaceNames::element(uint32_t tile, uint32_t address, const Vertex* by, const Step* in) const {
  const std::vector<const Variable*> there = program_.variables_at(tile, address);
  bool alone = false;
  const std::vector<const Variable*> variables = meant(there, address, by, in, alone);
  const Found found = alone ? Found() : buffer_at(tile, address, by, in, there);
  if (variables.size() + (found.buffer != nullptr ? 1 : 0) != 1 || found.shared) return {};
  if (found.buffer != nullptr) return element(program_.fields[found.buffer->field], address);
  const auto number = element_at(program_, *variables[0], address);
  return {variables[0]->name, number ? *number : Field::kGathered};
}

std::string PlaceNames::of_state(const Vertex& vertex, uint32_t address) const {
  const std::string number = " #" + std::to_string(vertex.id);
  const std::string& codelet = program_.name(vertex.codelet);
  for (uint32_t f = vertex.first_field; f < vertex.first_field + vertex.fields; ++f) {
    const Field& field = program_.fields[f];
    if (address - field.address < field.bytes) return codelet + "." + element_name(program_, field, address) + number;
    if (field.pointer != 0 && address - field.pointer < 4)
      return "pointer of " + codelet + "." + program_.name(field.name) + number;
  }
  return "state of " + codelet + number;
}

std::string PlaceNames::at(uint32_t tile, uint32_t address, const Vertex* by, const Step* in) const {
  const std::vector<const Variable*> there = program_.variables_at(tile, address);
  bool alone = false;
  std::string text;
  const auto add = [&](const std::string& name) { text += (text.empty() ? "" : " or ") + name; };
  for (const Variable* variable : meant(there, address, by, in, alone)) add(element_name(program_, *variable, address));
  if (alone) return text;
  if (const Vertex* vertex = program_.vertex_at(tile, address)) return of_state(*vertex, address);
  if (const Found found = buffer_at(tile, address, by, in, there); found.buffer != nullptr)
    add(found.shared ? "shared buffer" : of_buffer(*found.buffer, address));
  if (!text.empty()) return text;
  for (const Stack& stack : program_.stacks)
    if ((stack.tile == Stack::kEveryTile || stack.tile == tile) && address - stack.address < stack.bytes)
      return "stack of " + (stack.context == 0 ? std::string("sup") : "w" + std::to_string(stack.context - 1));
  return "";
}

std::vector<Span> spans_of(const ProgramInfo& program, const Variable& v, uint64_t first, uint64_t last) {
  std::vector<Span> spans;
  each_run(program, v, [&](uint64_t begin, uint32_t elements, uint32_t address) {
    const uint64_t from = std::max(first, begin), to = std::min(last + 1, begin + elements);
    if (from < to)
      spans.push_back({address + static_cast<uint32_t>(from - begin) * v.element_bytes,
                       static_cast<uint32_t>(to - from) * v.element_bytes});
  });
  return spans;
}

}  // namespace tessera::names
