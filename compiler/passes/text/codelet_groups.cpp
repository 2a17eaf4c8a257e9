#include "compiler/passes/text/codelet_groups.h"

#include <algorithm>
#include <map>

namespace tessera::compiler {

CodeletGroups codelet_groups(const ir::Program& program) {
  std::vector<std::vector<std::uint32_t>> of_tile(program.tiles);
  for (const ir::Compute& compute : program.computes)
    for (const ir::Vertex& vertex : compute.vertices) {
      std::vector<std::uint32_t>& codelets = of_tile[vertex.tile];
      if (std::find(codelets.begin(), codelets.end(), vertex.codelet) == codelets.end())
        codelets.push_back(vertex.codelet);
    }
  CodeletGroups result;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  for (std::vector<std::uint32_t>& codelets : of_tile) {
    std::sort(codelets.begin(), codelets.end());
    const auto [group, fresh] = known.emplace(std::move(codelets), static_cast<std::uint32_t>(known.size()));
    if (fresh) result.groups.push_back({group->first, 0});
    ++result.groups[group->second].tiles;
    result.of_tile.push_back(group->second);
  }
  return result;
}

}  // namespace tessera::compiler
