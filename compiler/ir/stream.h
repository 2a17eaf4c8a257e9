// Transfers between tiles and host memory, as the runtime sees them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/program.h"
#include "compiler/graph/types.h"

namespace tessera::ir {

enum class StreamUse : std::uint8_t {
  kToDevice,     // FIFO stream, host to device
  kFromDevice,   // FIFO stream, device to host
  kHostWrite,    // Engine::writeTensor by handle: to device
  kHostRead,     // Engine::readTensor by handle: from device
  kPrint,        // PrintTensor: from device; handle is the title
  kAbort,        // no data: the run ends with an application error; handle is the message
  kRemoteRows,   // from device: numbers of the rows that the transfer behind it is of; handle is the remote buffer's
  kRemoteRead,   // to device: rows of a remote buffer
  kRemoteWrite,  // from device: rows of a remote buffer
  kCallInput,    // from device: the next argument of a call; handle is the host function's
  kCall,         // no data: all arguments are there
  kCallOutput,   // to device: the next result of that call
  kPrintf,       // no data: the host fetches what codelets have printed (tessera/print.h)
};

constexpr bool is_to_device(StreamUse use) {
  return use == StreamUse::kToDevice || use == StreamUse::kHostWrite || use == StreamUse::kRemoteRead ||
         use == StreamUse::kCallOutput;
}

// `bytes` bytes at `stream_offset` of the transfer stand at `host_offset` of host memory.
struct HostPiece {
  std::uint64_t stream_offset = 0;
  std::uint32_t host_offset = 0;
  std::uint32_t bytes = 0;
};

// One direction of one handle; its index in HostLayout names it in phases.
// A stream that the program copies from in several places has one entry per place, all with the same handle.
struct Stream {
  std::string handle;
  StreamUse use = StreamUse::kToDevice;
  graph::ElementType type = graph::ElementType::kFloat;
  std::uint64_t elements = 0;          // of one transfer
  std::uint64_t bytes = 0;             // of one transfer, row-major order of the tensor
  std::vector<std::uint64_t> shape{};  // of the tensor; of interest to kPrint
  std::uint32_t program = 0;           // kHostWrite, kHostRead: index of the internal program
  std::uint32_t host_offset = 0;       // bytes; the buffer of this entry
  std::uint32_t host_bytes = 0;        // of the buffer: may hold gaps
  std::vector<HostPiece> pieces{};  // where each part of a transfer stands, ascending in stream_offset; they cover it
  graph::PrintFormat print{};       // kPrint
};

// A remote buffer in the memory of a gateway: row r of a replica begins at base + r * stride, as place_buffers() says.
struct RemoteBuffer {
  std::string handle;
  std::uint64_t row_bytes = 0, rows = 1;
  std::uint64_t stride = 0;           // bytes, a multiple of 32
  std::vector<std::uint64_t> base{};  // bytes, by replica (and chip), multiples of 32
};

// Host memory as the tiles see it, host addresses from 0.
struct HostLayout {
  std::uint32_t event_offset = 0;  // of the event word
  std::uint32_t bytes = 0;         // of all of it
  std::vector<Stream> streams;
  // What the tiles ask the host for at one time: streams, in order. emit_control() finds them.
  std::vector<std::vector<std::uint32_t>> phases{};
};

}  // namespace tessera::ir
