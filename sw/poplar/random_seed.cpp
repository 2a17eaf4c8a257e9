// Random number generators of the workers (docs/reference/arithmetic.md: CSRs xprng0..3).
#include <poplar/RandomSeed.hpp>

#include <sstream>

#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

constexpr std::size_t kSeedWords = 4;

constexpr const char* kSeedSource = R"(
#include <poplar/Vertex.hpp>
#include <tessera/xipu.h>

namespace poplar_random_seed {

template <int Csr>
unsigned read() {
  unsigned word;
  __asm__ volatile("csrr %0, %1" : "=r"(word) : "i"(Csr));
  return word;
}

template <int Csr>
void write(unsigned word) {
  __asm__ volatile("csrw %1, %0" ::"r"(word), "i"(Csr));
}

using Words = poplar::Vector<unsigned, poplar::VectorLayout::ONE_PTR>;

// Each worker its own four words.
class Get : public poplar::MultiVertex {
 public:
  poplar::Output<Words> seeds;
  void compute(unsigned worker) {
    unsigned* mine = &seeds[4 * worker];
    mine[0] = read<TESSERA_CSR_XPRNG0>();
    mine[1] = read<TESSERA_CSR_XPRNG1>();
    mine[2] = read<TESSERA_CSR_XPRNG2>();
    mine[3] = read<TESSERA_CSR_XPRNG3>();
  }
};

class Set : public poplar::MultiVertex {
 public:
  poplar::Input<Words> seeds;
  void compute(unsigned worker) {
    const unsigned* mine = &seeds[4 * worker];
    write<TESSERA_CSR_XPRNG0>(mine[0]);
    write<TESSERA_CSR_XPRNG1>(mine[1]);
    write<TESSERA_CSR_XPRNG2>(mine[2]);
    write<TESSERA_CSR_XPRNG3>(mine[3]);
  }
};

}  // namespace poplar_random_seed
)";

// One vertex a tile of the graph, with its part of the seeds.
program::Execute seed_vertices(Graph& graph, const char* codelet, const Tensor& seeds, const DebugContext& context) {
  if (!graph.hasCodelet(codelet)) {
    std::stringstream source(kSeedSource);
    graph.addCodelets(source, "--no-check");  // they are no user's
  }
  const ComputeSet cs = graph.addComputeSet(context);
  for (unsigned tile = 0; tile < seeds.dim(0); ++tile)
    graph.setTileMapping(graph.addVertex(cs, codelet, {{"seeds", seeds[tile].flatten()}}), tile);
  return program::Execute(cs, context);
}

}  // namespace

Tensor getHwSeeds(Graph& graph, program::Sequence& prog, const DebugContext& debugContext) {
  const DebugContext context(DebugNameAndId(debugContext.getPathName()), "getHwSeeds");
  const unsigned tiles = graph.getTarget().getNumTiles();
  const Tensor seeds =
      graph.addVariable(UNSIGNED_INT, {tiles, graph.getTarget().getNumWorkerContexts(), kSeedWords}, context);
  for (unsigned tile = 0; tile < tiles; ++tile) graph.setTileMapping(seeds[tile], tile);
  prog.add(seed_vertices(graph, "poplar_random_seed::Get", seeds, context));
  return seeds;
}

void setHwSeeds(Graph& graph, const Tensor& seeds, program::Sequence& prog, const DebugContext& debugContext) {
  const std::vector<std::size_t> wanted = {graph.getTarget().getNumTiles(), graph.getTarget().getNumWorkerContexts(),
                                           kSeedWords};
  if (seeds.shape() != wanted || seeds.elementType() != UNSIGNED_INT)
    throw poplar_error("setHwSeeds: " + seeds.getVarStr() + " is " + std::string(seeds.elementType().toString()) +
                       seeds.shapeToString() + "; it is to be unsigned int{" + std::to_string(wanted[0]) + "," +
                       std::to_string(wanted[1]) + "," + std::to_string(kSeedWords) + "}: tiles, workers, words");
  const DebugContext context(DebugNameAndId(debugContext.getPathName()), "setHwSeeds");
  prog.add(seed_vertices(graph, "poplar_random_seed::Set", seeds, context));
}

}  // namespace poplar
