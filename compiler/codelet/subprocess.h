// Runs a tool to its end and keeps what it printed.
#pragma once

#include <string>
#include <vector>

namespace tessera::compiler {

struct ToolResult {
  int status;          // exit status, 128 + signal if it was killed
  std::string output;  // stdout and stderr together, in order
};

// arguments[0] is the path of the program. Throws CodeletError (kNoTool) if it cannot be started.
ToolResult run_tool(const std::vector<std::string>& arguments);

}  // namespace tessera::compiler
