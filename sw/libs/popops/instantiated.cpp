#include "sw/libs/popops/instantiated.h"

#include <sstream>

namespace popops {

std::string instantiated(poplar::Graph& graph, const std::string& header, const std::string& name) {
  if (!graph.hasCodelet(name)) {
    std::stringstream source;
    source << "#include <popops/" << header << ">\ntemplate class " << name << ";\n";
    graph.addCodelets(source);
  }
  return name;
}

}  // namespace popops
