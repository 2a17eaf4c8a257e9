// The exceptions of the library. All derive from poplar_error.
#pragma once

#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <string>

#include <poplar/StringRef.hpp>

namespace poplar {

class DebugContext;

struct poplar_error : std::runtime_error {
  std::string type;  // name of the exception's class
  explicit poplar_error(const std::string& message);
  explicit poplar_error(const char* message);
  ~poplar_error() override;

  // what() ends with file and line of the context from here on.
  void attachSourceLocation(const DebugContext& debugContext);
  const char* what() const noexcept override;

 protected:
  poplar_error(const std::string& type, const std::string& message);

 private:
  std::string located_;  // the message with its place, if it has one
};

#define TESSERA_POPLAR_ERROR(Name, Base)                                               \
  struct Name : Base {                                                                 \
    explicit Name(const std::string& message) : Base(#Name, message) {}                \
    explicit Name(const char* message) : Base(#Name, message) {}                       \
                                                                                       \
   protected:                                                                          \
    Name(const std::string& type, const std::string& message) : Base(type, message) {} \
  }

TESSERA_POPLAR_ERROR(graph_program_compilation_error, poplar_error);  // a codelet did not compile
TESSERA_POPLAR_ERROR(graph_object_creation_error, poplar_error);
TESSERA_POPLAR_ERROR(no_environment, poplar_error);
TESSERA_POPLAR_ERROR(unknown_vertex_type, poplar_error);
TESSERA_POPLAR_ERROR(control_program_error, poplar_error);
TESSERA_POPLAR_ERROR(type_error, poplar_error);
TESSERA_POPLAR_ERROR(graph_connection_error, poplar_error);
TESSERA_POPLAR_ERROR(graph_cycle_error, poplar_error);
TESSERA_POPLAR_ERROR(graph_recursion_error, poplar_error);
TESSERA_POPLAR_ERROR(graph_replication_error, poplar_error);
TESSERA_POPLAR_ERROR(profiling_disabled, poplar_error);
TESSERA_POPLAR_ERROR(missing_profile_data, poplar_error);
TESSERA_POPLAR_ERROR(missing_graph_profile, poplar_error);
TESSERA_POPLAR_ERROR(missing_perf_estimate, poplar_error);
TESSERA_POPLAR_ERROR(invalid_tile_mapping, poplar_error);
TESSERA_POPLAR_ERROR(tensor_creation_error, poplar_error);
TESSERA_POPLAR_ERROR(tensor_io_state_error, poplar_error);
TESSERA_POPLAR_ERROR(tensor_metadata_error, poplar_error);
TESSERA_POPLAR_ERROR(stream_connection_error, poplar_error);
TESSERA_POPLAR_ERROR(overflow_error, poplar_error);
TESSERA_POPLAR_ERROR(memory_elem_constraints_error, poplar_error);
TESSERA_POPLAR_ERROR(stream_memory_allocation_error, poplar_error);
TESSERA_POPLAR_ERROR(invalid_machine_model, poplar_error);
TESSERA_POPLAR_ERROR(invalid_option, poplar_error);
TESSERA_POPLAR_ERROR(parse_error, poplar_error);
TESSERA_POPLAR_ERROR(runtime_error, poplar_error);

TESSERA_POPLAR_ERROR(application_runtime_error, runtime_error);  // the program did wrong: tile exception, abort
TESSERA_POPLAR_ERROR(system_runtime_error, runtime_error);       // the machine did wrong
TESSERA_POPLAR_ERROR(unrecoverable_runtime_error, system_runtime_error);
TESSERA_POPLAR_ERROR(unknown_runtime_error, system_runtime_error);

#undef TESSERA_POPLAR_ERROR

struct graph_object_load_error : poplar_error {
  graph_object_load_error(const std::string& path, const std::string& message)
      : poplar_error("graph_object_load_error", "Could not load '" + path + "': " + message) {}
};

struct index_error : poplar_error {
  explicit index_error(const std::string& message) : poplar_error("index_error", message) {}
  explicit index_error(const char* message) : poplar_error("index_error", message) {}
  index_error(const std::string& name, std::size_t index)
      : poplar_error("index_error", "'" + name + "' has no index " + std::to_string(index)) {}
};

struct no_size_specified : poplar_error {
  explicit no_size_specified(const std::string& message) : poplar_error("no_size_specified", message) {}
  explicit no_size_specified(const char* message) : poplar_error("no_size_specified", message) {}
  no_size_specified(const std::string& vertex, const std::string& field)
      : poplar_error("no_size_specified", "Field '" + field + "' of vertex type '" + vertex + "' has no size") {}
};

struct unknown_field : poplar_error {
  explicit unknown_field(const std::string& field) : poplar_error("unknown_field", "Unknown field '" + field + "'") {}
  unknown_field(const std::string& vertex, const std::string& field)
      : poplar_error("unknown_field", "Vertex type '" + vertex + "' has no field '" + field + "'") {}
};

struct graph_memory_allocation_error : poplar_error {
  // The graph profile that was written before, if the option autoReport.outputGraphProfile asks for one; else empty.
  std::string profilePath;
  explicit graph_memory_allocation_error(const std::string& message, const std::string& profile = std::string())
      : poplar_error("graph_memory_allocation_error", message), profilePath(profile) {}
};

struct link_error : poplar_error {
  std::string output;  // of the linker
  explicit link_error(const std::string& message, const std::string& linkerOutput = std::string())
      : poplar_error("link_error", message), output(linkerOutput) {}
};

struct symbol_error : poplar_error {
  symbol_error(const std::string& name, unsigned tile)
      : poplar_error("symbol_error", "No symbol '" + name + "' on tile " + std::to_string(tile)) {}
};

struct file_load_error : poplar_error {
  explicit file_load_error(const std::string& path)
      : poplar_error("file_load_error", "Could not load file '" + path + "'") {}
};

// Causes of errors at run time, by name. errorCodeFromString throws poplar_error for a name that is none.
enum class ErrorCode {
  NONE,
  UNKNOWN,
  TRAP,
  FLOATING_POINT_INVALID_OPERATION,
  FLOATING_POINT_DIVIDE_BY_ZERO,
  FLOATING_POINT_OVERFLOW,
  TILE_MEMORY_BANK_CONFLICT,
  INVALID_EXCHANGE_CONFIGURATION,
  INVALID_ADDRESS,
  INVALID_OPERAND,
  INVALID_PROGRAM_COUNTER,
  INVALID_INSTRUCTION,
  EXCHANGE_ERROR,
  MEMORY_ERROR,
  IPUSOFTERR,
  LINK_DOWN,
  HOST_LINK_DOWN,
  HOST_SYNC_TIMEOUT,
  IPU_MEMORY_FAILURE
};
std::string errorCodeToString(ErrorCode code);
ErrorCode errorCodeFromString(StringRef name);

enum class RecoveryAction { IPU_RESET, LINK_RESET, PARTITION_RESET, FULL_RESET };
std::string toString(RecoveryAction action);
std::ostream& operator<<(std::ostream& os, RecoveryAction action);

class recoverable_runtime_error : public system_runtime_error {
 public:
  recoverable_runtime_error(RecoveryAction action, const std::string& message)
      : system_runtime_error("recoverable_runtime_error", message), action_(action) {}
  RecoveryAction getRecoveryAction() const { return action_; }

 private:
  RecoveryAction action_;
};

}  // namespace poplar
