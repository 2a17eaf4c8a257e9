// Lowers transfers between tiles and host memory: gives each its buffer in host memory and cuts it into runs of words.
//
// The runs of a tile are as long as its memory allows, whatever the order of the tensor; HostPiece entries tell the
// runtime where each part of the row-major data stands in the buffer.
#pragma once

#include "compiler/ir/program.h"
#include "compiler/passes/lower/storage.h"

namespace tessera::compiler {

// Appends to program.host.streams and program.host_transfers (same index, which is returned). `stream` holds what the
// caller knows: handle, use, print. An abort has no tensor: `tensor` is null.
std::uint32_t add_host_transfer(const ir::Stream& stream, const graph::TensorRef* tensor, Storage& storage,
                                ir::Program& program);

}  // namespace tessera::compiler
