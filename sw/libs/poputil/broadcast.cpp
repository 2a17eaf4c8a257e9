#include <poputil/Broadcast.hpp>

#include <algorithm>

#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Tensor;

namespace {

void expand_to(Tensor& t, std::size_t rank) {
  if (t.rank() < rank) t = t.expand(std::vector<std::size_t>(rank - t.rank(), 0));
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string out;
  for (const std::size_t d : shape) out += (out.empty() ? "" : ",") + std::to_string(d);
  return "{" + out + "}";
}

[[noreturn]] void refuse(const Tensor& a, const std::vector<std::size_t>& shape, std::size_t dimension) {
  throw poplibs_error("broadcastToMatch: '" + a.getDebugStr() + "' of shape " + a.shapeToString() +
                      " does not match shape " + shape_text(shape) + " in dimension " + std::to_string(dimension));
}

}  // namespace

void expandToMatchRanks(Tensor& a, Tensor& b) {
  expand_to(a, b.rank());
  expand_to(b, a.rank());
}

void broadcastToMatch(Tensor& a, const std::vector<std::size_t>& shape) {
  if (a.rank() > shape.size())
    throw poplibs_error("broadcastToMatch: '" + a.getDebugStr() + "' of shape " + a.shapeToString() +
                        " has more dimensions than shape " + shape_text(shape));
  Tensor t = a;
  expand_to(t, shape.size());
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (t.dim(d) == shape[d]) continue;
    if (t.dim(d) != 1) refuse(a, shape, d);
    t = shape[d] == 0 ? t.slice(0, 0, d) : t.broadcast(static_cast<unsigned>(shape[d]), d);
  }
  a = t;
}

void broadcastToMatch(Tensor& a, Tensor& b) {
  Tensor x = a;
  Tensor y = b;
  expandToMatchRanks(x, y);
  std::vector<std::size_t> shape(x.rank());
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (x.dim(d) != y.dim(d) && x.dim(d) != 1 && y.dim(d) != 1) refuse(a, b.shape(), d);
    shape[d] = x.dim(d) == 1 ? y.dim(d) : x.dim(d);
  }
  broadcastToMatch(a, shape);
  broadcastToMatch(b, shape);
}

void broadcastToMatch(Tensor& a, Tensor& b, Tensor& c) {
  broadcastToMatch(a, b);
  broadcastToMatch(b, c);
  broadcastToMatch(a, c);
}

bool canBroadcastToMatch(const Tensor& a, const Tensor& b) {
  const std::vector<std::size_t> x = a.shape();
  const std::vector<std::size_t> y = b.shape();
  for (std::size_t i = 1; i <= std::min(x.size(), y.size()); ++i) {
    const std::size_t m = x[x.size() - i];
    const std::size_t n = y[y.size() - i];
    if (m != n && m != 1 && n != 1) return false;
  }
  return true;
}

}  // namespace poputil
