#include "compiler/passes/point_accesses.h"

#include <algorithm>
#include <tuple>

#include "compiler/parallel/parallel.h"

namespace tessera::compiler {

PointAccesses::PointAccesses(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks, unsigned threads)
    : program_(program),
      blocks_(blocks),
      given_(blocks.size()),
      bytes_(blocks.size()),
      exchanges_(program.exchanges.size()),
      computes_(program.computes.size()),
      transfers_(program.host_transfers.size()) {
  find_given();
  // Exchanges, then computes, then transfers.
  const std::size_t computes = exchanges_.size(), transfers = computes + computes_.size();
  std::vector<Ranges> all(transfers + transfers_.size());
  parallel(threads, all.size(), [&](std::size_t i) {
    if (i < computes)
      all[i] = of_exchange(static_cast<std::uint32_t>(i), plans.exchanges[i]);
    else if (i < transfers)
      all[i] = of_vertices(program.computes[i - computes]);
    else
      all[i] =
          of_transfer(program.host_transfers[i - transfers], ir::is_to_device(program.host.streams[i - transfers].use));
  });
  std::vector<Range> of_buffers;
  for (const Ranges& ranges : all)
    for (const auto* part : {&ranges.read, &ranges.written})
      for (const Range& r : *part)
        if (blocks[r.block].use == ir::BlockUse::kBuffer) of_buffers.push_back(r);
  measure(std::move(of_buffers));
  parallel(threads, all.size(), [&](std::size_t i) {
    Accesses& made = i < computes ? exchanges_[i] : i < transfers ? computes_[i - computes] : transfers_[i - transfers];
    made = joined(std::move(all[i]));
  });
}

void PointAccesses::find_given() {
  for (const ir::Content& content : program_.contents) given_[content.at.block] = true;
  // As the program was written: phases that were merged take what is copied from other places.
  for (ir::BlockId id = 0; id < blocks_.size(); ++id)
    if (blocks_[id].copied) given_[id] = true;
  for (std::size_t i = 0; i < program_.host_transfers.size(); ++i) {
    if (!ir::is_to_device(program_.host.streams[i].use)) continue;
    for (const ir::HostRun& run : program_.host_transfers[i].runs) given_[run.at.block] = true;
    for (const ir::Move& move : program_.host_transfers[i].after) given_[move.target.block] = true;
  }
}

// Variables count with all their bytes, buffers without the gaps between the fields that share one.
void PointAccesses::measure(std::vector<Range> all) {
  for (ir::BlockId id = 0; id < blocks_.size(); ++id)
    if (blocks_[id].use != ir::BlockUse::kBuffer) bytes_[id] = blocks_[id].bytes;
  std::sort(all.begin(), all.end());
  std::uint32_t done = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i].block != all[i - 1].block) done = 0;
    if (all[i].end > done) bytes_[all[i].block] += all[i].end - std::max(done, all[i].begin);
    done = std::max(done, all[i].end);
  }
}

// Whole words travel; what lies beyond the block is nobody's. A range that continues one of the last few is joined to
// it: vertices and moves go through their blocks side by side.
void PointAccesses::add(std::vector<Range>& ranges, const ir::Place& at, std::uint32_t bytes) const {
  constexpr std::ptrdiff_t kSideBySide = 4;
  const std::uint32_t end = std::min(at.offset + bytes, blocks_[at.block].bytes);
  if (at.offset >= end) return;
  for (auto last = ranges.rbegin(); last != ranges.rend() && last - ranges.rbegin() < kSideBySide; ++last)
    if (last->block == at.block && last->begin <= at.offset && at.offset <= last->end) {
      last->end = std::max(last->end, end);
      return;
    }
  ranges.push_back({at.block, at.offset, end});
}

PointAccesses::Ranges PointAccesses::of_exchange(std::uint32_t exchange, const ExchangePlan& plan) const {
  Ranges ranges;
  for (const ir::Move& move : program_.exchanges[exchange].moves) {
    add(ranges.read, move.source, move.bytes);
    add(ranges.written, move.target, move.bytes);
  }
  // Staging buffers are filled before they are read.
  const auto staging = [&](const ir::Place& at) {
    if (at.block >= program_.blocks.size()) ranges.written.push_back({at.block, 0, blocks_[at.block].bytes});
  };
  for (const LocalCopy& copy : plan.before.copies) staging(copy.target);
  for (const Receiver& receiver : plan.traffic.receivers) staging(receiver.to);
  return ranges;
}

PointAccesses::Ranges PointAccesses::of_vertices(const ir::Compute& compute) const {
  Ranges ranges;
  for (const ir::Vertex& vertex : compute.vertices)
    for (std::uint32_t i = vertex.first_region; i < vertex.first_region + vertex.regions; ++i) {
      const ir::Region& region = program_.regions[i];
      const std::uint32_t bytes = region.elements * region.element_bytes;
      // Who gives an output a value before it is computed may mean it to be read there.
      const bool writes_only = region.access == graph::FieldKind::kOutput && !given_[region.at.block];
      if (!writes_only) add(ranges.read, region.at, bytes);
      if (region.access != graph::FieldKind::kInput) add(ranges.written, region.at, bytes);
    }
  return ranges;
}

PointAccesses::Ranges PointAccesses::of_transfer(const ir::HostTransfer& transfer, bool to_device) const {
  Ranges ranges;
  for (const ir::HostRun& run : transfer.runs) add(to_device ? ranges.written : ranges.read, run.at, 4 * run.words);
  for (const ir::Move& move : transfer.after) add(ranges.written, move.target, move.bytes);
  return ranges;
}

// Whether sorted ranges of one block are all of it that matters.
bool PointAccesses::is_whole(const Range* first, const Range* last) const {
  if (first == last) return false;
  std::uint64_t bytes = 0;
  std::uint32_t done = 0;
  for (const Range* r = first; r != last; ++r) {
    if (r->end > done) bytes += r->end - std::max(done, r->begin);
    done = std::max(done, r->end);
  }
  return bytes == bytes_[first->block];
}

// The blocks of ranges, ascending.
std::vector<ir::BlockId> PointAccesses::blocks_of(const std::vector<Range>& ranges) const {
  std::vector<ir::BlockId> ids;
  if (ranges.size() < blocks_.size()) {
    for (const Range& r : ranges) ids.push_back(r.block);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }
  std::vector<bool> there(blocks_.size());
  for (const Range& r : ranges) there[r.block] = true;
  for (ir::BlockId id = 0; id < there.size(); ++id)
    if (there[id]) ids.push_back(id);
  return ids;
}

PointAccesses::Accesses PointAccesses::joined(Ranges ranges) const {
  const std::vector<ir::BlockId> read = blocks_of(ranges.read);
  std::sort(ranges.written.begin(), ranges.written.end(),
            [](const Range& a, const Range& b) { return std::tie(a.block, a.begin) < std::tie(b.block, b.begin); });
  Accesses accesses;
  auto reads = read.begin();
  const Range *written = ranges.written.data(), *const written_end = written + ranges.written.size();
  while (reads != read.end() || written != written_end) {
    ir::BlockId block = ir::kNone;
    if (reads != read.end()) block = *reads;
    if (written != written_end) block = std::min(block, written->block);
    BlockAccess access{.block = block};
    if (reads != read.end() && *reads == block) access.reads = true, ++reads;
    const Range* const first = written;
    while (written != written_end && written->block == block) ++written;
    access.writes = first != written;
    access.overwrites = is_whole(first, written);
    accesses.push_back(access);
  }
  return accesses;
}

std::vector<BlockAccess> PointAccesses::at(const ir::Step& step) const {
  Accesses accesses;
  const auto flag = [&](bool written) {
    const bool whole = written && graph::size_of(step.flag_type) == bytes_[step.flag.block];
    const auto found = std::find_if(accesses.begin(), accesses.end(),
                                    [&](const BlockAccess& a) { return a.block >= step.flag.block; });
    if (found != accesses.end() && found->block == step.flag.block)
      found->writes = true, found->overwrites |= whole;
    else
      accesses.insert(found, {.block = step.flag.block, .reads = !written, .writes = written, .overwrites = whole});
  };
  switch (step.kind) {
    case ir::StepKind::kCompute:
      accesses = computes_[step.index];
      if (step.has_flag) flag(true);
      return accesses;
    case ir::StepKind::kCopy:
    case ir::StepKind::kSwitch:
      return exchanges_[step.index];
    case ir::StepKind::kHost:
      return transfers_[step.index];
    case ir::StepKind::kWhile:
    case ir::StepKind::kIf:
      flag(false);
      return accesses;
    case ir::StepKind::kUndef: {
      Ranges ranges;
      for (const ir::Span& span : step.undefined) add(ranges.written, span.at, span.bytes);
      for (const BlockAccess& access : joined(std::move(ranges)))
        if (access.overwrites) accesses.push_back({.block = access.block, .forgets = true});
      return accesses;
    }
    case ir::StepKind::kRepeat:
    case ir::StepKind::kCall:
    case ir::StepKind::kSync:
      return {};
  }
  return {};
}

}  // namespace tessera::compiler
