// Names everything that the tiles hold, for messages and for whoever looks into a run.
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/passes/build_image.h"
#include "program/program_info.h"

namespace tessera::compiler {

// The title stays empty.
names::ProgramInfo program_names(const graph::Graph& graph, const LaidOut& program);

}  // namespace tessera::compiler
