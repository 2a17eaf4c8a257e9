#include "compiler/passes/vertices/vertex_state.h"

#include <algorithm>

#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

using graph::CodeletField;
using graph::FieldShape;

constexpr std::uint32_t kPointer = 4, kSpanSize = 8;

// The bytes of one block while they are being written.
struct Writing {
  ir::BlockId block;
  std::vector<std::uint8_t> bytes;

  void word(std::uint32_t offset, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
  }
  std::uint32_t grow(std::uint32_t size, std::uint32_t align) {
    const std::uint32_t offset = ir::round_up(bytes.size(), align);
    bytes.resize(offset + size);
    return offset;
  }
};

class TileStates {
 public:
  TileStates(const graph::Graph& graph, const ir::Program& program, ir::BlockId states, ir::BlockId arrays,
             ir::Blocks& blocks, LoadData& load)
      : graph_(graph),
        program_(program),
        blocks_(blocks),
        load_(load),
        states_{states, std::vector<std::uint8_t>(blocks[states].bytes)},
        arrays_{arrays, {}} {}

  void add(const ir::Vertex& vertex) {
    const graph::Vertex& source = graph_.vertices[vertex.id];
    const graph::CodeletInfo& codelet = graph_.codelets[source.codelet].info;
    const std::uint32_t base = vertex.state.offset;
    std::uint32_t region = vertex.first_region;
    const std::uint32_t end = vertex.first_region + vertex.regions;
    for (std::uint32_t f = 0; f < codelet.fields.size(); ++f) {
      const CodeletField& field = codelet.fields[f];
      if (!field.is_edge()) {
        add_state(source, f, field, base);
        continue;
      }
      const std::uint32_t first = region;
      while (region < end && program_.regions[region].field == f) ++region;
      if (field.is_list())
        add_list(field, base + field.offset, first, region);
      else if (first < region)
        add_edge(base + field.offset, states_, field.shape == FieldShape::kVector ? field.layout : kNoLength,
                 program_.regions[first]);
    }
  }

  std::vector<StateArray> finish() {
    blocks_[arrays_.block].bytes = arrays_.bytes.size();
    load_.contents.push_back({{states_.block, 0}, std::move(states_.bytes)});
    if (!arrays_.bytes.empty()) load_.contents.push_back({{arrays_.block, 0}, std::move(arrays_.bytes)});
    return std::move(made_);
  }

 private:
  static constexpr graph::VectorLayout kNoLength = graph::VectorLayout::kOnePtr;

  void add_edge(std::uint32_t offset, Writing& to, graph::VectorLayout layout, const ir::Region& region) {
    load_.pointers.push_back({{to.block, offset}, region.at});
    if (layout == graph::VectorLayout::kSpan) to.word(offset + kPointer, region.elements);
  }

  void add_list(const CodeletField& field, std::uint32_t offset, std::uint32_t first, std::uint32_t last) {
    const graph::VectorLayout inner = field.shape == FieldShape::kList ? field.inner_layout : kNoLength;
    const std::uint32_t entry = inner == graph::VectorLayout::kSpan ? kSpanSize : kPointer;
    const std::uint32_t array = arrays_.grow((last - first) * entry, 4);
    load_.pointers.push_back({{states_.block, offset}, {arrays_.block, array}});
    if (field.layout == graph::VectorLayout::kSpan) states_.word(offset + kPointer, last - first);
    for (std::uint32_t i = first; i < last; ++i)
      add_edge(array + (i - first) * entry, arrays_, inner, program_.regions[i]);
  }

  void add_state(const graph::Vertex& vertex, std::uint32_t f, const CodeletField& field, std::uint32_t base) {
    const auto value = std::find_if(vertex.values.begin(), vertex.values.end(),
                                    [&](const graph::FieldValue& v) { return v.field == f; });
    const bool has_value = value != vertex.values.end();
    if (field.shape == FieldShape::kScalar) {
      if (has_value) std::copy(value->bytes.begin(), value->bytes.end(), states_.bytes.begin() + base + field.offset);
      return;
    }
    const std::uint32_t size = graph::size_of(field.type);
    std::uint64_t count = has_value ? value->bytes.size() / size : 0;
    for (const graph::FieldSize& s : vertex.sizes)
      if (s.field == f) count = std::max<std::uint64_t>(count, s.size);
    const auto what = [&] {
      return "vector '" + field.name + "' of a vertex of " + graph_.codelets[vertex.codelet].info.name;
    };
    const std::uint32_t bytes = tile_bytes(bytes_of(count, size), vertex.tile, what), elements = bytes / size;
    tile_bytes(std::uint64_t{arrays_.bytes.size()} + bytes, vertex.tile, what);
    const std::uint32_t array = arrays_.grow(bytes, std::max({field.min_align, size, 4u}));
    made_.push_back({{arrays_.block, array}, bytes});
    load_.pointers.push_back({{states_.block, base + field.offset}, {arrays_.block, array}});
    if (field.layout == graph::VectorLayout::kSpan) states_.word(base + field.offset + kPointer, elements);
    if (has_value) std::copy(value->bytes.begin(), value->bytes.end(), arrays_.bytes.begin() + array);
  }

  const graph::Graph& graph_;
  const ir::Program& program_;
  ir::Blocks& blocks_;
  LoadData& load_;
  std::vector<StateArray> made_;
  Writing states_;
  Writing arrays_;
};

}  // namespace

std::vector<StateArray> emit_vertex_states(const graph::Graph& graph, const ir::Program& program,
                                           std::span<const ir::Vertex> vertices, ir::BlockId arrays, ir::Blocks& blocks,
                                           LoadData& load) {
  TileStates states(graph, program, vertices.front().state.block, arrays, blocks, load);
  for (const ir::Vertex& vertex : vertices) states.add(vertex);
  return states.finish();
}

}  // namespace tessera::compiler
