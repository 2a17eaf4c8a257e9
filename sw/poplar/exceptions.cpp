#include <poplar/TargetType.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

poplar_error::poplar_error(const std::string& message) : std::runtime_error(message), type("poplar_error") {}
poplar_error::poplar_error(const char* message) : std::runtime_error(message), type("poplar_error") {}
poplar_error::poplar_error(const std::string& type, const std::string& message)
    : std::runtime_error(message), type(type) {}
poplar_error::~poplar_error() = default;

std::string toString(RecoveryAction action) {
  switch (action) {
    case RecoveryAction::IPU_RESET:
      return "IPU_RESET";
    case RecoveryAction::LINK_RESET:
      return "LINK_RESET";
    case RecoveryAction::PARTITION_RESET:
      return "PARTITION_RESET";
    case RecoveryAction::FULL_RESET:
      return "FULL_RESET";
  }
  throw poplar_error("Unknown RecoveryAction");
}

std::ostream& operator<<(std::ostream& os, RecoveryAction action) { return os << toString(action); }

std::string toString(TargetType type) {
  switch (type) {
    case TargetType::IPU:
      return "IPU";
    case TargetType::IPU_MODEL:
      return "IPU_MODEL";
    case TargetType::CPU:
      return "CPU";
  }
  throw poplar_error("Unknown TargetType");
}

std::ostream& operator<<(std::ostream& os, TargetType type) { return os << toString(type); }

namespace detail {

void rethrow(const tessera::graph::GraphError& error) {
  using tessera::graph::GraphErrorKind;
  switch (error.kind()) {
    case GraphErrorKind::kConnection:
      throw graph_connection_error(error.what());
    case GraphErrorKind::kTileMapping:
      throw invalid_tile_mapping(error.what());
    case GraphErrorKind::kControlProgram:
      throw control_program_error(error.what());
    case GraphErrorKind::kRecursion:
      throw graph_recursion_error(error.what());
    case GraphErrorKind::kType:
      throw type_error(error.what());
  }
  throw poplar_error(error.what());
}

}  // namespace detail
}  // namespace poplar
