// What stands behind poplar::Executable.
#pragma once

#include <poplar/Executable.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/image/executable.h"
#include "sw/poplar/engine_options.h"

namespace poplar::detail {

struct ExecutableImpl {
  tessera::image::Executable image;
  std::vector<std::set<std::string>> streams;      // per user program: handles that it can copy from or to
  std::map<std::string, std::uint32_t> buffering;  // of streams whose option bufferingDepth was given
  tessera::runtime::EngineOptions options;         // it was compiled with
  std::string out_of_memory;  // why it cannot be loaded: with debug.allowOutOfMemory only; image has usage alone then
};

std::shared_ptr<const ExecutableImpl> compile_executable(const Graph& graph, ArrayRef<program::Program> programs,
                                                         const OptionFlags& flags, const ProgressFunc& progress);

}  // namespace poplar::detail
