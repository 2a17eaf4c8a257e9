// Who calls whom in a set of relocatable objects, and what follows from it: stack bounds, and that code keeps to the
// arithmetic of the context it runs in.
//
// Edges are the relocations that name functions, so taking a function's address counts as a call: bounds are safe for
// code that stores function pointers, tables in data included.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codelet/codelet_library.h"

namespace tessera::compiler {

class CallGraph {
 public:
  // `objects` must outlive the graph. Throws CodeletError (kFile) if one cannot be read.
  explicit CallGraph(const std::vector<const CodeletObject*>& objects);
  ~CallGraph();

  // Most stack bytes a call of `entry` uses, a multiple of 16. Throws CodeletError (kLink) naming the function if there
  // is no bound (recursion, alloca, assembly without .stack_sizes) and the source gives no TESSERA_STACK_SIZE.
  std::uint32_t stack_size(const std::string& entry) const;

  // Who executes an entry.
  enum class Context { kWorker, kSupervisor, kEither };

  // Throws CodeletError (kLink) naming the path of calls from `entry` to the first instruction that the tile lacks or
  // that the context may not execute: double arithmetic, float code of the supervisor, system instructions of a worker.
  void require_executable(const std::string& entry, Context context) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace tessera::compiler
