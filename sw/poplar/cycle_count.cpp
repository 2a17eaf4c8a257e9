#include <poplar/CycleCount.hpp>

#include <sstream>

namespace poplar {
namespace {

constexpr const char* kSource = R"(
#include <poplar/Vertex.hpp>
#include <tessera/xipu.h>

namespace poplar_cycle_count {

// Reads the chip's cycle counter: low word, high word.
class Stamp : public poplar::Vertex {
 public:
  poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> stamp;
  bool compute() {
    const uint64_t now = tessera_cycle64();
    stamp[0] = static_cast<unsigned>(now);
    stamp[1] = static_cast<unsigned>(now >> 32);
    return true;
  }
};

class Difference : public poplar::Vertex {
 public:
  poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> begin;
  poplar::Input<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> end;
  poplar::Output<poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>> cycles;
  bool compute() {
    const unsigned low = end[0] - begin[0];
    cycles[1] = end[1] - begin[1] - (end[0] < begin[0] ? 1u : 0u);
    cycles[0] = low;
    return true;
  }
};

}  // namespace poplar_cycle_count
)";

void add_codelets(Graph& graph) {
  if (graph.hasCodelet("poplar_cycle_count::Stamp")) return;
  std::stringstream source(kSource);
  graph.addCodelets(source, "--no-check");  // they measure
}

Tensor on_tile(Graph& graph, unsigned tile, const DebugContext& debugContext) {
  Tensor t = graph.addVariable(UNSIGNED_INT, {2}, debugContext);
  graph.setTileMapping(t, tile);
  return t;
}

// A vertex on the tile in a compute set of its own.
program::Execute one_vertex(Graph& graph, unsigned tile, const char* codelet, const std::vector<ConnectionDesc>& fields,
                            const DebugContext& debugContext) {
  const ComputeSet cs = graph.addComputeSet(debugContext);
  const VertexRef v = graph.addVertex(cs, codelet, fields);
  graph.setTileMapping(v, tile);
  graph.setPerfEstimate(v, 1);
  return program::Execute(cs, debugContext);
}

}  // namespace

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, const DebugContext& debugContext) {
  return cycleStamp(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext) {
  add_codelets(graph);
  const DebugContext context(DebugNameAndId(debugContext.getPathName()), "cycleStamp");
  const Tensor stamp = on_tile(graph, tile, context);
  // Tiles that have nothing to do run ahead: without a sync the tile would not wait for the others' work.
  prog.add(program::Sync(syncType, context));
  prog.add(one_vertex(graph, tile, "poplar_cycle_count::Stamp", {{"stamp", stamp}}, context));
  return stamp;
}

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, const DebugContext& debugContext) {
  return cycleCount(graph, prog, tile, SyncType::INTERNAL, debugContext);
}

Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext) {
  const DebugContext context(DebugNameAndId(debugContext.getPathName()), "cycleCount");
  program::Sequence counted(context);
  const Tensor begin = cycleStamp(graph, counted, tile, syncType, context);
  counted.add(prog);
  const Tensor end = cycleStamp(graph, counted, tile, syncType, context);
  const Tensor cycles = on_tile(graph, tile, context);
  counted.add(one_vertex(graph, tile, "poplar_cycle_count::Difference",
                         {{"begin", begin}, {"end", end}, {"cycles", cycles}}, context));
  prog = counted;
  return cycles;
}

}  // namespace poplar
