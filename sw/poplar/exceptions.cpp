#include <algorithm>
#include <iterator>
#include <poplar/DebugContext.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

poplar_error::poplar_error(const std::string& message) : std::runtime_error(message), type("poplar_error") {}
poplar_error::poplar_error(const char* message) : std::runtime_error(message), type("poplar_error") {}
poplar_error::poplar_error(const std::string& type, const std::string& message)
    : std::runtime_error(message), type(type) {}
poplar_error::~poplar_error() = default;

void poplar_error::attachSourceLocation(const DebugContext& debugContext) {
  const SourceLocation& at = debugContext.getLocation();
  if (at.isValid())
    located_ = std::string(std::runtime_error::what()) + " (" + at.getFileName() + ":" +
               std::to_string(at.getLineNumber()) + ")";
}

const char* poplar_error::what() const noexcept {
  return located_.empty() ? std::runtime_error::what() : located_.c_str();
}

namespace {

constexpr const char* kErrorCodes[] = {"NONE",
                                       "UNKNOWN",
                                       "TRAP",
                                       "FLOATING_POINT_INVALID_OPERATION",
                                       "FLOATING_POINT_DIVIDE_BY_ZERO",
                                       "FLOATING_POINT_OVERFLOW",
                                       "TILE_MEMORY_BANK_CONFLICT",
                                       "INVALID_EXCHANGE_CONFIGURATION",
                                       "INVALID_ADDRESS",
                                       "INVALID_OPERAND",
                                       "INVALID_PROGRAM_COUNTER",
                                       "INVALID_INSTRUCTION",
                                       "EXCHANGE_ERROR",
                                       "MEMORY_ERROR",
                                       "IPUSOFTERR",
                                       "LINK_DOWN",
                                       "HOST_LINK_DOWN",
                                       "HOST_SYNC_TIMEOUT",
                                       "IPU_MEMORY_FAILURE"};

}  // namespace

std::string errorCodeToString(ErrorCode code) {
  const auto index = static_cast<std::size_t>(code);
  if (index >= std::size(kErrorCodes)) throw poplar_error("Unknown ErrorCode");
  return kErrorCodes[index];
}

ErrorCode errorCodeFromString(StringRef name) {
  const auto found = std::find(std::begin(kErrorCodes), std::end(kErrorCodes), name.cloneAsString());
  if (found == std::end(kErrorCodes)) throw poplar_error("'" + name + "' is no ErrorCode");
  return static_cast<ErrorCode>(found - std::begin(kErrorCodes));
}

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
