// The codelets of this folder in a graph.
#pragma once

#include <string>

#include "compiler/codelet/compile.h"
#include "tests/compiler/graph_builder.h"

namespace tessera::test {

void add_codelet_file(GraphBuilder& builder, const std::string& path, const compiler::CompileOptions& options = {});

// Number of the line with the mark "// KIND: NAME"; throws std::runtime_error when there is none.
unsigned marked_line(const std::string& path, const std::string& mark);

}  // namespace tessera::test
