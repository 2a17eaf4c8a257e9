// A stream between host and device, made by Graph::addHostToDeviceFIFO and addDeviceToHostFIFO.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/Type.hpp>

namespace poplar {

enum class DataStreamType { HostToDeviceFIFO, DeviceToHostFIFO };
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
  unsigned replicationFactor() const { return 1; }
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
};

std::ostream& operator<<(std::ostream& os, const DataStream& stream);

}  // namespace poplar
