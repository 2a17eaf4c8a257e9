// Names everything that the tiles hold, for messages and for whoever looks into a run.
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/passes/build_image.h"
#include "program/program_info.h"

namespace tessera::compiler {

// Of the tiles of one chip, which have its numbers. The title stays empty.
names::ProgramInfo program_names(const graph::Graph& graph, const LaidOut& program, std::uint32_t chip = 0);

}  // namespace tessera::compiler
