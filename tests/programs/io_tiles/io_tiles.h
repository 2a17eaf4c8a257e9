// Batches stream through an IPU: some tiles bring the next batch from a remote buffer and take the results of the one
// before to another, while the others compute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gcl/TileAllocation.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <tessera/machine.hpp>

#include "tests/programs/cycles_of_program.h"

namespace io_tiles {

struct Size {
  unsigned io_tiles = 0;  // of the IPU; the others compute
  unsigned batch = 0;     // floats
  unsigned batches = 0;
  unsigned rounds = 0;  // of work on each float
  unsigned stages = 1;  // of such work, between which the floats go round by what one tile has
};

// What of the program runs: all of it, or the one without the other.
enum class Part { kAll, kTransfers, kCompute };

inline void spread(poplar::Graph& graph, const poplar::Tensor& t) {
  const unsigned tiles = graph.getTarget().getNumTiles();
  const std::size_t each = (t.numElements() + tiles - 1) / tiles;
  for (unsigned tile = 0; tile < tiles && tile * each < t.numElements(); ++tile)
    graph.setTileMapping(t.slice(tile * each, std::min<std::size_t>((tile + 1) * each, t.numElements())), tile);
}

// Batch i is row i of remote buffer "batches", its result row i of "results", which has one row more that nobody wants.
//
// In each turn the I/O tiles hand over the batch that has come and take the result of the turn before; then, while the
// compute tiles work on that batch, they write the result away and bring the next batch. So there are two of each, and
// nothing that moves is made in the turn in which it moves.
inline poplar::program::Program make_program(poplar::Graph& graph, const Size& size, Part part) {
  using namespace poplar;
  using namespace poplar::program;
  graph.addCodelets(IO_TILES_FOLDER "/codelets.cpp");
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  Graph io = graph.createVirtualGraph(gcl::perIPUTiles(graph, 0, size.io_tiles)),
        compute = graph.createVirtualGraph(gcl::perIPUTiles(graph, size.io_tiles, tiles - size.io_tiles));
  const RemoteBuffer batches = graph.addRemoteBuffer("batches", FLOAT, size.batch, size.batches),
                     results = graph.addRemoteBuffer("results", FLOAT, size.batch, size.batches + 1);
  const auto variable = [&](Graph& of, const char* name) {
    const Tensor t = of.addVariable(FLOAT, {size.batch}, name);
    spread(of, t);
    return t;
  };
  const Tensor coming = variable(io, "coming"), going = variable(io, "going"), in = variable(compute, "in"),
               out = variable(compute, "out");
  const Tensor next = compute.addVariable(UNSIGNED_INT, {}, "next"),
               made = compute.addVariable(UNSIGNED_INT, {}, "made");
  for (const Tensor& t : {next, made}) compute.setTileMapping(t, 0);
  compute.setInitialValue(next, 1 % size.batches);
  compute.setInitialValue(made, size.batches);  // the first turn has no result

  const ComputeSet work = graph.addComputeSet("work");
  const auto mapping = compute.getTileMapping(in);
  for (unsigned tile = 0; tile < mapping.size(); ++tile)
    for (const Interval& share : mapping[tile])
      for (unsigned worker = 0, workers = graph.getTarget().getNumWorkerContexts(); worker < workers; ++worker) {
        const std::size_t begin = share.begin() + share.size() * worker / workers,
                          end = share.begin() + share.size() * (worker + 1) / workers;
        if (begin == end) continue;
        const VertexRef v =
            compute.addVertex(work, "Work", {{"in", in.slice(begin, end)}, {"out", out.slice(begin, end)}});
        compute.setInitialValue(v["rounds"], size.rounds);
        compute.setTileMapping(v, tile);
      }
  const ComputeSet advance = graph.addComputeSet("advance");
  const VertexRef counter = compute.addVertex(advance, "Advance", {{"next", next}, {"made", made}});
  compute.setInitialValue(counter["batches"], size.batches);
  compute.setTileMapping(counter, 0);

  const bool moves = part != Part::kCompute, computes = part != Part::kTransfers;
  Sequence turn;
  if (moves) {
    turn.add(Copy(coming, in));
    turn.add(Copy(out, going));
    turn.add(Copy(going, results, made));
    turn.add(Copy(batches, coming, next));
  }
  const std::size_t shift = compute.getTileMapping(in).front().front().end();  // what a tile has
  const Tensor round = concat(out.slice(shift, size.batch), out.slice(0, shift));
  for (unsigned stage = 0; computes && stage < size.stages; ++stage) {
    if (stage > 0) turn.add(Copy(round, in));
    turn.add(Execute(work));
  }
  if (computes) turn.add(Execute(advance));
  Sequence all;
  if (moves) all.add(Copy(batches, coming));
  all.add(Repeat(size.batches, turn));
  if (moves) all.add(Copy(out, going));
  if (moves) all.add(Copy(going, results, made));
  return all;
}

// Cycles of a program that runs on a device with a gateway, less those of an empty one.
inline std::uint64_t cycles_of(const poplar::Device& device, const Size& size, Part part) {
  poplar::Graph graph(device);
  const poplar::program::Program program = make_program(graph, size, part);
  return cycles_of_program(device, graph, program);
}

// What part of the time of the transfers is hidden behind compute.
struct Hidden {
  std::uint64_t compute, transfers, both;
  double part() const {
    return (static_cast<double>(compute) + static_cast<double>(transfers) - static_cast<double>(both)) /
           static_cast<double>(transfers);
  }
};
inline Hidden measure(const poplar::Device& device, const Size& size) {
  return {cycles_of(device, size, Part::kCompute), cycles_of(device, size, Part::kTransfers),
          cycles_of(device, size, Part::kAll)};
}

}  // namespace io_tiles
