// Where the elements of a matrix are: rectangles of rows and columns that a tile holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

struct Rectangle {
  unsigned tile;
  poplar::Interval columns;
  std::vector<poplar::Interval> rows;
};

// What each tile holds of a matrix [columns, rows], in as few rectangles as its columns have different rows.
std::vector<Rectangle> rectangles_of(const poplar::Graph& graph, const poplar::Tensor& matrix);

// Rectangles whose rows lie together.
struct Stretch {
  unsigned tile;
  poplar::Interval columns, rows;
};
std::vector<Stretch> stretches_of(const poplar::Graph& graph, const poplar::Tensor& matrix);

// Of things that have `columns`: the most that share a column.
template <class Block>
std::size_t most_blocks(const std::vector<Block>& blocks, std::size_t columns) {
  std::vector<std::ptrdiff_t> change(columns + 1);
  for (const Block& block : blocks) {
    ++change[block.columns.begin()];
    --change[block.columns.end()];
  }
  std::ptrdiff_t now = 0, most = 0;
  for (const std::ptrdiff_t c : change) most = std::max(most, now += c);
  return static_cast<std::size_t>(most);
}

// The columns cut so that all of a part have the same blocks; f(columns, numbers of the blocks), for those with any.
template <class Block, class F>
void for_each_part(const std::vector<Block>& blocks, std::set<std::size_t> cuts, F f) {
  std::map<std::size_t, std::vector<std::size_t>> begin, end;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    begin[blocks[i].columns.begin()].push_back(i);
    end[blocks[i].columns.end()].push_back(i);
    cuts.insert(blocks[i].columns.begin());
    cuts.insert(blocks[i].columns.end());
  }
  std::set<std::size_t> here;
  for (auto cut = cuts.begin(); cut != cuts.end() && std::next(cut) != cuts.end(); ++cut) {
    for (const std::size_t i : begin[*cut]) here.insert(i);
    for (const std::size_t i : end[*cut]) here.erase(i);
    if (!here.empty()) f(poplar::Interval(*cut, *std::next(cut)), std::vector<std::size_t>(here.begin(), here.end()));
  }
}

}  // namespace popops
