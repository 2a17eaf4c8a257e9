// Collects what the runtime needs to name things in messages.
#pragma once

#include "compiler/image/executable.h"
#include "compiler/passes/emit_control.h"
#include "compiler/passes/link_text.h"
#include "compiler/passes/lowered.h"

namespace tessera::compiler {

// Blocks have addresses.
image::DebugInfo make_debug_info(const graph::Graph& graph, const Text& text, const Lowered& lowered,
                                 const ControlCode& code);

}  // namespace tessera::compiler
