#include "compiler/passes/memory/live_memory.h"

#include <algorithm>
#include <utility>

#include "compiler/passes/exchange/group_by_tile.h"

namespace tessera::compiler {

std::vector<image::LiveMemory> live_memory(const ir::Program& program, const ir::Blocks& blocks, const Lives& lives,
                                           const Homes& homes, std::uint32_t chip) {
  const std::uint32_t points = lives.points.points;
  std::vector<image::LiveMemory> live(points);
  const ByTile of_tile(blocks.size(), program.tiles, 1, [&](std::size_t id) {
    const auto block = static_cast<ir::BlockId>(id);
    return lives.number_of(block) == 0 || !has_own_memory(homes, block) ? ir::kNone : blocks[id].tile;
  });
  struct Change {
    std::uint32_t point;
    bool buffer;
    std::int64_t bytes;
  };
  std::vector<Change> changes;
  const std::uint32_t tiles = program.tiles_of_chip();
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    changes.clear();
    for (const ir::BlockId id : of_tile[chip * tiles + tile])
      for (const Interval& i : lives.of(id)) {
        const bool buffer = blocks[id].use != ir::BlockUse::kVariable;
        changes.push_back({i.first, buffer, blocks[id].bytes});
        changes.push_back({i.last + 1, buffer, -std::int64_t{blocks[id].bytes}});
      }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.point < b.point; });
    std::int64_t variables = 0, buffers = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      (changes[i].buffer ? buffers : variables) += changes[i].bytes;
      const std::uint32_t next = i + 1 < changes.size() ? changes[i + 1].point : changes[i].point;
      for (std::uint32_t point = changes[i].point; point < next; ++point) {
        image::LiveMemory& all = live[point];
        all.variables += static_cast<std::uint64_t>(variables);
        all.buffers += static_cast<std::uint64_t>(buffers);
        const auto here = static_cast<std::uint64_t>(variables + buffers);
        if (here > all.most) all.most = here, all.tile = tile;
      }
    }
  }
  std::vector<image::LiveMemory> result;
  for (std::uint32_t point = 0; point < points; ++point) {
    if (live[point].most == 0) continue;
    live[point].step = name_of_point(program, lives.points, point);
    result.push_back(std::move(live[point]));
  }
  return result;
}

}  // namespace tessera::compiler
