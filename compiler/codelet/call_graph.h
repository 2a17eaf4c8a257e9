// Who calls whom in a set of relocatable objects, and what follows from it: stack bounds, and that code keeps to the
// arithmetic of the context it runs in.
//
// Edges are the relocations that name functions, so taking a function's address counts as a call: bounds are safe for
// code that stores function pointers, tables in data included.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
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

  // A section of an object, of code or data.
  struct Section {
    std::size_t object;     // of those that the graph was made of
    std::string_view name;  // in that object's bytes
    auto operator<=>(const Section&) const = default;
  };
  // Sections that a call of `entry` may lead to: its own, and those that relocations in such sections name. Empty if no
  // object has it.
  std::set<Section> sections(const std::string& entry) const;

  // Whether code or data that a call of `entry` may lead to name the symbol, in an object or not.
  bool names(const std::string& entry, std::string_view symbol) const;

  // A name that stands for the section in the linker's order of symbols; empty: it has none.
  std::string symbol_in(const Section& section) const;

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
};

}  // namespace tessera::compiler
