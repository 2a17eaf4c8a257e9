#include "inspect/waves/places.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::inspect::waves {

Places::Places(const names::ProgramInfo& program, unsigned tile) : program_(program), tile_(tile) {
  for (uint32_t v = 0; v < program.vertices.size(); ++v) {
    const names::Vertex& vertex = program.vertices[v];
    if (vertex.tile != tile) continue;
    for (uint32_t f = vertex.first_field; f < vertex.first_field + vertex.fields; ++f) {
      const names::Field& field = program.fields.at(f);
      if (field.bytes != 0 && field.first_element == names::Field::kGathered)
        buffers_.push_back({field.address, field.bytes, v, f});
    }
  }
  std::stable_sort(buffers_.begin(), buffers_.end(),
                   [](const Buffer& a, const Buffer& b) { return a.address < b.address; });
}

std::string Places::at(uint32_t address) const {
  if (const names::Variable* variable = program_.variable_at(tile_, address)) return program_.name(variable->name);
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](uint32_t key, const Buffer& buffer) { return key < buffer.address; });
  if (after != buffers_.begin() && address - (after - 1)->address < (after - 1)->bytes) {
    const names::Vertex& vertex = program_.vertices[(after - 1)->vertex];
    const names::Field& field = program_.fields[(after - 1)->field];
    const std::string name =
        fmt::format("{}.{} #{}", program_.name(vertex.codelet), program_.name(field.name), vertex.id);
    return field.tensor == 0 ? name : program_.name(field.tensor) + " of " + name;
  }
  for (const names::Stack& stack : program_.stacks)
    if ((stack.tile == names::Stack::kEveryTile || stack.tile == tile_) && address - stack.address < stack.bytes)
      return "stack";
  return "";
}

}  // namespace tessera::inspect::waves
