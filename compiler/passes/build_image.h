// Puts everything at its address: makes the Executable from what the passes before have made. What a typical tile holds
// is written to all tiles at once; each tile then has segments for what differs.
#pragma once

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/passes/control/emit_control.h"
#include "compiler/passes/memory/find_lives.h"
#include "compiler/passes/memory/layout.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// A program that has been laid out.
struct LaidOut {
  const ControlInput& input;
  const ControlCode& code;
  const ir::Blocks& blocks;
  const Lives& lives;
  const Layout& layout;
};

// `threads`: as in parallel.h.
image::Executable build_image(const graph::Graph& graph, const spec::Machine& machine, const LaidOut& program,
                              unsigned threads = 1);

// What is to be known of a program that found no place: usage, host layout, names; nothing to load.
image::Executable describe_only(const graph::Graph& graph, const spec::Machine& machine, const LaidOut& program,
                                unsigned threads = 1);

}  // namespace tessera::compiler
