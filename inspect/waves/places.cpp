#include "inspect/waves/places.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::inspect::waves {

Places::Places(const ProgramInfo& program, unsigned tile) : program_(program), tile_(tile) {
  for (uint32_t v = 0; v < program.vertices.size(); ++v) {
    const Vertex& vertex = program.vertices[v];
    if (vertex.tile != tile) continue;
    for (uint32_t f = vertex.first_field; f < vertex.first_field + vertex.fields; ++f) {
      const Field& field = program.fields.at(f);
      if (field.bytes != 0 && field.first_element == Field::kGathered)
        buffers_.push_back({field.address, field.bytes, v, f});
    }
  }
  std::stable_sort(buffers_.begin(), buffers_.end(),
                   [](const Buffer& a, const Buffer& b) { return a.address < b.address; });
}

std::string Places::at(uint32_t address) const {
  if (const Variable* variable = program_.variable_at(tile_, address)) return program_.name(variable->name);
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](uint32_t key, const Buffer& buffer) { return key < buffer.address; });
  if (after != buffers_.begin() && address - (after - 1)->address < (after - 1)->bytes) {
    const Vertex& vertex = program_.vertices[(after - 1)->vertex];
    const Field& field = program_.fields[(after - 1)->field];
    const std::string name =
        fmt::format("{}.{} #{}", program_.name(vertex.codelet), program_.name(field.name), vertex.id);
    return field.tensor == 0 ? name : program_.name(field.tensor) + " of " + name;
  }
  for (const Stack& stack : program_.stacks)
    if ((stack.tile == Stack::kEveryTile || stack.tile == tile_) && address - stack.address < stack.bytes)
      return "stack";
  return "";
}

}  // namespace tessera::inspect::waves
