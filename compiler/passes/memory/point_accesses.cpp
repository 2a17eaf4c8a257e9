#include "compiler/passes/memory/point_accesses.h"

#include <algorithm>

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
  // Exchanges, then computes, then transfers; long ones in pieces.
  struct Piece {
    std::size_t number, begin, end;
  };
  const std::size_t computes = exchanges_.size(), transfers = computes + computes_.size();
  std::vector<Piece> pieces;
  std::vector<std::size_t> first_piece(transfers + transfers_.size() + 1);
  for (std::size_t number = 0; number + 1 < first_piece.size(); ++number) {
    const Parts parts{number < computes    ? program.exchanges[number].moves.size()
                      : number < transfers ? program.computes[number - computes].vertices.size()
                                           : 1,
                      16384};
    for (std::size_t i = 0; i < parts.count(); ++i) pieces.push_back({number, parts.begin(i), parts.end(i)});
    if (number < computes) pieces.push_back({number, parts.things, parts.things});  // staging buffers
    first_piece[number + 1] = pieces.size();
  }
  std::vector<Ranges> ranges(pieces.size());
  parallel(threads, pieces.size(), [&](std::size_t i) {
    const auto [number, begin, end] = pieces[i];
    if (number < computes && begin == end)
      ranges[i].written = of_staging(plans.exchanges[number]);
    else if (number < computes)
      ranges[i] = of_moves(program.exchanges[number], begin, end);
    else if (number < transfers)
      ranges[i] = of_vertices(std::span(program.computes[number - computes].vertices).subspan(begin, end - begin));
    else
      ranges[i] = of_transfer(program.host_transfers[number - transfers],
                              ir::is_to_device(program.host.streams[number - transfers].use));
  });
  measure(ranges, threads);
  parallel(threads, first_piece.size() - 1, [&](std::size_t i) {
    Accesses& made = i < computes ? exchanges_[i] : i < transfers ? computes_[i - computes] : transfers_[i - transfers];
    made = joined(std::span(ranges).subspan(first_piece[i], first_piece[i + 1] - first_piece[i]));
    const auto kept = [&](const ir::Move& move) { return ir::keeps_some(program_.exchanges[i], move); };
    if (i < computes && std::ranges::any_of(program_.exchanges[i].moves, kept))
      for (BlockAccess& access : made) access.overwrites = false;
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

// How many bytes sorted ranges have together.
std::uint64_t PointAccesses::bytes_in(std::span<const Range> sorted) {
  std::uint64_t bytes = 0;
  std::uint32_t done = 0;
  for (const Range& r : sorted) {
    if (r.end > done) bytes += r.end - std::max(done, r.begin);
    done = std::max(done, r.end);
  }
  return bytes;
}

// Vertices and their moves come in the order of their buffers: most ranges are sorted, or two sorted rows.
void PointAccesses::sort(std::span<Range> ranges) {
  const auto second = std::is_sorted_until(ranges.begin(), ranges.end());
  if (second == ranges.end()) return;
  if (std::is_sorted(second, ranges.end()))
    std::inplace_merge(ranges.begin(), second, ranges.end());
  else
    std::sort(ranges.begin(), ranges.end());
}

// Variables count with all their bytes, buffers without the gaps between the fields that share one.
void PointAccesses::measure(const std::vector<Ranges>& ranges, unsigned threads) {
  // Neighbours of one block stay together.
  using Row = std::span<const Range>;
  std::vector<std::vector<Row>> of_piece(ranges.size());
  parallel(threads, ranges.size(), [&](std::size_t i) {
    for (const auto* part : {&ranges[i].read, &ranges[i].written})
      for (auto begin = part->begin(), end = begin; begin != part->end(); begin = end) {
        end = std::find_if(begin, part->end(), [&](const Range& r) { return r.block != begin->block; });
        if (blocks_[begin->block].use == ir::BlockUse::kBuffer) of_piece[i].emplace_back(begin, end);
      }
  });
  const auto for_each_row = [&](const auto& visit) {
    for (const std::vector<Row>& rows : of_piece)
      for (const Row& row : rows) visit(row.front().block, row);
  };
  std::vector<std::size_t> end(blocks_.size() + 1);  // of a block's rows; while they are put there, the next one's
  for_each_row([&](ir::BlockId block, const Row&) { ++end[block + 1]; });
  for (ir::BlockId id = 0; id < blocks_.size(); ++id) end[id + 1] += end[id];
  std::vector<Row> by_block(end.back());
  for_each_row([&](ir::BlockId block, const Row& row) { by_block[end[block]++] = row; });
  const Parts parts{blocks_.size(), 256};
  parallel(threads, parts.count(), [&](std::size_t part) {
    std::vector<Range> of_block;
    for (std::size_t id = parts.begin(part); id < parts.end(part); ++id) {
      of_block.clear();
      for (std::size_t row = id == 0 ? 0 : end[id - 1]; row < end[id]; ++row)
        of_block.insert(of_block.end(), by_block[row].begin(), by_block[row].end());
      sort(of_block);
      bytes_[id] = blocks_[id].use == ir::BlockUse::kBuffer ? bytes_in(of_block) : blocks_[id].bytes;
    }
  });
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

PointAccesses::Ranges PointAccesses::of_moves(const ir::Exchange& exchange, std::size_t begin, std::size_t end) const {
  Ranges ranges;
  for (const ir::Move& move : std::span(exchange.moves).subspan(begin, end - begin)) {
    const ir::Span read = ir::read_by(exchange, move), written = ir::written_by(exchange, move);
    add(ranges.read, read.at, read.bytes);
    add(ranges.written, written.at, written.bytes);
  }
  return ranges;
}

// Staging buffers are filled before they are read.
std::vector<PointAccesses::Range> PointAccesses::of_staging(const ExchangePlan& plan) const {
  std::vector<Range> written;
  const auto staging = [&](const ir::Place& at) {
    if (at.block >= program_.blocks.size()) written.push_back({at.block, 0, blocks_[at.block].bytes});
  };
  for (const LocalCopy& copy : plan.before.copies) staging(copy.target);
  for (const Receiver& receiver : plan.traffic.receivers) staging(receiver.to);
  for (const PacketRound& round : plan.rounds)
    for (const Packet& packet : round.packets) staging(packet.to);
  sort(written);
  return written;
}

PointAccesses::Ranges PointAccesses::of_vertices(std::span<const ir::Vertex> vertices) const {
  Ranges ranges;
  for (const ir::Vertex& vertex : vertices)
    for (std::uint32_t i = vertex.first_region; i < vertex.first_region + vertex.regions; ++i) {
      const ir::Region& region = program_.regions[i];
      const std::uint32_t bytes = region.elements * region.element_bytes;
      // Who gives an output a value before it is computed may mean it to be read there.
      const bool writes_only = region.access == graph::FieldKind::kOutput && !region.given && !given_[region.at.block];
      if (!writes_only) add(ranges.read, region.at, bytes);
      if (region.access != graph::FieldKind::kInput) add(ranges.written, region.at, bytes);
    }
  return ranges;
}

PointAccesses::Ranges PointAccesses::of_transfer(const ir::HostTransfer& transfer, bool to_device) const {
  Ranges ranges;
  for (const ir::HostRun& run : transfer.runs) add(to_device ? ranges.written : ranges.read, run.at, 4 * run.words);
  for (const ir::Span& numbers : transfer.remote.numbers) add(ranges.read, numbers.at, numbers.bytes);
  for (const ir::Move& move : transfer.after) add(ranges.written, move.target, move.bytes);
  return ranges;
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

PointAccesses::Accesses PointAccesses::joined(std::span<Ranges> pieces) const {
  Ranges ranges;
  for (Ranges& piece : pieces) {
    if (ranges.read.empty()) ranges.read.swap(piece.read);
    if (ranges.written.empty()) ranges.written.swap(piece.written);
    ranges.read.insert(ranges.read.end(), piece.read.begin(), piece.read.end());
    ranges.written.insert(ranges.written.end(), piece.written.begin(), piece.written.end());
  }
  const std::vector<ir::BlockId> read = blocks_of(ranges.read);
  sort(ranges.written);
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
    access.overwrites = access.writes && bytes_in({first, written}) == bytes_[block];
    accesses.push_back(access);
  }
  return accesses;
}

// Each block once, of accesses that happen at one point.
PointAccesses::Accesses PointAccesses::of_each_block(Accesses all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
  Accesses result;
  for (const BlockAccess& access : all) {
    if (result.empty() || result.back().block != access.block) {
      result.push_back(access);
      continue;
    }
    result.back().reads |= access.reads;
    result.back().writes |= access.writes;
    result.back().overwrites |= access.overwrites;
  }
  return result;
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
    case ir::StepKind::kPackets:
      return exchanges_[step.index];
    case ir::StepKind::kHost:
    case ir::StepKind::kRemote:
      for (const std::uint32_t transfer : step.transfers)
        accesses.insert(accesses.end(), transfers_[transfer].begin(), transfers_[transfer].end());
      return of_each_block(std::move(accesses));
    case ir::StepKind::kWhile:
    case ir::StepKind::kIf:
      flag(false);
      return accesses;
    case ir::StepKind::kUndef: {
      Ranges ranges;
      for (const ir::Span& span : step.undefined) add(ranges.written, span.at, span.bytes);
      for (const BlockAccess& access : joined({&ranges, 1}))
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
