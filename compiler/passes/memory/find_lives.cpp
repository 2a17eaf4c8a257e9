#include "compiler/passes/memory/find_lives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/passes/memory/block_flow.h"
#include "compiler/passes/memory/point_accesses.h"

namespace tessera::compiler {
namespace {

struct Use {
  ir::BlockId block;
  PointAccess access;
};

// What points do, by block.
std::vector<Use> find_uses(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks,
                           const ProgramPoints& points, unsigned threads) {
  const PointAccesses accesses(program, plans, blocks, threads);
  std::vector<Use> uses;
  for (std::uint32_t number = 0; number < points.steps.size(); ++number) {
    const ir::Step& step = points.step(program, number);
    for (const BlockAccess& a : accesses.at(step))
      uses.push_back({a.block,
                      {.point = points.steps[number].own,
                       .touches = a.reads || a.writes,
                       .reads = a.reads,
                       .ends = a.overwrites || a.forgets}});
  }
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
    return a.block != b.block ? a.block < b.block : a.access.point < b.access.point;
  });
  return uses;
}

bool always_lives(const ir::Block& block, bool share_memory) {
  return block.use != ir::BlockUse::kBuffer && (block.use != ir::BlockUse::kVariable || !share_memory);
}

}  // namespace

Lives find_lives(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks, bool share_memory,
                 unsigned threads) {
  Lives result;
  result.points = program_points(program);
  const Life always = {{0, result.points.points - 1}};
  result.lives.push_back(always);
  result.of_block.assign(blocks.size(), 0);
  std::vector<bool> loaded(blocks.size());
  for (const ir::Content& content : program.contents) loaded[content.at.block] = true;

  const std::vector<Use> uses = find_uses(program, plans, blocks, result.points, threads);
  BlockFlow flow(program, result.points);
  // Many blocks are alike: parts of one variable on many tiles.
  std::map<std::pair<bool, std::vector<PointAccess>>, std::uint32_t> of_accesses;
  std::map<Life, std::uint32_t> numbers = {{always, 0}};
  std::size_t next = 0;
  for (ir::BlockId block = 0; block < blocks.size(); ++block) {
    std::pair<bool, std::vector<PointAccess>> key{loaded[block], {}};
    for (; next < uses.size() && uses[next].block == block; ++next) key.second.push_back(uses[next].access);
    if (always_lives(blocks[block], share_memory)) continue;
    const auto [known, fresh] = of_accesses.try_emplace(std::move(key), 0);
    if (fresh) {
      const Life life = flow.life(known->first.second, known->first.first);
      const auto [number, added] = numbers.try_emplace(life, static_cast<std::uint32_t>(result.lives.size()));
      if (added) result.lives.push_back(life);
      known->second = number->second;
    }
    result.of_block[block] = known->second;
  }
  return result;
}

bool meet(const Life& a, const Life& b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->last < y->first)
      ++x;
    else if (y->last < x->first)
      ++y;
    else
      return true;
  }
  return false;
}

std::string name_of_point(const ir::Program& program, const ProgramPoints& points, std::uint32_t point) {
  if (point == 0) return "waiting for the host";
  return points.step(program, points.step_of_point[point]).name;
}

std::string dump(const Lives& lives, const ir::Blocks& blocks) {
  std::string text = fmt::format("{} points, {} lives\n", lives.points.points, lives.lives.size());
  for (ir::BlockId block = 0; block < lives.of_block.size(); ++block) {
    if (lives.of_block[block] == 0) continue;
    text += fmt::format("{}:{}", blocks[block].tile, block);
    for (const Interval& i : lives.of(block)) text += fmt::format(" [{},{}]", i.first, i.last);
    text += "\n";
  }
  return text;
}

}  // namespace tessera::compiler
