// Executables in a folder, each under the digest of all that it was made from: graph, programs, codelets, machine,
// options of the compiler, and the files that compiler, linker and device library are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/codelet/cache.h"
#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

class ExecutableCache {
 public:
  // The folder is made if it is missing. Throws CodeletError (kFile) if it cannot be, or if others can write to it.
  explicit ExecutableCache(const std::string& folder);

  // `options`: those that change what is compiled, one text a value. Throws CodeletError where tools are missing.
  static std::string key(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                         const spec::Machine& machine, const std::vector<std::string>& options);

  // None: there is none, or it is damaged; storing it puts that right.
  std::optional<image::Executable> find(const std::string& key) const;
  // Throws CodeletError (kFile) when the disk is full.
  void store(const std::string& key, const image::Executable& executable) const;

 private:
  Cache cache_;
};

}  // namespace tessera::compiler
