#include "sw/libs/popops/blocks.h"

#include <utility>

namespace popops {

using poplar::Interval;

std::vector<Rectangle> rectangles_of(const poplar::Graph& graph, const poplar::Tensor& matrix) {
  const std::size_t rows = matrix.dim(1);
  const auto mapping = graph.getTileMapping(matrix.flatten());
  std::vector<Rectangle> out;
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    std::vector<std::pair<Interval, std::vector<Interval>>> pieces;  // columns with the same rows
    const auto add = [&](const Interval& columns, const Interval& of_rows) {
      if (!pieces.empty() && pieces.back().first == columns) {
        pieces.back().second.push_back(of_rows);
        return;
      }
      pieces.emplace_back(columns, std::vector<Interval>{of_rows});
    };
    for (const Interval& region : mapping[tile]) {
      std::size_t at = region.begin();
      while (at < region.end()) {
        const std::size_t column = at / rows, row = at % rows;
        const std::size_t whole = row == 0 ? (region.end() - at) / rows : 0;
        const std::size_t end = whole != 0 ? at + whole * rows : std::min(region.end(), (column + 1) * rows);
        add(whole != 0 ? Interval(column, column + whole) : Interval(column, column + 1),
            whole != 0 ? Interval(0, rows) : Interval(row, row + end - at));
        at = end;
      }
    }
    // Neighbours with the same rows become one.
    for (std::size_t i = 0; i < pieces.size();) {
      std::size_t end = i + 1;
      while (end < pieces.size() && pieces[end].second == pieces[i].second &&
             pieces[end].first.begin() == pieces[end - 1].first.end())
        ++end;
      out.push_back({tile, Interval(pieces[i].first.begin(), pieces[end - 1].first.end()), pieces[i].second});
      i = end;
    }
  }
  return out;
}

std::vector<Stretch> stretches_of(const poplar::Graph& graph, const poplar::Tensor& matrix) {
  std::vector<Stretch> out;
  for (const Rectangle& held : rectangles_of(graph, matrix)) {
    for (const Interval& rows : held.rows) out.push_back({held.tile, held.columns, rows});
  }
  return out;
}

}  // namespace popops
