#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/IpuLinkConfiguration.hpp>
#include <poplar/IpuLinkTopology.hpp>
#include <poplar/Type.hpp>
#include <poplar/exceptions.hpp>
#include <poplar/version.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

static_assert(FLOAT.id() == static_cast<unsigned char>(tessera::graph::ElementType::kFloat));
static_assert(QUARTER_METADATA.id() == static_cast<unsigned char>(tessera::graph::ElementType::kQuarterMetadata));
static_assert(UNSIGNED_LONGLONG.id() == static_cast<unsigned char>(tessera::graph::ElementType::kUnsignedLongLong));

namespace detail {

tessera::graph::ElementType element_type(const Type& type) {
  if (type == DOUBLE) throw type_error("DOUBLE is the type of no element: take FLOAT");
  return static_cast<tessera::graph::ElementType>(type.id());
}

}  // namespace detail

StringRef Type::toString() const {
  if (*this == DOUBLE) return "double";
  const std::string_view name = tessera::graph::name_of(detail::element_type(*this));
  return StringRef(name.data(), name.size());
}

bool Type::requiresMetadata() const { return *this == QUARTER; }

bool Type::isFloatingPoint() const {
  return *this == DOUBLE || tessera::graph::is_floating_point(detail::element_type(*this));
}

std::ostream& operator<<(std::ostream& os, const Type& type) { return os << type.toString(); }

std::string toString(DataStreamType type) {
  switch (type) {
    case DataStreamType::HostToDeviceFIFO:
      return "HostToDeviceFIFO";
    case DataStreamType::DeviceToHostFIFO:
      return "DeviceToHostFIFO";
    case DataStreamType::HostToDeviceBuffer:
      return "HostToDeviceBuffer";
    case DataStreamType::DeviceToHostBuffer:
      return "DeviceToHostBuffer";
  }
  throw poplar_error("Unknown DataStreamType");
}

DataStream RemoteBuffer::stream(DataStreamType direction) const {
  return detail::Access::make_stream(graph_, handle_, numElements_, elementType_, direction, id_,
                                     ReplicatedStreamMode::REPLICATE, replicas_);
}

std::ostream& operator<<(std::ostream& os, const DataStream& stream) {
  return os << "{ handle: \"" << stream.handle() << "\", elementType: " << stream.elementType()
            << ", numElements: " << stream.numElements() << ", type: " << toString(stream.type()) << " }";
}

std::ostream& operator<<(std::ostream& os, IpuLinkTopology topology) {
  switch (topology) {
    case IpuLinkTopology::Mesh:
      return os << "Mesh";
    case IpuLinkTopology::Torus:
      return os << "Torus";
    case IpuLinkTopology::Line:
      return os << "Line";
  }
  throw poplar_error("Unknown IpuLinkTopology");
}

std::ostream& operator<<(std::ostream& os, IpuLinkConfiguration configuration) {
  switch (configuration) {
    case IpuLinkConfiguration::Default:
      return os << "Default";
    case IpuLinkConfiguration::BarleyTwist:
      return os << "BarleyTwist";
    case IpuLinkConfiguration::SlidingWindow:
      return os << "SlidingWindow";
  }
  throw poplar_error("Unknown IpuLinkConfiguration");
}

StringRef versionString() { return "Tessera " TESSERA_VERSION; }
StringRef packageHash() { return "tessera-" TESSERA_VERSION; }

namespace detail {

DataStream Access::make_stream(GraphNumber graph, std::string handle, std::size_t n, Type type,
                               DataStreamType direction, unsigned id, ReplicatedStreamMode mode, unsigned replicas) {
  DataStream stream;
  stream.graph_ = graph;
  stream.handle_ = std::move(handle);
  stream.numElements_ = n;
  stream.elementType_ = type;
  stream.type_ = direction;
  stream.id_ = id;
  stream.mode_ = mode;
  stream.replicas_ = replicas;
  return stream;
}

}  // namespace detail
}  // namespace poplar
