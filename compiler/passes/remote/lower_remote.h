// Lowers a copy between a tensor and rows of a remote buffer in the memory of a gateway.
//
// A row stands there in row-major order of the tensor. Where the tensor's parts on the tiles are whole words of it and
// long enough for packets, they go as they stand; else an exchange puts the rows in order in buffers on the same tiles,
// from which they go, or to which they come.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/ir/program.h"
#include "compiler/passes/lower/storage.h"

namespace tessera::compiler {

// What the steps of such a copy refer to; kNone: there is no such step.
struct RemoteCopy {
  std::uint32_t numbers = ir::kNone;   // exchange: brings the rows' numbers to the tiles
  std::uint32_t order = ir::kNone;     // exchange: puts rows in order, before or behind the transfer
  std::uint32_t transfer = ir::kNone;  // of program.host.streams and host_transfers
};

// Appends exchanges, blocks and the transfer to `program`, whose remote buffers are placed. `use`: kRemoteRead or
// kRemoteWrite. `rows` null: row 0.
RemoteCopy lower_remote_copy(const std::string& name, std::uint32_t buffer, ir::StreamUse use,
                             const graph::TensorRef* rows, const graph::TensorRef& data, Storage& storage,
                             ir::Program& program);

}  // namespace tessera::compiler
