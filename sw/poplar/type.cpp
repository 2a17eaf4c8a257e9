#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/Type.hpp>
#include <poplar/version.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

static_assert(FLOAT.id() == static_cast<unsigned char>(tessera::graph::ElementType::kFloat));
static_assert(QUARTER_METADATA.id() == static_cast<unsigned char>(tessera::graph::ElementType::kQuarterMetadata));
static_assert(UNSIGNED_LONGLONG.id() == static_cast<unsigned char>(tessera::graph::ElementType::kUnsignedLongLong));

StringRef Type::toString() const {
  const std::string_view name = tessera::graph::name_of(detail::element_type(*this));
  return StringRef(name.data(), name.size());
}

bool Type::requiresMetadata() const { return *this == QUARTER; }

bool Type::isFloatingPoint() const { return tessera::graph::is_floating_point(detail::element_type(*this)); }

std::ostream& operator<<(std::ostream& os, const Type& type) { return os << type.toString(); }

std::string toString(DataStreamType type) {
  return type == DataStreamType::HostToDeviceFIFO ? "HostToDeviceFIFO" : "DeviceToHostFIFO";
}

std::ostream& operator<<(std::ostream& os, const DataStream& stream) {
  return os << "{ handle: \"" << stream.handle() << "\", elementType: " << stream.elementType()
            << ", numElements: " << stream.numElements() << ", type: " << toString(stream.type()) << " }";
}

StringRef versionString() { return "Tessera " TESSERA_VERSION; }
StringRef packageHash() { return "tessera-" TESSERA_VERSION; }

namespace detail {

DataStream Access::make_stream(GraphNumber graph, std::string handle, std::size_t n, Type type,
                               DataStreamType direction, unsigned id, ReplicatedStreamMode mode) {
  DataStream stream;
  stream.graph_ = graph;
  stream.handle_ = std::move(handle);
  stream.numElements_ = n;
  stream.elementType_ = type;
  stream.type_ = direction;
  stream.id_ = id;
  stream.mode_ = mode;
  return stream;
}

}  // namespace detail
}  // namespace poplar
