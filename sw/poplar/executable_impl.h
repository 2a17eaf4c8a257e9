// What stands behind poplar::Executable.
#pragma once

#include <poplar/Executable.hpp>

#include <memory>

#include "compiler/image/executable.h"
#include "sw/poplar/engine_options.h"

namespace poplar::detail {

struct ExecutableImpl {
  tessera::image::Executable image;
  tessera::runtime::EngineOptions options;  // it was compiled with
};

std::shared_ptr<const ExecutableImpl> compile_executable(const Graph& graph, ArrayRef<program::Program> programs,
                                                         const OptionFlags& flags, const ProgressFunc& progress);

}  // namespace poplar::detail
