#include "sw/libs/gcl/reduce_in_turns.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <popops/Zero.hpp>
#include <string>
#include <utility>

#include "sw/libs/gcl/operators.h"
#include "sw/libs/gcl/pieces.h"
#include "sw/libs/gcl/reduce_at_once.h"

namespace gcl {

using poplar::DebugContext, poplar::Graph, poplar::Tensor;
using poplar::program::Copy, poplar::program::Sequence;
using tessera::ReplicaCopy;

namespace {

// A part of a tensor that goes a way of its own.
struct Way {
  const Turns* turns;
  Pieces data;
  std::vector<Pieces> got{};   // in each turn
  std::vector<Pieces> sums{};  // of what was got in it, as far as it was not got before
  // Units of rank 0 whose sums have been begun with what the rank has: what of the turns has been added.
  std::map<unsigned, std::size_t> added{};
};
// Tiles that send at the same time, the others computing meanwhile.
using Group = std::vector<Way>;

struct Layout {
  std::vector<Group> groups;
  std::vector<Tensor> rest;  // fewer elements on a tile than make whole units
};

// What fills a double word: copies and vertices are fastest with whole ones.
std::size_t elements_of_double_word(const Graph& graph, const Tensor& data) {
  return std::max<std::size_t>(1, 8 / graph.getTarget().getTypeSize(data.elementType()));
}

// None if tiles have their elements in several parts, or few tiles have many of them.
std::optional<Layout> laid_out(Graph& graph, const Tensor& data, unsigned n, const std::vector<Turns>& ways) {
  const auto mapping = graph.getTileMapping(data);
  const std::size_t even = (data.numElements() + mapping.size() - 1) / mapping.size();
  const std::size_t grain = elements_of_double_word(graph, data);
  Layout layout;
  layout.groups.resize(2);
  for (Group& group : layout.groups)
    for (const Turns& turns : ways) group.push_back({&turns, {}});
  unsigned used = 0;
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    const auto regions = graph.getSortedContiguousRegions(data, mapping[tile]);
    if (regions.size() != 1 || regions[0].size() != 1) return std::nullopt;
    const poplar::Interval own = regions[0][0];
    if (own.size() > 2 * even + grain * n * ways.size()) return std::nullopt;
    const std::size_t unit = own.size() / (ways.size() * n) / grain * grain;
    std::size_t at = own.begin();
    if (unit > 0) {
      Group& group = layout.groups[used++ % 2];
      for (Way& way : group) {
        way.data.add({data.slice(at, at + n * unit), unit, tile});
        at += n * unit;
      }
    }
    if (at < own.end()) layout.rest.push_back(data.slice(at, own.end()));
  }
  std::erase_if(layout.groups, [](const Group& group) { return group[0].data.empty(); });
  return layout;
}

// Evenly over all tiles, in whole units.
Tensor working_tensor(Graph& graph, const Tensor& data, unsigned units, Sequence& prog,
                      const DebugContext& debugContext) {
  const std::size_t elements = data.numElements(), grain = units * elements_of_double_word(graph, data);
  const unsigned tiles = graph.getTarget().getNumTiles();
  const std::size_t grains = (elements + grain - 1) / grain;
  const Tensor work = graph.addVariable(data.elementType(), {grains * grain}, {debugContext, "work"});
  for (unsigned tile = 0; tile < tiles; ++tile) {
    const std::size_t begin = grains * tile / tiles * grain, end = grains * (tile + 1) / tiles * grain;
    if (begin < end) graph.setTileMapping(work.slice(begin, end), tile);
  }
  prog.add(Copy(data, work.slice(0, elements), false, {debugContext, "work"}));
  if (elements < work.numElements())
    popops::zero(graph, work.slice(elements, work.numElements()), prog, {debugContext, "padding"});
  return work;
}

class Reduction {
 public:
  Reduction(Graph& graph, CollectiveOperator op, const Ranks& ranks, Sequence& prog, const DebugContext& debugContext)
      : graph_(graph), op_(op), ranks_(ranks), prog_(prog), name_(debugContext) {}

  // While one group sends, the others add up what they have got. The first does all it can before its next turn, while
  // the others send their largest parts; these copy what they add to while the first sends its.
  void run(std::vector<Group>& groups) {
    const unsigned reduce = groups[0][0].turns->reduce, gather = groups[0][0].turns->gather;
    for (Group& group : groups) add_buffers(group);
    for (unsigned turn = 0; turn < reduce; ++turn)
      for (Group& group : groups) {
        const bool first = &group == &groups[0];
        if (turn == 0 && !first) keep(group, left(turn));
        if (turn > 0) {
          keep(group, left(turn));
          add_up(group, first ? left(turn) : given(turn), turn);
        }
        send_parts(group, turn);
      }
    for (unsigned turn = 0; turn < gather; ++turn)
      for (Group& group : groups) {
        if (turn == 0) {
          keep(group, own());
          add_up(group, own(), reduce);
          for (const Way& way : group)
            complete(graph_, sum(way, way.turns->own(0)), ranks_.size(), op_, prog_, {name_, "complete"});
        }
        // Where it keeps nobody waiting.
        if (turn + 1 == gather && &group != &groups[0]) put_sums_in_place(group);
        send_sums(group, turn);
      }
    put_sums_in_place(groups[0]);
  }

 private:
  using UnitsOf = std::function<Units(const Turns&, unsigned rank)>;

  // Those that a rank gives in a turn, and those that it reduces.
  static UnitsOf given(unsigned turn) {
    return [=](const Turns& turns, unsigned rank) {
      unsigned to = 0;
      while (turns.reduce_from(to, turn) != rank) ++to;
      return turns.gets(to, turn);
    };
  }
  static UnitsOf own() {
    return [](const Turns& turns, unsigned rank) { return Units{turns.own(rank)}; };
  }

  // Those that a rank gives in a turn or later, and its own.
  static UnitsOf left(unsigned turn) {
    return [=](const Turns& turns, unsigned rank) {
      Units all;
      for (unsigned later = std::max(turn, 1u); later < turns.reduce; ++later)
        for (const unsigned unit : given(later)(turns, rank)) all.push_back(unit);
      all.push_back(turns.own(rank));
      return all;
    };
  }

  // Where rank 0, and so each, has got a unit: the turns, and the places in them.
  struct Place {
    unsigned turn, place;
  };
  static std::vector<Place> places(const Turns& turns, unsigned unit) {
    std::vector<Place> all;
    for (unsigned turn = 0; turn < turns.reduce; ++turn) {
      const Units units = turns.gets(0, turn);
      const auto found = std::find(units.begin(), units.end(), unit);
      if (found != units.end()) all.push_back({turn, static_cast<unsigned>(found - units.begin())});
    }
    return all;
  }
  static Tensor sum(const Way& way, unsigned unit) {
    const Place first = places(*way.turns, unit).front();
    return way.sums[first.turn].unit(first.place);
  }

  void add_buffers(Group& group) {
    for (Way& way : group)
      for (unsigned turn = 0; turn < way.turns->reduce; ++turn) {
        const std::string number = std::to_string(turn);
        const auto count = static_cast<unsigned>(way.turns->gets(0, turn).size());
        way.got.push_back(way.data.buffer(graph_, count, name_.getPathName() + "/got" + number));
        way.sums.push_back(way.data.buffer(graph_, count, name_.getPathName() + "/sum" + number));
      }
  }

  // Begins the sums of these units with what the rank has of them.
  void keep(Group& group, const UnitsOf& units) {
    std::vector<ReplicaCopy> copies;
    for (Way& way : group) {
      const Units of_first = units(*way.turns, 0);
      for (unsigned i = 0; i < of_first.size(); ++i)
        if (way.added.try_emplace(of_first[i], 0).second)
          copies.push_back({ranks_.tensors([&](unsigned rank) { return way.data.unit(units(*way.turns, rank)[i]); }),
                            {sum(way, of_first[i])},
                            ranks_.senders([](unsigned rank) { return rank; })});
    }
    if (!copies.empty()) prog_.add(tessera::ReplicaCopies(copies, {name_, "keep"}));
  }

  // Adds to these sums what has been got of them before the turn, and not been added yet.
  void add_up(Group& group, const UnitsOf& units, unsigned turn) {
    std::map<std::size_t, std::vector<std::vector<Tensor>>> operands;  // by their number
    for (Way& way : group)
      for (const unsigned unit : units(*way.turns, 0)) {
        std::vector<Tensor> all = {sum(way, unit)};
        std::size_t& added = way.added.at(unit);
        const std::vector<Place> got = places(*way.turns, unit);
        for (; added < got.size() && got[added].turn < turn; ++added)
          all.push_back(way.got[got[added].turn].unit(got[added].place));
        std::vector<std::vector<Tensor>>& alike = operands[all.size()];
        alike.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) alike[i].push_back(all[i]);
      }
    for (const auto& [number, tensors] : operands) {
      if (number == 1) continue;
      std::vector<Tensor> joined;
      for (const std::vector<Tensor>& some : tensors) joined.push_back(poplar::concat(some));
      combine(graph_, joined, op_, prog_, {name_, "combine" + std::to_string(turn)});
    }
  }

  void send_parts(Group& group, unsigned turn) {
    const std::string number = std::to_string(turn);
    std::vector<ReplicaCopy> copies;
    for (Way& way : group) {
      const Turns& turns = *way.turns;
      const auto from = [&](unsigned rank) { return turns.reduce_from(rank, turn); };
      const UnitsOf units = given(turn);
      const auto count = static_cast<unsigned>(turns.gets(0, turn).size());
      for (unsigned i = 0; i < count; ++i)
        copies.push_back({turn == 0
                              ? ranks_.tensors([&](unsigned rank) { return way.data.unit(units(turns, rank)[i]); })
                              : std::vector<Tensor>{sum(way, units(turns, 0)[i])},
                          {way.got[turn].unit(i)},
                          ranks_.senders(from)});
    }
    prog_.add(tessera::ReplicaCopies(copies, {name_, "reduce" + number}));
  }

  void send_sums(const Group& group, unsigned turn) {
    std::vector<ReplicaCopy> copies;
    for (const Way& way : group) {
      const Turns& turns = *way.turns;
      const auto from = [&](unsigned rank) { return turns.gather_from(rank, turn); };
      const Units of_first = turns.gives(0, turn);
      for (unsigned i = 0; i < of_first.size(); ++i) {
        const auto unit = [&](unsigned rank) { return way.data.unit(turns.gives(rank, turn)[i]); };
        copies.push_back(
            {of_first[i] == turns.own(0) ? std::vector<Tensor>{sum(way, of_first[i])} : ranks_.tensors(unit),
             ranks_.tensors([&](unsigned rank) { return unit(from(rank)); }), ranks_.senders(from)});
      }
    }
    prog_.add(tessera::ReplicaCopies(copies, {name_, "gather" + std::to_string(turn)}));
  }

  void put_sums_in_place(const Group& group) {
    std::vector<ReplicaCopy> copies;
    for (const Way& way : group)
      copies.push_back({{sum(way, way.turns->own(0))},
                        ranks_.tensors([&](unsigned rank) { return way.data.unit(way.turns->own(rank)); }),
                        ranks_.senders([](unsigned rank) { return rank; })});
    prog_.add(tessera::ReplicaCopies(copies, {name_, "sums"}));
  }

  Graph& graph_;
  CollectiveOperator op_;
  const Ranks& ranks_;
  Sequence& prog_;
  const DebugContext& name_;
};

}  // namespace

void reduce_in_turns(Graph& graph, const Tensor& data, CollectiveOperator op, const Ranks& ranks,
                     const std::vector<Turns>& ways, Sequence& prog, const DebugContext& debugContext) {
  Tensor work = data;
  std::optional<Layout> layout = laid_out(graph, work, ranks.size(), ways);
  if (!layout) {
    work = working_tensor(graph, data, static_cast<unsigned>(ways.size()) * ranks.size(), prog, debugContext);
    layout = laid_out(graph, work, ranks.size(), ways);
  }
  if (!layout->groups.empty()) Reduction(graph, op, ranks, prog, debugContext).run(layout->groups);
  if (!layout->rest.empty())
    reduce_at_once(graph, poplar::concat(layout->rest), op, ranks, prog, {debugContext, "rest"});
  if (work != data) prog.add(Copy(work.slice(0, data.numElements()), data, false, debugContext));
}

}  // namespace gcl
