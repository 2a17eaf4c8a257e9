// Mappings from uses: which tiles use an element decides where it lives.
#include <algorithm>
#include <map>

#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::VariableRef;
using Tiles = std::vector<unsigned>;  // sorted, each once

class TensorUseTrackerState {
 public:
  struct Use {
    Interval elements;
    unsigned tile;
  };

  unsigned tiles;
  unsigned start;
  bool ascending;
  std::map<VariableRef, std::vector<Use>> uses;
};

namespace {

using Use = TensorUseTrackerState::Use;

// Elements, or grains of them, with the same users.
struct Group {
  std::size_t begin;
  std::size_t end;
  Tiles tiles;
};
using Groups = std::vector<Group>;  // in order, not overlapping

Tiles joined(const Tiles& a, const Tiles& b) {
  Tiles out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

void append(Groups& groups, Group group) {
  if (!groups.empty() && groups.back().end == group.begin && groups.back().tiles == group.tiles)
    groups.back().end = group.end;
  else
    groups.push_back(std::move(group));
}

// The variable's elements cut wherever their users change.
Groups by_users(const std::vector<Use>& uses) {
  struct Edge {
    std::size_t at;
    unsigned tile;
    int change;
  };
  std::vector<Edge> edges;
  for (const Use& use : uses) {
    edges.push_back({use.elements.begin(), use.tile, 1});
    edges.push_back({use.elements.end(), use.tile, -1});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.at < b.at; });
  Groups groups;
  std::map<unsigned, int> users;  // and how often each uses what is here
  for (std::size_t i = 0; i < edges.size();) {
    const std::size_t at = edges[i].at;
    for (; i < edges.size() && edges[i].at == at; ++i) {
      if ((users[edges[i].tile] += edges[i].change) == 0) users.erase(edges[i].tile);
    }
    if (users.empty() || i == edges.size()) continue;
    Tiles tiles;
    for (const auto& user : users) tiles.push_back(user.first);
    append(groups, {at, edges[i].at, std::move(tiles)});
  }
  return groups;
}

// The same in grains; the users of a grain are those of all its elements.
Groups in_grains(const Groups& groups, std::size_t grain) {
  Groups out;
  for (const Group& group : groups) {
    std::size_t begin = group.begin / grain;
    const std::size_t end = (group.end + grain - 1) / grain;
    if (!out.empty() && begin < out.back().end) {
      // The last grain is shared with the group before.
      Group shared{begin, begin + 1, joined(out.back().tiles, group.tiles)};
      if (--out.back().end == out.back().begin) out.pop_back();
      append(out, std::move(shared));
      ++begin;
    }
    if (begin < end) append(out, {begin, end, group.tiles});
  }
  return out;
}

void extend(Groups& groups, std::size_t end) {
  groups.front().begin = 0;
  for (std::size_t i = 1; i < groups.size(); ++i) groups[i - 1].end = groups[i].begin;
  groups.back().end = end;
}

// A group used by exactly the users of both its neighbours goes to those of the one before: such groups are small, and
// left alone they would cut the mapping into pieces.
void fold_halos(Groups& groups) {
  Groups out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool inside = i != 0 && i + 1 < groups.size();
    const bool halo = inside && groups[i].tiles == joined(groups[i - 1].tiles, groups[i + 1].tiles) &&
                      groups[i].tiles.size() == groups[i - 1].tiles.size() + groups[i + 1].tiles.size();
    append(out, {groups[i].begin, groups[i].end, halo ? groups[i - 1].tiles : groups[i].tiles});
  }
  groups = std::move(out);
}

// Neighbours that share a user become one group of all their users.
void join_neighbours(Groups& groups) {
  Groups out;
  for (const Group& group : groups) {
    Tiles all = out.empty() ? Tiles() : joined(out.back().tiles, group.tiles);
    if (!out.empty() && all.size() < out.back().tiles.size() + group.tiles.size()) {
      out.back().end = group.end;
      out.back().tiles = std::move(all);
    } else {
      out.push_back(group);
    }
  }
  groups = std::move(out);
}

}  // namespace

TensorUseTracker::TensorUseTracker(unsigned numTiles, unsigned startTile, bool ascendingMappingOrder)
    : st(new TensorUseTrackerState{numTiles, startTile, ascendingMappingOrder, {}}) {}
TensorUseTracker::TensorUseTracker(const TensorUseTracker& other) : st(new TensorUseTrackerState(*other.st)) {}
TensorUseTracker::TensorUseTracker(TensorUseTracker&& other) noexcept = default;
TensorUseTracker& TensorUseTracker::operator=(const TensorUseTracker& other) {
  st.reset(new TensorUseTrackerState(*other.st));
  return *this;
}
TensorUseTracker& TensorUseTracker::operator=(TensorUseTracker&& other) noexcept = default;
TensorUseTracker::~TensorUseTracker() = default;

bool TensorUseTracker::empty() const { return st->uses.empty(); }

void TensorUseTracker::add(const Graph& graph, unsigned tile, const poplar::Tensor& t) {
  if (tile >= st->tiles)
    throw poplibs_error("TensorUseTracker: tile " + std::to_string(tile) + " of " + std::to_string(st->tiles));
  for (const poplar::VariableInterval& region : t.getVarRegions()) {
    if (!graph.isConstant(region.var)) st->uses[region.var].push_back({region.interval, tile});
  }
}

void TensorUseTracker::add(TensorUseTracker other) {
  if (other.st->tiles != st->tiles)
    throw poplibs_error("TensorUseTracker: uses on " + std::to_string(other.st->tiles) + " tiles added to those on " +
                        std::to_string(st->tiles));
  for (const auto& variable : other.st->uses) {
    std::vector<Use>& uses = st->uses[variable.first];
    uses.insert(uses.end(), variable.second.begin(), variable.second.end());
  }
}

void TensorUseTracker::resolve(const Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                               bool extendPartialUsage, MappingMethod mappingMethod) {
  if (grainSize == 0) throw poplibs_error("TensorUseTracker: a grain of 0 elements");
  // Constrained, grains are cut out of what a set of tiles uses; otherwise a grain that anyone uses is shared whole.
  const bool constrained = mappingMethod == MappingMethod::ConstrainMappingToUsedTiles;
  const unsigned unit = constrained ? 1 : grainSize;
  for (auto& variable : st->uses) {
    const std::size_t elements = graph.getVariable(variable.first).numElements();
    Groups groups = in_grains(by_users(variable.second), unit);
    if (groups.empty()) continue;
    if (extendPartialUsage) extend(groups, (elements + unit - 1) / unit);
    if (mappingMethod == MappingMethod::OptimizeHaloRegions) fold_halos(groups);
    if (constrained) join_neighbours(groups);

    std::map<Tiles, std::vector<Interval>> shared;
    for (const Group& group : groups) shared[group.tiles].emplace_back(group.begin, group.end);
    variable.second.clear();
    for (const auto& set : shared) {
      const auto parts = splitRegions(set.second, constrained ? grainSize : 1, static_cast<unsigned>(set.first.size()),
                                      (minElementsPerTile + unit - 1) / unit);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (const Interval& part : parts[i]) {
          const Interval whole(part.begin() * unit, std::min(part.end() * unit, elements));
          variable.second.push_back({whole, set.first[i]});
        }
      }
    }
  }
}

void TensorUseTracker::mapTensorsByUse(Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                                       bool extendPartialUsage, MappingMethod mappingMethod) {
  resolve(graph, grainSize, minElementsPerTile, extendPartialUsage, mappingMethod);
  const unsigned tiles = graph.getTarget().getNumTiles();
  for (const auto& variable : st->uses) {
    Graph::TileToTensorMapping mapping(tiles);
    for (const Use& use : variable.second)
      mapping[invTransformTileIndex(use.tile, tiles, st->start, st->ascending)].push_back(use.elements);
    graph.setTileMapping(graph.getVariable(variable.first), mapping);
  }
}

}  // namespace poputil
