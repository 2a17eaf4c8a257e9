#include "compiler/passes/phases/buffer_memory.h"

namespace tessera::compiler {
namespace {

// Of a tile, by buffers of different steps.
constexpr std::uint64_t kMostTogether = 32 * 1024;

}  // namespace

bool BufferMemory::fits(const std::vector<ir::BlockId>& buffers) {
  const bool first = counted_.empty();
  if (count(buffers) || first) return true;
  uncount();
  count(buffers);
  return false;
}

bool BufferMemory::count(const std::vector<ir::BlockId>& buffers) {
  bool fits = true;
  for (const ir::BlockId buffer : buffers) {
    if (!counted_.insert(buffer).second) continue;
    const ir::Block& block = blocks_[buffer];
    fits = (together_[block.tile] += block.bytes) <= kMostTogether && fits;
  }
  return fits;
}

void BufferMemory::uncount() {
  for (const ir::BlockId buffer : counted_) together_[blocks_[buffer].tile] = 0;
  counted_.clear();
}

}  // namespace tessera::compiler
