#include "compiler/passes/remote/row_owners.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace tessera::compiler {

bool have_same_owners(const ir::Program& program, std::span<const std::uint32_t> transfers,
                      const std::function<std::uint32_t(std::uint32_t tile)>& owner) {
  struct Part {
    std::uint32_t offset, end, owner;
  };
  std::vector<Part> parts;
  for (const std::uint32_t t : transfers)
    for (const ir::HostRun& run : program.host_transfers[t].runs)
      parts.push_back({run.host_offset, run.host_offset + 4 * run.words, owner(program.blocks[run.at.block].tile)});
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.offset, a.end, a.owner) < std::tie(b.offset, b.end, b.owner);
  });
  Part last{0, 0, 0};  // of those so far, the one that reaches farthest
  for (const Part& part : parts) {
    if (part.offset < last.end && part.owner != last.owner) return false;
    if (part.end > last.end) last = part;
  }
  return true;
}

void confirm_writes(ir::Program& program, std::uint32_t tiles_of_block) {
  const std::uint32_t tiles = program.tiles_of_chip(), blocks = (tiles + tiles_of_block - 1) / tiles_of_block;
  const auto block_of = [&](std::uint32_t tile) {
    return program.chip_of(tile) * blocks + tile % tiles / tiles_of_block;
  };
  for (std::uint32_t buffer = 0; buffer < program.remote_buffers.size(); ++buffer) {
    std::vector<std::uint32_t> transfers, writes;
    for (std::uint32_t t = 0; t < program.host_transfers.size(); ++t) {
      if (program.host_transfers[t].remote.buffer != buffer) continue;
      transfers.push_back(t);
      if (!ir::is_to_device(program.host.streams[t].use)) writes.push_back(t);
    }
    if (writes.empty() || have_same_owners(program, transfers, block_of)) continue;
    for (const std::uint32_t t : writes) program.host_transfers[t].remote.confirmed = true;
  }
}

}  // namespace tessera::compiler
