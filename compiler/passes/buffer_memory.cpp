#include "compiler/passes/buffer_memory.h"

#include <algorithm>
#include <numeric>

namespace tessera::compiler {
namespace {

// Of a tile, by buffers of different steps.
constexpr std::uint64_t kMostTogether = 32 * 1024;

}  // namespace

BufferMemory::BufferMemory(const ir::Program& program)
    : sizes_(program.buffer_steps), together_(program.tiles), same_(program.buffer_steps) {
  std::iota(same_.begin(), same_.end(), 0);
  for (const ir::Block& block : program.blocks)
    if (block.use == ir::BlockUse::kBuffer) sizes_[block.step].emplace_back(block.tile, block.bytes);
}

void BufferMemory::begin_row() { uncount(); }

bool BufferMemory::fits(const std::vector<std::uint32_t>& buffer_steps) {
  const bool first = counted_.empty();
  if (count(buffer_steps) || first) return true;
  uncount();
  count(buffer_steps);
  return false;
}

bool BufferMemory::count(const std::vector<std::uint32_t>& buffer_steps) {
  bool fits = true;
  for (const std::uint32_t step : buffer_steps) {
    if (!counted_.insert(step).second) continue;
    for (const auto& [tile, bytes] : sizes_[step]) fits = (together_[tile] += bytes) <= kMostTogether && fits;
  }
  return fits;
}

void BufferMemory::uncount() {
  for (const std::uint32_t step : counted_)
    for (const auto& [tile, bytes] : sizes_[step]) together_[tile] = 0;
  counted_.clear();
}

void BufferMemory::use(std::uint32_t buffer_step, std::size_t position) {
  lives_.try_emplace(buffer_step, position, position).first->second.second = position;
}

void BufferMemory::end_row() {
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, std::uint32_t>> order;
  for (const auto& [step, life] : lives_) order.push_back({life, step});
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1, longest = 0; i < order.size(); ++i) {
    if (order[i].first.first <= order[longest].first.second) {
      const std::uint32_t a = find(order[longest].second), b = find(order[i].second);
      same_[std::max(a, b)] = std::min(a, b);
    }
    if (order[i].first.second > order[longest].first.second) longest = i;
  }
  lives_.clear();
}

std::uint32_t BufferMemory::find(std::uint32_t step) {
  while (same_[step] != step) step = same_[step] = same_[same_[step]];
  return step;
}

void BufferMemory::apply(ir::Program& program) {
  for (ir::Block& block : program.blocks)
    if (block.use == ir::BlockUse::kBuffer) block.step = find(block.step);
  for (ir::Exchange& exchange : program.exchanges) exchange.step = find(exchange.step);
}

}  // namespace tessera::compiler
