// What stands between host and device: streams, made by Graph::addHostToDeviceFIFO and addDeviceToHostFIFO, and remote
// buffers, made by Graph::addRemoteBuffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>

namespace poplar {

// Buffer: the two directions of a remote buffer.
enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO, HostToDeviceBuffer, DeviceToHostBuffer };
std::string toString(DataStreamType type);

namespace detail {
struct Access;
}

class DataStream {
 public:
  DataStream()
      : numElements_(0), type_(DataStreamType::HostToDeviceFIFO), id_(0), mode_(ReplicatedStreamMode::REPLICATE) {}

  std::string handle() const { return handle_; }
  std::size_t numElements() const { return numElements_; }  // of one transfer
  unsigned replicationFactor() const { return replicas_; }  // of its graph
  ReplicatedStreamMode replicatedMode() const { return mode_; }
  DataStreamType type() const { return type_; }
  const Type& elementType() const { return elementType_; }

  bool operator==(const DataStream& other) const { return handle_ == other.handle_ && id_ == other.id_; }
  bool operator!=(const DataStream& other) const { return !(*this == other); }

 private:
  friend struct detail::Access;
  std::string handle_;
  std::size_t numElements_;
  Type elementType_;
  DataStreamType type_;
  std::uint64_t graph_ = 0;
  unsigned id_;
  ReplicatedStreamMode mode_;
  unsigned replicas_ = 1;
};

std::ostream& operator<<(std::ostream& os, const DataStream& stream);

// Memory beside the device with rows of a length; a program copies rows from and to it (program::Copy), the host
// through Engine::copyToRemoteBuffer and copyFromRemoteBuffer.
class RemoteBuffer {
 public:
  RemoteBuffer() : numElements_(0), repeats_(1), rearrangeOnHost_(false), optimisedForMemory_(false), id_(0) {}

  std::string handle() const { return handle_; }
  std::size_t numElements() const { return numElements_; }  // of a row
  std::size_t getRepeats() const { return repeats_; }       // rows
  const Type& elementType() const { return elementType_; }
  // As asked for. The host sorts elements whatever is asked, so that neither changes what a program does.
  bool isRearrangeOnHost() const { return rearrangeOnHost_; }
  bool isOptimisedForMemory() const { return optimisedForMemory_; }
  // Its two directions as streams of one row: a Copy with one of them is that of row 0.
  DataStream getIpuToHostStream() const { return stream(DataStreamType::DeviceToHostBuffer); }
  DataStream getHostToIpuStream() const { return stream(DataStreamType::HostToDeviceBuffer); }

  bool operator==(const RemoteBuffer& other) const { return handle_ == other.handle_ && graph_ == other.graph_; }
  bool operator!=(const RemoteBuffer& other) const { return !(*this == other); }

 private:
  friend struct detail::Access;
  std::string handle_;
  std::size_t numElements_, repeats_;
  Type elementType_;
  bool rearrangeOnHost_, optimisedForMemory_;
  std::uint64_t graph_ = 0;
  unsigned id_;
  unsigned replicas_ = 1;

  DataStream stream(DataStreamType direction) const;
};

}  // namespace poplar
