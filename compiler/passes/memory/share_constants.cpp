#include "compiler/passes/memory/share_constants.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace tessera::compiler {
namespace {

std::vector<bool> find_written(const ir::Program& program) {
  std::vector<bool> written(program.blocks.size());
  for (const ir::Exchange& exchange : program.exchanges)
    for (const ir::Move& move : exchange.moves) written[move.target.block] = true;
  for (const ir::Region& region : program.regions)
    if (region.access != graph::FieldKind::kInput) written[region.at.block] = true;
  for (std::size_t i = 0; i < program.host_transfers.size(); ++i) {
    if (!ir::is_to_device(program.host.streams[i].use)) continue;
    for (const ir::HostRun& run : program.host_transfers[i].runs) written[run.at.block] = true;
    for (const ir::Move& move : program.host_transfers[i].after) written[move.target.block] = true;
  }
  for (const ir::Body& body : program.bodies)
    for (const ir::Step& step : body) {
      if (step.kind == ir::StepKind::kCompute && step.has_flag) written[step.flag.block] = true;
      for (const ir::Span& span : step.undefined) written[span.at.block] = true;
    }
  return written;
}

}  // namespace

void share_constants(const ir::Program& program, const Lives& lives, const AllKeptApart& kept_apart, ir::Blocks& blocks,
                     Homes& homes) {
  if (program.contents.empty()) return;
  const std::vector<bool> written = find_written(program);
  std::vector<bool> differs(program.blocks.size());  // by replica
  for (const ir::ReplicaContent& content : program.replica_contents) differs[content.at.block] = true;
  std::map<std::pair<std::uint32_t, std::vector<std::uint8_t>>, ir::BlockId> first;  // by tile and bytes
  std::vector<const ir::Content*> contents;
  for (const ir::Content& content : program.contents) contents.push_back(&content);
  std::stable_sort(contents.begin(), contents.end(), [](const ir::Content* a, const ir::Content* b) {
    return std::pair(a->at.block, a->at.offset) < std::pair(b->at.block, b->at.offset);
  });
  for (std::size_t i = 0; i < contents.size();) {
    const ir::BlockId id = contents[i]->at.block;
    std::vector<std::uint8_t> bytes;
    bool gap = false;
    for (; i < contents.size() && contents[i]->at.block == id; ++i) {
      gap = gap || contents[i]->at.offset != bytes.size();
      bytes.insert(bytes.end(), contents[i]->bytes.begin(), contents[i]->bytes.end());
    }
    ir::Block& block = blocks[id];
    if (differs[id]) continue;
    if (gap || bytes.size() != block.bytes || written[id] || lives.number_of(id) != 0) continue;
    if (!kept_apart_from(kept_apart, id).empty()) continue;
    const auto [known, fresh] = first.try_emplace({block.tile, std::move(bytes)}, id);
    if (fresh) continue;
    homes[id] = {known->second, 0};
    ir::Block& shared = blocks[known->second];
    shared.align = std::max(shared.align, block.align);
    shared.interleaved |= block.interleaved;
  }
}

}  // namespace tessera::compiler
