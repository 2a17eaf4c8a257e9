#include "compiler/passes/memory/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::compiler {
namespace {

Life common(const Life& a, const Life& b) {
  Life both;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const Interval part{std::max(x->first, y->first), std::min(x->last, y->last)};
    if (part.first <= part.last) both.push_back(part);
    if (x->last < y->last)
      ++x;
    else
      ++y;
  }
  return both;
}

Life united(const Life& a, const Life& b) {
  Life all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  Life result;
  for (const Interval& i : all) {
    if (!result.empty() && i.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, i.last);
    else
      result.push_back(i);
  }
  return result;
}

// Points of a program at which something is done, by what is done.
struct PointsOf {
  std::vector<std::vector<std::uint32_t>> exchanges, computes, transfers;

  PointsOf(const ir::Program& program, const ProgramPoints& points)
      : exchanges(program.exchanges.size()),
        computes(program.computes.size()),
        transfers(program.host_transfers.size()) {
    for (std::uint32_t number = 0; number < points.steps.size(); ++number) {
      const ir::Step& step = points.step(program, number);
      const std::uint32_t point = points.steps[number].own;
      if (step.kind == ir::StepKind::kCopy || step.kind == ir::StepKind::kSwitch || step.kind == ir::StepKind::kPackets)
        exchanges[step.index].push_back(point);
      else if (step.kind == ir::StepKind::kCompute)
        computes[step.index].push_back(point);
      for (const std::uint32_t transfer : step.transfers) transfers[transfer].push_back(point);
    }
  }
};

class Search {
 public:
  Search(const ir::Program& program, const AllKeptApart& kept_apart) : program_(program), kept_apart_(kept_apart) {}

  Views run(unsigned threads) {
    find_copies();
    if (copies_.empty()) return {};
    Plans none;  // staging buffers are of no interest
    none.exchanges.resize(program_.exchanges.size());
    const Lives lives = find_lives(program_, none, program_.blocks, true, threads);
    for (auto& [block, group] : groups_) group.life = lives.of(block);
    for (const ir::Content& content : program_.contents)
      if (const auto group = groups_.find(content.at.block); group != groups_.end()) group->second.loaded = true;
    find_writes(PointsOf(program_, lives.points));

    Views views{own_homes(program_.blocks.size()), std::vector<Life>(program_.blocks.size())};
    homes_ = &views.homes;
    bool any = false;
    for (const ir::Move& copy : copies_) any |= join(copy);
    if (!any) return {};
    for (ir::BlockId block = 0; block < program_.blocks.size(); ++block)
      if (!has_own_memory(views.homes, block)) views.lives[block] = lives.of(block);
    return views;
  }

 private:
  struct Write {
    std::uint32_t point = 0;
    std::uint32_t begin = 0, end = 0;  // bytes of the block
    bool moved = false;                // by a copy, from
    ir::Place source{};
  };
  // A block that may be part of another, or have others as parts, and all that lies in it.
  struct Group {
    Life life{};
    std::vector<Write> writes{};  // by point
    bool loaded = false;
  };

  bool may_join(ir::BlockId block) const {
    return program_.blocks[block].use == ir::BlockUse::kVariable && kept_apart_from(kept_apart_, block).empty();
  }

  void find_copies() {
    const ir::Blocks& blocks = program_.blocks;
    std::vector<bool> selects(blocks.size()), used(program_.exchanges.size());
    for (const ir::Body& body : program_.bodies)
      for (const ir::Step& step : body) {
        for (const ir::BlockId block : step.selectors) selects[block] = true;
        if (step.kind == ir::StepKind::kCopy) used[step.index] = true;
      }
    for (std::size_t i = 0; i < program_.exchanges.size(); ++i) {
      if (!used[i]) continue;
      for (const ir::Move& m : program_.exchanges[i].moves) {
        const ir::Block &from = blocks[m.source.block], &to = blocks[m.target.block];
        if (from.tile != to.tile || m.source.block == m.target.block) continue;
        if (m.bytes != from.bytes && m.bytes != to.bytes) continue;
        if (!may_join(m.source.block) || !may_join(m.target.block)) continue;
        if (selects[m.source.block] || selects[m.target.block]) continue;
        copies_.push_back(m);
        groups_.try_emplace(m.source.block);
        groups_.try_emplace(m.target.block);
      }
    }
  }

  void find_writes(const PointsOf& points) {
    const auto add = [&](const std::vector<std::uint32_t>& at, const ir::Place& to, std::uint32_t bytes,
                         const ir::Place* from) {
      const auto group = groups_.find(to.block);
      if (group == groups_.end()) return;
      for (const std::uint32_t point : at)
        group->second.writes.push_back(
            {point, to.offset, to.offset + bytes, from != nullptr, from != nullptr ? *from : ir::Place{}});
    };
    for (std::size_t i = 0; i < program_.exchanges.size(); ++i)
      for (const ir::Move& m : program_.exchanges[i].moves) {
        const ir::Span written = ir::written_by(program_.exchanges[i], m);
        add(points.exchanges[i], written.at, written.bytes, m.lane == ir::kNone ? &m.source : nullptr);
      }
    for (std::size_t i = 0; i < program_.computes.size(); ++i)
      for (const ir::Vertex& vertex : program_.computes[i].vertices)
        for (std::uint32_t r = vertex.first_region; r < vertex.first_region + vertex.regions; ++r) {
          const ir::Region& region = program_.regions[r];
          if (region.access != graph::FieldKind::kInput)
            add(points.computes[i], region.at, region.elements * region.element_bytes, nullptr);
        }
    for (std::size_t i = 0; i < program_.host_transfers.size(); ++i) {
      if (!ir::is_to_device(program_.host.streams[i].use)) continue;
      for (const ir::HostRun& run : program_.host_transfers[i].runs)
        add(points.transfers[i], run.at, 4 * run.words, nullptr);
      for (const ir::Move& m : program_.host_transfers[i].after) add(points.transfers[i], m.target, m.bytes, nullptr);
    }
    add_flags(points, add);
    for (auto& [block, group] : groups_)
      std::stable_sort(group.writes.begin(), group.writes.end(),
                       [](const Write& a, const Write& b) { return a.point < b.point; });
  }

  template <class Add>
  void add_flags(const PointsOf& points, const Add& add) {
    for (const ir::Body& body : program_.bodies)
      for (const ir::Step& step : body)
        if (step.kind == ir::StepKind::kCompute && step.has_flag)
          add(points.computes[step.index], step.flag, static_cast<std::uint32_t>(graph::size_of(step.flag_type)),
              nullptr);
  }

  // visit(write) until it is false: of writes at points of `life`, in points' order.
  template <class Visit>
  static bool each_in(const Life& life, const std::vector<Write>& writes, const Visit& visit) {
    auto at = writes.begin();
    for (const Interval& i : life) {
      at = std::lower_bound(at, writes.end(), i.first,
                            [](const Write& w, std::uint32_t point) { return w.point < point; });
      for (; at != writes.end() && at->point <= i.last; ++at)
        if (!visit(*at)) return false;
    }
    return true;
  }

  // Of a write into `block`: whether it puts there what `source` in `other`, or the place itself, holds.
  bool puts(const Write& write, const ir::Place& source) const {
    return write.moved && home_of(*homes_, write.source) == source;
  }

  // The group of `part` becomes part of that of `whole`, from `offset` on, if it may.
  bool join(ir::BlockId part, ir::BlockId whole, std::uint32_t offset) {
    const ir::Block &small = program_.blocks[part], &large = program_.blocks[whole];
    Group &a = groups_.at(part), &b = groups_.at(whole);
    const bool equal = small.bytes == large.bytes;
    // Whole words travel, those around the end of a part too.
    if (offset % small.align != 0 || (!equal && small.bytes % 4 != 0) || (a.loaded && b.loaded)) return false;
    const Life both = common(a.life, b.life);
    if (!equal && both != a.life) return false;
    const bool a_is_b = each_in(
        both, a.writes, [&](const Write& w) { return puts(w, {whole, offset + w.begin}) || puts(w, {part, w.begin}); });
    const bool b_is_a = a_is_b && each_in(both, b.writes, [&](const Write& w) {
                          if (w.end <= offset || w.begin >= offset + small.bytes || puts(w, {whole, w.begin}))
                            return true;
                          return w.begin >= offset && puts(w, {part, w.begin - offset});
                        });
    if (!b_is_a) return false;

    (*homes_)[part] = {whole, offset};
    b.life = united(a.life, b.life);
    b.loaded |= a.loaded;
    for (Write& w : a.writes) w.begin += offset, w.end += offset;
    std::vector<Write> all;
    std::merge(a.writes.begin(), a.writes.end(), b.writes.begin(), b.writes.end(), std::back_inserter(all),
               [](const Write& x, const Write& y) { return x.point < y.point; });
    b.writes = std::move(all);
    groups_.erase(part);
    return true;
  }

  bool join(const ir::Move& copy) {
    const ir::Place from = home_of(*homes_, copy.source), to = home_of(*homes_, copy.target);
    if (from.block == to.block) return false;
    const ir::Blocks& blocks = program_.blocks;
    if (to.offset == 0 && copy.bytes == blocks[to.block].bytes && join(to.block, from.block, from.offset)) return true;
    return from.offset == 0 && copy.bytes == blocks[from.block].bytes && join(from.block, to.block, to.offset);
  }

  const ir::Program& program_;
  const AllKeptApart& kept_apart_;
  std::vector<ir::Move> copies_;
  std::map<ir::BlockId, Group> groups_;
  Homes* homes_ = nullptr;
};

}  // namespace

Views find_views(const ir::Program& program, const AllKeptApart& kept_apart, unsigned threads) {
  return Search(program, kept_apart).run(threads);
}

void use_views(const Views& views, ir::Program& program) {
  const Homes& homes = views.homes;
  std::vector<bool> shared(program.blocks.size());
  for (ir::BlockId id = 0; id < homes.size(); ++id) {
    const ir::BlockId home = home_of(homes, {id, 0}).block;
    if (home == id) continue;
    shared[id] = shared[home] = true;
    const ir::Block& view = program.blocks[id];
    ir::Block& block = program.blocks[home];
    block.align = std::max(block.align, view.align);
    block.interleaved |= view.interleaved;
  }
  const auto rename = [&](ir::Place& place) { place = home_of(homes, place); };
  for (ir::Exchange& exchange : program.exchanges) {
    for (ir::Move& m : exchange.moves) rename(m.source), rename(m.target);
    std::erase_if(exchange.moves, [](const ir::Move& m) { return m.lane == ir::kNone && m.source == m.target; });
  }
  for (ir::Region& region : program.regions) {
    region.given |= shared[region.at.block] && program.blocks[region.at.block].copied;
    rename(region.at);
  }
  for (ir::HostTransfer& transfer : program.host_transfers) {
    for (ir::HostRun& run : transfer.runs) rename(run.at);
    for (ir::Span& numbers : transfer.remote.numbers) rename(numbers.at);
    for (ir::Move& m : transfer.after) rename(m.source), rename(m.target);
  }
  for (ir::Content& content : program.contents) rename(content.at);
  for (ir::ReplicaContent& content : program.replica_contents) rename(content.at);
  for (ir::Body& body : program.bodies)
    for (ir::Step& step : body) {
      if (step.has_flag) rename(step.flag);
      // What one variable no longer wants another may.
      std::erase_if(step.undefined, [&](const ir::Span& span) { return shared[span.at.block]; });
    }
}

void add_lives(const Views& views, Lives& lives) {
  std::map<Life, std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < lives.lives.size(); ++i) numbers.emplace(lives.lives[i], i);
  for (ir::BlockId id = 0; id < views.homes.size(); ++id) {
    if (has_own_memory(views.homes, id)) continue;
    const auto [number, fresh] = numbers.try_emplace(views.lives[id], static_cast<std::uint32_t>(lives.lives.size()));
    if (fresh) lives.lives.push_back(views.lives[id]);
    lives.of_block[id] = number->second;
  }
}

std::string dump(const Views& views, const ir::Blocks& blocks) {
  std::string text;
  for (ir::BlockId id = 0; id < views.homes.size(); ++id)
    if (!has_own_memory(views.homes, id))
      text +=
          fmt::format("{0}:{1} is {0}:{2}+{3}\n", blocks[id].tile, id, views.homes[id].block, views.homes[id].offset);
  return text;
}

}  // namespace tessera::compiler
