// Control programs. They are values: adding one to another copies it, and what is added later to the original does
// not show in the copy. Errors in programs show when an Engine or Executable is made.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/PrintTensor.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/SyncType.hpp>
#include <poplar/Tensor.hpp>

namespace poplar {

class Graph;

namespace detail {
struct ProgramImpl;
}

namespace program {

class Program {
 public:
  Program();  // does nothing
  Program(const Program& other);
  Program(Program&& other) noexcept;
  Program& operator=(const Program& other);
  Program& operator=(Program&& other) noexcept;
  ~Program();

  bool isEmpty() const;
  bool operator==(const Program& other) const;
  bool operator!=(const Program& other) const { return !(*this == other); }

 protected:
  friend struct poplar::detail::Access;
  explicit Program(std::shared_ptr<const poplar::detail::ProgramImpl> impl);
  std::shared_ptr<const poplar::detail::ProgramImpl> impl_;
};

class Sequence : public Program {
 public:
  Sequence(const DebugContext& debugContext = {});
  Sequence(std::initializer_list<Program> programs, const DebugContext& debugContext = {});
  // One or more programs as arguments.
  template <class... P>
  Sequence(const Program& first, const Program& second, const P&... rest)
      : Sequence({first, second, static_cast<const Program&>(rest)...}) {}
  template <class P, class = typename std::enable_if<std::is_base_of<Program, P>::value &&
                                                     !std::is_base_of<Sequence, P>::value>::type>
  Sequence(const P& only) : Sequence({static_cast<const Program&>(only)}) {}

  void add(const Program& program);
};

class Block : public Program {
 public:
  Block(const Program& program, const DebugContext& debugContext = {});
};

class Execute : public Program {
 public:
  Execute(ComputeSet cs, const DebugContext& debugContext = {});
  // outPredicate becomes whether every vertex's compute() returned true.
  Execute(ComputeSet cs, Tensor outPredicate, const DebugContext& debugContext = {});
};

class Copy : public Program {
 public:
  Copy(Tensor src, Tensor dst, bool dontOutline = false, const DebugContext& debugContext = {});
  Copy(const DataStream& stream, Tensor dst, bool optimiseMemory = false, const DebugContext& debugContext = {});
  Copy(Tensor src, const DataStream& stream, bool optimiseMemory = false, const DebugContext& debugContext = {});
  // Row 0 of the buffer; with an offset (INT or UNSIGNED_INT) the rows that its elements number, one behind the other
  // in the tensor. A number beyond the buffer ends the run: application_runtime_error.
  Copy(const RemoteBuffer& buffer, Tensor dst, const DebugContext& debugContext = {});
  Copy(Tensor src, const RemoteBuffer& buffer, const DebugContext& debugContext = {});
  Copy(const RemoteBuffer& buffer, Tensor dst, Tensor offset, const DebugContext& debugContext = {});
  Copy(Tensor src, const RemoteBuffer& buffer, Tensor offset, const DebugContext& debugContext = {});
  // Loads the function's code from its buffer, and puts it there. Here a tile holds the code of all functions all the
  // time, so that both do nothing. Throws control_program_error for the buffer of another function.
  Copy(const FunctionBuffer& buffer, const Function& function, const DebugContext& debugContext = {});
  Copy(const Function& function, const FunctionBuffer& buffer, const DebugContext& debugContext = {});
};

// The source of each replica r goes to the destination of replica replicaMap.at(r). Throws graph_replication_error for
// a map that leaves out a replica, or has two go to one.
class CrossReplicaCopy : public Program {
 public:
  CrossReplicaCopy(Tensor src, Tensor dst, const std::map<unsigned, unsigned>& replicaMap,
                   const DebugContext& debugContext = {});
};

// Promises that the tensor has the same values in all replicas. Does nothing.
class AssumeEqualAcrossReplicas : public Program {
 public:
  AssumeEqualAcrossReplicas(Tensor tensor, const DebugContext& debugContext = {});
};

class Repeat : public Program {
 public:
  Repeat(unsigned count, const Program& body, const DebugContext& debugContext = {});
};

// Runs cond, tests the predicate, runs body, again from cond, while the predicate is true.
class RepeatWhileTrue : public Program {
 public:
  RepeatWhileTrue(const Program& cond, Tensor predicate, const Program& body, const DebugContext& debugContext = {});
};

class RepeatWhileFalse : public Program {
 public:
  RepeatWhileFalse(const Program& cond, Tensor predicate, const Program& body, const DebugContext& debugContext = {});
};

// The body again and again: what ends it is an abort, an exception of a callback, Engine::stop, or the engine option
// target.hostSyncTimeout. Nothing after it runs.
class Loop : public Program {
 public:
  Loop(const Program& body, const DebugContext& debugContext = {});
};

class If : public Program {
 public:
  If(Tensor predicate, const Program& trueBody, const Program& falseBody, const DebugContext& debugContext = {});
};

class Switch : public Program {
 public:
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
         const DebugContext& debugContext = {});
  Switch(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases, const Program& defaultCase,
         const DebugContext& debugContext = {});
  explicit Switch(Tensor control, const DebugContext& debugContext = {});
  Switch(Tensor control, const Program& defaultCase, const DebugContext& debugContext = {});
  // What no case is for ends the run with an application_runtime_error, after the control's value is printed as by
  // PrintTensor.
  static Switch switchWithBoundsChecking(Tensor control, const std::vector<std::pair<std::int32_t, Program>>& cases,
                                         const DebugContext& debugContext = {});
  // For a control that always has a case: of another value, nothing runs.
  static Switch switchWithUnreachableDefault(Tensor control, const DebugContext& debugContext = {});
  Switch& add(std::int32_t value, const Program& body);
  // What runs of a value that has no case, instead of what did up to now.
  Switch& defaultCase(const Program& body);
};

class Call : public Program {
 public:
  Call(const Function& function, const DebugContext& debugContext = {});
  // Takes the inputs to the host, calls what is connected to the function, and brings the outputs back. An output may
  // be an input too.
  Call(const HostFunction& function, ArrayRef<Tensor> inputs, ArrayRef<Tensor> outputs,
       const DebugContext& debugContext = {});
};

// Writes the tensor to the engine's print-tensor stream.
class PrintTensor : public Program {
 public:
  PrintTensor(Tensor tensor, const DebugContext& debugContext = {});
  PrintTensor(Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor tensor, const DebugContext& debugContext = {});
  PrintTensor(StringRef title, Tensor tensor, const PrintTensorFmt& format, const DebugContext& debugContext = {});
};

// Says that the contents of the tensor no longer matter.
class WriteUndef : public Program {
 public:
  WriteUndef(Tensor tensor, const DebugContext& debugContext = {});
};

class Sync : public Program {
 public:
  explicit Sync(SyncType type, const DebugContext& debugContext = {});
};

// Ends the run with an application_runtime_error.
class Abort : public Program {
 public:
  explicit Abort(const DebugContext& debugContext = {});
  Abort(const std::string& message, const DebugContext& debugContext = {});
  Abort(const char* message, const DebugContext& debugContext = {}) : Abort(std::string(message), debugContext) {}
};

class AbortOnCondition : public Program {
 public:
  AbortOnCondition(Tensor predicate, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const std::string& message, const DebugContext& debugContext = {});
  AbortOnCondition(Tensor predicate, const char* message, const DebugContext& debugContext = {})
      : AbortOnCondition(predicate, std::string(message), debugContext) {}
};

// Prints the tensor and ends the run with an application_runtime_error.
class ErrorProgram : public Program {
 public:
  ErrorProgram(StringRef message, Tensor debugTensor, const DebugContext& debugContext = {});
};

// Writes the program as an indented text.
void dumpProgram(const Graph& graph, const Program& program, std::ostream& os);

}  // namespace program
}  // namespace poplar
