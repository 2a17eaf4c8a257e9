// Puts everything at its address: makes the Executable from lowered program, text, control code and usage. What a
// typical tile holds is written to all tiles at once; each tile then has segments for what differs.
#pragma once

#include "compiler/image/executable.h"
#include "compiler/passes/emit_control.h"
#include "compiler/passes/link_text.h"
#include "compiler/passes/lowered.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// Blocks have addresses. Takes the parts of `lowered` and `code` that it needs.
image::Executable build_image(const graph::Graph& graph, const spec::Machine& machine, const Text& text,
                              Lowered& lowered, ControlCode& code, std::vector<image::TileUsage> usage);

// What is to be known of a program that found no place: usage, host layout, names; nothing to load.
image::Executable describe_only(const graph::Graph& graph, const spec::Machine& machine, const Text& text,
                                Lowered& lowered, const ControlCode& code, std::vector<image::TileUsage> usage);

}  // namespace tessera::compiler
