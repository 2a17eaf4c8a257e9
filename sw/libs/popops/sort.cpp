#include <popops/Sort.hpp>
#include <popops/TopK.hpp>

#include <ostream>

#include <poputil/DebugInfo.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/sort_network.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;

namespace {

void check(const std::string& function, const Tensor& t, unsigned dim, const Tensor& values = {}) {
  if (dim >= t.rank())
    throw poputil::poplibs_error(function + ": dimension " + std::to_string(dim) + " of '" + t.getDebugStr() +
                                 "' of shape " + t.shapeToString() + " is not there");
  if (values.valid() && values.shape() != t.shape())
    throw poputil::poplibs_error(function + ": keys '" + t.getDebugStr() + "' of shape " + t.shapeToString() +
                                 " and values '" + values.getDebugStr() + "' of shape " + values.shapeToString());
}

// The dimension last, the others as rows; and back, with k elements in it.
Tensor rows_of(const Tensor& t, unsigned dim) {
  const std::size_t n = t.dim(dim);
  return t.dimRoll(dim, t.rank() - 1).reshape({n == 0 ? 0 : t.numElements() / n, n});
}
Tensor from_rows(const Tensor& rows, const Tensor& t, unsigned dim) {
  std::vector<std::size_t> shape = t.shape();
  shape.erase(shape.begin() + dim);
  shape.push_back(rows.dim(1));
  return rows.reshape(shape).dimRoll(t.rank() - 1, dim);
}

SortedRows sorted(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim, Sequence& prog,
                  const DebugContext& context) {
  const Tensor keys = rows_of(k, dim);
  return sort_rows(graph, keys, v.valid() ? rows_of(v, dim) : v, false, keys.dim(1), false, prog, context);
}

const char* name_of(SortOrder order) {
  return order == SortOrder::NONE ? "NONE" : order == SortOrder::ASCENDING ? "ASCENDING" : "DESCENDING";
}

// places: whether they are asked for.
SortedRows top(const std::string& function, Graph& graph, Sequence& prog, const Tensor& keys, const Tensor& values,
               bool places, const TopKParams& params, const DebugContext& context) {
  if (keys.rank() == 0) throw poputil::poplibs_error(function + ": '" + keys.getDebugStr() + "' has no dimension");
  const unsigned dim = keys.rank() - 1;
  check(function, keys, dim, values);
  if (params.k > keys.dim(dim))
    throw poputil::poplibs_error(function + ": " + std::to_string(params.k) + " of the " +
                                 std::to_string(keys.dim(dim)) + " elements of '" + keys.getDebugStr() + "'");
  if (params.k == 0 || keys.numElements() == 0)
    throw poputil::poplibs_error(function + ": 0 elements of '" + keys.getDebugStr() + "' of shape " +
                                 keys.shapeToString());
  const Tensor rows = rows_of(keys, dim), of_rows = values.valid() ? rows_of(values, dim) : values;
  SortedRows found = sort_rows(graph, rows, of_rows, places, params.k, params.largest, prog, context);
  const bool found_descending = params.largest;
  const bool other_way =
      params.sortOrder != SortOrder::NONE && (params.sortOrder == SortOrder::DESCENDING) != found_descending;
  const auto all = [&](auto f) {
    for (Tensor* t : {&found.keys, &found.places, &found.values}) {
      if (t->valid()) *t = f(*t);
    }
  };
  if (other_way && params.stableSort && found.places.valid()) {
    // Turned around, equal ones would come the wrong way round.
    Tensor& payload = found.values.valid() ? found.values : found.places;
    const SortedRows again = sort_rows(graph, found.keys, payload, true, params.k, !params.largest, prog, context);
    found.keys = again.keys;
    payload = again.values;
  } else if (other_way) {
    all([](const Tensor& t) { return t.reverse(1); });
  }
  all([&](const Tensor& t) { return from_rows(t, keys, dim); });
  return found;
}

}  // namespace

Tensor sort(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog, const DebugContext& debugContext) {
  check("sort", t, dim);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, dim));
  if (t.numElements() == 0) return graph.clone(t, {info});
  const Tensor out = from_rows(sorted(graph, t, Tensor(), dim, prog, {info}).keys, t, dim);
  info.addOutput(out);
  return out;
}

void sortInPlace(Graph& graph, const Tensor& t, unsigned dim, Sequence& prog, const DebugContext& debugContext) {
  prog.add(Copy(sort(graph, t, dim, prog, debugContext), t, false, debugContext));
}

Tensor sortKeyValue(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim, Sequence& prog,
                    const DebugContext& debugContext) {
  check("sortKeyValue", k, dim, v);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(k, v, dim));
  if (k.numElements() == 0) return graph.clone(v, {info});
  const Tensor out = from_rows(sorted(graph, k, v, dim, prog, {info}).values, v, dim);
  info.addOutput(out);
  return out;
}

void sortKeyValueInPlace(Graph& graph, const Tensor& k, const Tensor& v, unsigned dim, Sequence& prog,
                         const DebugContext& debugContext) {
  check("sortKeyValueInPlace", k, dim, v);
  if (k.numElements() == 0) return;
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(k, v, dim));
  const SortedRows rows = sorted(graph, k, v, dim, prog, {info});
  prog.add(Copy(from_rows(rows.keys, k, dim), k, false, {info}));
  prog.add(Copy(from_rows(rows.values, v, dim), v, false, {info}));
}

std::ostream& operator<<(std::ostream& os, const SortOrder& o) { return os << name_of(o); }

TopKParams::TopKParams(unsigned k, bool largest, SortOrder sortOrder, bool stableSort) noexcept
    : k(k), largest(largest), sortOrder(sortOrder), stableSort(stableSort) {}

std::ostream& operator<<(std::ostream& os, const TopKParams& p) {
  return os << "{k=" << p.k << ", largest=" << (p.largest ? "true" : "false") << ", sortOrder=" << p.sortOrder
            << ", stableSort=" << (p.stableSort ? "true" : "false") << "}";
}

Tensor createTopKInput(Graph& graph, const poplar::Type& type, const std::vector<std::size_t>& shape,
                       const TopKParams& params, const DebugContext& debugContext) {
  if (shape.empty() || params.k > shape.back())
    throw poputil::poplibs_error("createTopKInput: " + std::to_string(params.k) + " of " +
                                 std::to_string(shape.empty() ? 0 : shape.back()) + " elements");
  std::size_t rows = 1;
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) rows *= shape[d];
  return make_rows(graph, SortLayout(graph, rows, shape.back()), type, debugContext).reshape(shape);
}

Tensor topK(Graph& graph, Sequence& prog, const Tensor& t, const TopKParams& params, const DebugContext& debugContext) {
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t));
  const Tensor out = top("topK", graph, prog, t, Tensor(), false, params, {info}).keys;
  info.addOutput(out);
  return out;
}

std::pair<Tensor, Tensor> topKKeyValue(Graph& graph, Sequence& prog, const Tensor& keys, const Tensor& values,
                                       const TopKParams& params, const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(keys, values));
  const SortedRows out = top("topKKeyValue", graph, prog, keys, values, true, params, {info});
  return {out.keys, out.values};
}

std::pair<Tensor, Tensor> topKWithPermutation(Graph& graph, Sequence& prog, const Tensor& t, const TopKParams& params,
                                              const DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t));
  const SortedRows out = top("topKWithPermutation", graph, prog, t, Tensor(), true, params, {info});
  return {out.keys, out.places};
}

}  // namespace popops
