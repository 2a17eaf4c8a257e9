#include "compiler/graph/codelet_info.h"

namespace tessera::graph {

int find_field(const CodeletInfo& codelet, const std::string& name) {
  for (std::size_t i = 0; i < codelet.fields.size(); ++i) {
    if (codelet.fields[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tessera::graph
