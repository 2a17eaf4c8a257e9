// A bitonic network. The keys of a row have numbers of `bits_` bits; stage s puts blocks of 2^s in order, of which
// those with bit s descend, by levels of comparisons of keys whose numbers differ in bit s - 1, s - 2, ... 0.
//
// The levels of three bits one behind the other, a window, and those of bit 0 need no key of another group of 16, and a
// worker does them in its registers. Groups are dealt out to all tiles, and all keys change places between two windows:
// there are no runs of tiles, so the number of tiles need not be a power of two. Where a stage has one level more, its
// first window has four bits and groups of 32; half of the workers then do nothing, which takes less than a window
// more.
#include "sw/libs/popops/key_network.h"

#include <algorithm>
#include <limits>

#include <poputil/VertexTemplates.hpp>

#include "sw/libs/popops/instantiated.h"

namespace popops {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

namespace {

constexpr unsigned kBits = 3;        // of a window
constexpr unsigned kLowest = 1;      // bit of a window
constexpr unsigned kFirstStage = 4;  // that blocks are in order of at first: a window's groups
constexpr std::size_t kUnit = 32;    // keys of the largest groups; each lies on one tile

}  // namespace

// Bits [low, low + bits) of keys' numbers.
struct KeyNetwork::Window {
  unsigned low = kLowest, bits = kBits;

  std::size_t registers() const { return std::size_t{1} << bits; }
  std::size_t keys() const { return 2 * registers(); }  // of a group
  // Of the lowest windows the keys of a group lie together, and so all in the order of their numbers. Of the others
  // register r of all groups of a tile: neighbours in a row.
  bool together() const { return low == kLowest; }
};

KeyNetwork::KeyNetwork(Graph& graph, std::size_t rows, std::size_t n, const poplar::Type& type,
                       const poplar::DebugContext& debugContext)
    : graph_(graph), rows_(rows), n_(n), type_(type), context_(debugContext), bits_(kFirstStage) {
  while (std::size_t{1} << bits_ < n) ++bits_;
  const std::size_t tiles = graph.getTarget().getNumTiles(), units = ((rows << bits_) + kUnit - 1) / kUnit;
  of_tile_ = (units + tiles - 1) / tiles * kUnit;
  tiles_ = (units * kUnit + of_tile_ - 1) / of_tile_;
  keys_ = variable(type);
}

Tensor KeyNetwork::variable(const poplar::Type& type) const {
  const Tensor t = graph_.addVariable(type, {tiles_ * of_tile_}, {context_, "keys"});
  for (std::size_t tile = 0; tile < tiles_; ++tile)
    graph_.setTileMapping(t.slice(tile * of_tile_, (tile + 1) * of_tile_), static_cast<unsigned>(tile));
  return t;
}

// [rows, 2^bits]
Tensor KeyNetwork::row_view(const Tensor& variable, const Window& window) const {
  const std::size_t n = std::size_t{1} << bits_;
  if (window.together()) return variable.slice(0, rows_ * n).reshape({rows_, n});
  const std::size_t groups = rows_ * n / window.keys(), of_tile = of_tile_ / window.keys();
  const std::size_t below = std::size_t{1} << (window.low - kLowest), above = n / (below * window.keys());
  return variable.reshape({tiles_, window.registers(), of_tile, 2})
      .dimShuffle({1, 0, 2, 3})
      .reshape({window.registers(), tiles_ * of_tile, 2})
      .slice(0, groups, 1)
      .reshape({window.registers(), rows_, above, below * 2})
      .dimShuffle({1, 2, 0, 3})
      .reshape({rows_, n});
}

Tensor KeyNetwork::keys() const { return row_view(keys_, {}).slice(0, n_, 1); }

Tensor KeyNetwork::beside_keys(const poplar::Type& type) const { return row_view(variable(type), {}).slice(0, n_, 1); }

// Levels of `stage` on the groups of a window.
void KeyNetwork::run(const std::string& vertex, const Tensor& variable, const Window& window, unsigned stage,
                     Sequence& prog) {
  const std::string name = instantiated(graph_, "key_network.h", vertex);
  const poplar::ComputeSet cs = graph_.addComputeSet({context_, "order"});
  const std::size_t groups = (rows_ << bits_) / window.keys(), of_tile = of_tile_ / window.keys();
  // The window and bit 0 are below bit `stage`, so a group's number has it so much lower. The last stage goes up.
  const std::size_t falls = stage == bits_ ? 0 : (std::size_t{1} << stage) / window.keys();
  for (std::size_t tile = 0; tile < tiles_; ++tile) {
    const std::size_t first = tile * of_tile;
    const poplar::VertexRef v = graph_.addVertex(cs, name);
    graph_.connect(v["keys"], variable.slice(tile * of_tile_, (tile + 1) * of_tile_));
    const auto set = [&](const char* field, std::size_t value) {
      graph_.setInitialValue(v[field], static_cast<unsigned>(value));
    };
    set("groups", std::min(of_tile, groups - first));
    set("first", first);
    set("falls", falls);
    set("stride", of_tile);
    graph_.setTileMapping(v, static_cast<unsigned>(tile));
  }
  prog.add(poplar::program::Execute(cs, {context_, "order"}));
}

void KeyNetwork::fill(Sequence& prog) {
  const std::size_t all = std::size_t{1} << bits_;
  if (n_ == all) return;
  const Tensor last = type_ == poplar::FLOAT ? graph_.addConstant(type_, {1, 1}, std::numeric_limits<float>::infinity(),
                                                                  {context_, "last"})
                                             : graph_.addConstant(type_, {1, 1}, ~0U, {context_, "last"});
  graph_.setTileMapping(last, 0);
  prog.add(poplar::program::Copy(
      last.broadcast(static_cast<unsigned>(rows_), 0).broadcast(static_cast<unsigned>(all - n_), 1),
      row_view(keys_, {}).slice(n_, all, 1), false, context_));
}

Tensor KeyNetwork::order(Sequence& prog, const std::vector<Sequence>& beside) {
  Tensor now = keys_, other;
  auto next_beside = beside.begin();
  Window window;
  run(poputil::templateVertex("popops::SortGroups", type_), now, window, kFirstStage, prog);
  for (unsigned stage = kFirstStage + 1; stage <= bits_; ++stage) {
    for (unsigned top = stage; top != kLowest;) {
      const unsigned left = top - kLowest, more = left % kBits;
      const unsigned bits = more == 1 ? kBits + 1 : kBits, levels = more == 2 ? 2 : bits;
      const Window next{top - bits, bits};
      if (!(window.together() && next.together())) {
        if (!other.valid()) other = variable(type_);
        prog.add(poplar::program::Copy(row_view(now, window), row_view(other, next), false, context_));
        std::swap(now, other);
        // Behind the exchange, of which its own becomes a part.
        if (next_beside != beside.end()) prog.add(*next_beside++);
      }
      window = next;
      top -= levels;
      run(poputil::templateVertex("popops::OrderGroups", type_, static_cast<unsigned>(window.registers()), levels,
                                  top == kLowest),
          now, window, stage, prog);
    }
  }
  for (; next_beside != beside.end(); ++next_beside) prog.add(*next_beside);
  return row_view(now, window).slice(0, n_, 1);
}

}  // namespace popops
