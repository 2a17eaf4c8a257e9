#include "compiler/passes/vertices/vertex_costs.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "compiler/parallel/parallel.h"
#include "compiler/passes/vertices/code_cost.h"

namespace tessera::compiler {
namespace {

// How much a vertex has to do.
struct Work {
  std::uint64_t elements = 0, bytes = 0;  // of its largest field
  std::uint64_t entries = 0;              // of its longest list
  std::uint64_t written = 0;              // elements of the largest field that it writes
};

Work work_of(const graph::CodeletInfo& codelet, const ir::Region* region, std::uint32_t regions) {
  Work work;
  for (const ir::Region* end = region + regions; region != end;) {
    const ir::Region& first = *region;
    std::uint64_t elements = 0, entries = 0;
    for (; region != end && region->field == first.field; ++region, ++entries) elements += region->elements;
    const std::uint64_t bytes = elements * first.element_bytes;
    if (elements > work.elements || (elements == work.elements && bytes < work.bytes))
      work.elements = elements, work.bytes = bytes;
    if (codelet.fields[first.field].is_list()) work.entries = std::max(work.entries, entries);
    if (first.access != graph::FieldKind::kInput) work.written = std::max(work.written, elements);
  }
  return work;
}

constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();

// The sum, and no more than a cost can be; no number is larger than that.
std::uint64_t plus(std::uint64_t sum, std::uint64_t slots, std::uint64_t turns) {
  return std::min(sum + slots * std::min(turns, kMost), kMost);
}

// Loops that hold others are those over a list, or over results.
std::uint64_t slots(const CodeCost& code, const Work& work) {
  std::uint64_t sum = plus(code.once, code.outer, work.entries != 0 ? work.entries : work.written);
  for (const CodeCost::Loop& loop : code.loops)
    sum = plus(sum, loop.slots, loop.bytes == 0 ? work.elements : (work.bytes + loop.bytes - 1) / loop.bytes);
  return sum;
}

const graph::PerfEstimate* find(const graph::Estimates& estimates, graph::VertexId vertex) {
  const auto at = estimates.find(vertex);
  return at == estimates.end() ? nullptr : &at->second;
}

}  // namespace

void estimate_costs(const graph::Graph& graph, const Text& text, ir::Program& program, unsigned threads,
                    const graph::Estimates& estimated) {
  std::vector<CodeCost> codes(text.entries.size());
  parallel(threads, codes.size(), [&](std::size_t i) {
    if (text.entries[i] != 0) codes[i] = code_cost(text, text.entries[i]);
  });
  // Compute sets are many and small, or few and large.
  const auto estimate = [&](std::span<ir::Vertex> vertices) {
    for (ir::Vertex& vertex : vertices) {
      const graph::PerfEstimate* given = find(graph.estimates, vertex.id);
      if (given == nullptr) given = find(estimated, vertex.id);
      const ir::Region* regions = program.regions.data() + vertex.first_region;
      const std::uint64_t cost =
          given != nullptr
              ? given->cycles
              : slots(codes[vertex.codelet], work_of(graph.codelets[vertex.codelet].info, regions, vertex.regions));
      vertex.cost = static_cast<std::uint32_t>(std::min(cost, kMost));
    }
  };
  constexpr std::size_t kMany = 16384;
  std::vector<std::span<ir::Vertex>> work;
  for (ir::Compute& compute : program.computes) {
    const Parts parts{compute.vertices.size(), kMany};
    for (std::size_t part = 0; part < parts.count(); ++part)
      work.push_back(std::span(compute.vertices).subspan(parts.begin(part), parts.end(part) - parts.begin(part)));
  }
  parallel(threads, work.size(), [&](std::size_t i) { estimate(work[i]); });
}

}  // namespace tessera::compiler
