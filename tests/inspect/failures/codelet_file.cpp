#include "tests/inspect/failures/codelet_file.h"

#include <fstream>
#include <stdexcept>

namespace tessera::test {

void add_codelet_file(GraphBuilder& builder, const std::string& path, const compiler::CompileOptions& options) {
  auto library = std::make_shared<compiler::CodeletLibrary>(compiler::compile_codelets({path}, options));
  graph::Graph& graph = builder.graph;
  graph.libraries.push_back(library);
  for (const graph::CodeletInfo& info : library->codelets) {
    graph.codelet_by_name[info.name] = static_cast<graph::CodeletId>(graph.codelets.size());
    graph.codelets.push_back({info, static_cast<std::uint32_t>(graph.libraries.size() - 1)});
  }
}

unsigned marked_line(const std::string& path, const std::string& mark) {
  std::ifstream file(path);
  unsigned number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("// " + mark)) return number;
  }
  throw std::runtime_error(path + " has no line marked " + mark);
}

}  // namespace tessera::test
