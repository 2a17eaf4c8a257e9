// Names everything that the tiles hold, for messages and for whoever looks into a run.
#pragma once

#include "compiler/passes/emit_control.h"
#include "compiler/passes/link_text.h"
#include "compiler/passes/lowered.h"
#include "program/program_info.h"

namespace tessera::compiler {

// Blocks have addresses. The title stays empty.
names::ProgramInfo program_names(const graph::Graph& graph, const Text& text, const Lowered& lowered,
                                 const ControlCode& code);

}  // namespace tessera::compiler
