// Counting cycles from inside a program.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

// Wraps the sequence so that it counts its own cycles on a tile, from one sync to another (of the chip's tiles unless
// syncType says otherwise). Gives an UNSIGNED_INT tensor of two elements, low and
// high word, on that tile.
Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, const DebugContext& debugContext = {});
Tensor cycleCount(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});

// Adds to the sequence a sync and a reading of the tile's cycle counter, in the same form.
Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, const DebugContext& debugContext = {});
Tensor cycleStamp(Graph& graph, program::Sequence& prog, unsigned tile, SyncType syncType,
                  const DebugContext& debugContext = {});

}  // namespace poplar
