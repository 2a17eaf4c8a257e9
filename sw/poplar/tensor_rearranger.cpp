#include <poplar/TensorRearranger.hpp>

#include <algorithm>
#include <string>

#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

// What undoes a permutation that is given by the intervals it takes.
std::vector<Interval> inverse(const std::vector<Interval>& order) {
  struct Moved {
    Interval from, to;
  };
  std::vector<Moved> moves;
  std::size_t at = 0;
  for (const Interval& i : order) {
    moves.push_back({i, Interval(at, at + i.size())});
    at += i.size();
  }
  std::sort(moves.begin(), moves.end(), [](const Moved& a, const Moved& b) { return a.from.begin() < b.from.begin(); });
  std::vector<Interval> out;
  for (const Moved& move : moves) out.push_back(move.to);
  return out;
}

void require_made(bool valid) {
  if (!valid) throw poplar_error("this TensorRearranger is empty: take one from Graph::getSimplifyingRearranger");
}

Tensor permuted(const Tensor& t, std::size_t elements, const std::vector<Interval>& order) {
  if (t.numElements() != elements)
    throw poplar_error("TensorRearranger: " + t.getVarStr() + " has " + std::to_string(t.numElements()) +
                       " elements, the tensor it was made for " + std::to_string(elements));
  return order.size() < 2 ? t.flatten() : concat(t.flatten().slices(order));
}

// Where each interval goes: `back` says by the place before where it stands after.
std::vector<Interval> moved(ArrayRef<Interval> intervals, std::size_t elements, const std::vector<Interval>& back) {
  std::vector<std::size_t> starts;  // of back's entries, before
  std::size_t at = 0;
  for (const Interval& i : back) {
    starts.push_back(at);
    at += i.size();
  }
  std::vector<Interval> out;
  for (const Interval& wanted : intervals) {
    if (wanted.begin() > wanted.end() || wanted.end() > elements)
      throw index_error("TensorRearranger: interval [" + std::to_string(wanted.begin()) + "," +
                        std::to_string(wanted.end()) + ") of " + std::to_string(elements) + " elements");
    for (std::size_t begin = wanted.begin(); begin != wanted.end();) {
      const std::size_t k =
          static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
      const std::size_t end = std::min(wanted.end(), starts[k] + back[k].size());
      const std::size_t to = back[k].begin() + (begin - starts[k]);
      if (!out.empty() && out.back().end() == to) {
        out.back() = Interval(out.back().begin(), to + (end - begin));
      } else {
        out.emplace_back(to, to + (end - begin));
      }
      begin = end;
    }
  }
  return out;
}

}  // namespace

TensorRearranger::TensorRearranger(std::size_t elements, std::vector<Interval> order)
    : elements_(elements), valid_(true), order_(std::move(order)), back_(inverse(order_)) {}

Tensor TensorRearranger::rearrange(const Tensor& t) const {
  require_made(valid_);
  return permuted(t, elements_, order_);
}

Tensor TensorRearranger::undoRearrangement(const Tensor& t) const {
  require_made(valid_);
  return permuted(t, elements_, back_);
}

std::vector<Interval> TensorRearranger::rearrange(ArrayRef<Interval> intervals) const {
  require_made(valid_);
  return moved(intervals, elements_, back_);
}

std::vector<Interval> TensorRearranger::undoRearrangement(ArrayRef<Interval> intervals) const {
  require_made(valid_);
  return moved(intervals, elements_, order_);
}

}  // namespace poplar
