// Expressions mapped over tensors.
#include <algorithm>
#include <functional>
#include <numeric>

#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/element_wise_input.h"
#include "sw/libs/popops/prebuilt.h"
#include "sw/libs/popops/types.h"
#include "sw/libs/popops/vertex_source.h"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

// How an input without some of the result's dimensions goes with the result: each of its elements with `inner` of the
// result's, all of them again and again.
struct Repeat {
  Tensor values;  // a vector; not valid for an input whose dimensions do not lie together
  std::size_t inner = 1;
};

// The inputs of an expression, made to match.
struct Matched {
  std::vector<unsigned> used;  // placeholders
  std::vector<Type> types;     // of all inputs
  Shape shape;                 // of the result
  // By input; of those in use:
  std::vector<Tensor> full;  // of that shape
  std::vector<bool> same;    // one element for all
  std::vector<Tensor> one;   // that element
  std::vector<Repeat> repeat;
  std::vector<std::optional<detail::Number>> number;  // or number
};

// The shape that both match, as far as they do.
void widen(Shape& shape, const Shape& other) {
  if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
  for (std::size_t i = 1; i <= other.size(); ++i) {
    std::size_t& d = shape[shape.size() - i];
    if (d == 1) d = other[other.size() - i];
  }
}

Repeat repeat_of(const Tensor& t, const Shape& shape) {
  // The dimensions that t has, of those that matter: one after another.
  const std::size_t missing = shape.size() - t.rank();
  Repeat out;
  bool begun = false, ended = false, lacks = false;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    const bool own = d >= missing && t.dim(static_cast<unsigned>(d - missing)) != 1;
    if (own && ended) return {};
    if (!own && begun) ended = true;
    if (!own && !begun) out.inner *= shape[d];
    begun |= own;
    lacks |= !own;
  }
  if (lacks && begun) out.values = t.flatten();
  return out;
}

Matched match(const expr::Expr& expr, const std::vector<Input>& inputs, Shape shape = {}) {
  Matched m;
  m.used = placeholders(expr);
  for (const Input& input : inputs) m.types.push_back(input.type);
  m.full.resize(inputs.size());
  m.one.resize(inputs.size());
  m.number.resize(inputs.size());
  m.repeat.resize(inputs.size());
  m.same.assign(inputs.size(), false);
  for (const unsigned index : m.used) {
    if (index == 0 || index > inputs.size())
      throw poputil::poplibs_error("map: the expression has _" + std::to_string(index) + ", and there are " +
                                   std::to_string(inputs.size()) + " tensors");
    if (!inputs[index - 1].number) widen(shape, inputs[index - 1].tensor.shape());
  }
  m.shape = shape;
  const std::size_t elements =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
  for (const unsigned index : m.used) {
    const std::size_t i = index - 1;
    m.number[i] = inputs[i].number;
    // Beside one element of the result one of an input is no other case than beside many: no vertex of its own.
    m.same[i] = inputs[i].number || (inputs[i].tensor.numElements() == 1 && elements != 1);
    if (inputs[i].number) continue;
    m.full[i] = inputs[i].tensor;
    if (m.same[i]) m.one[i] = inputs[i].tensor.flatten()[0];
    poputil::broadcastToMatch(m.full[i], shape);
    if (!m.same[i]) m.repeat[i] = repeat_of(inputs[i].tensor, shape);
  }
  return m;
}

// Connects the inputs of a vertex: `part` gives what it sees of a tensor.
template <class Part>
void connect_inputs(Graph& graph, const poplar::VertexRef& v, const ElementWiseVertex& vertex, const Matched& in,
                    Part part) {
  for (const Operand& operand : vertex.operands) {
    const std::size_t i = operand.index - 1;
    const poplar::FieldRef field = v["in" + std::to_string(operand.index)];
    if (in.number[i])
      graph.connect(field, in.number[i]->bytes.data(), in.number[i]->traits);
    else if (operand.going == Going::Same)
      graph.connect(field, in.one[i]);
    else if (operand.going == Going::Each)
      graph.connect(field, part(in.full[i].flatten()));
  }
}

bool is_element(const std::vector<std::vector<Interval>>& regions) {
  return regions.size() == 1 && regions[0].size() == 1 && regions[0][0].size() == 1;
}

// Vertices for what a tile holds of the output.
void add_vertices(Graph& graph, const ElementWiseVertex& vertex, const Matched& in, const Tensor& out, unsigned tile,
                  const std::vector<std::vector<Interval>>& regions, ComputeSet cs) {
  if (is_element(regions)) {
    const auto part = [&](const Tensor& flat) { return flat[regions[0][0].begin()]; };
    const poplar::VertexRef v = graph.addVertex(cs, vertex.one_element);
    graph.connect(v["out"], part(out));
    connect_inputs(graph, v, vertex, in, part);
    graph.setTileMapping(v, tile);
    return;
  }
  if (regions.size() == 1) {
    const auto part = [&](const Tensor& flat) { return concat(flat.slices(regions[0])); };
    const poplar::VertexRef v = graph.addVertex(cs, vertex.one_region);
    graph.connect(v["out"], part(out));
    connect_inputs(graph, v, vertex, in, part);
    graph.setTileMapping(v, tile);
    return;
  }
  const unsigned grain = std::max(1U, graph.getTarget().getVectorWidth(vertex.type));
  for (const auto& share : poputil::splitRegionsBetweenWorkers(graph.getTarget(), regions, grain, 2 * grain)) {
    const auto part = [&](const Tensor& flat) { return flat.slices(share); };
    const poplar::VertexRef v = graph.addVertex(cs, vertex.many_regions);
    graph.connect(v["out"], part(out));
    connect_inputs(graph, v, vertex, in, part);
    graph.setTileMapping(v, tile);
  }
}

// Whether the output is input 1, element by element.
bool is_in_place(const Matched& in, const Tensor& out) {
  return !in.used.empty() && in.used[0] == 1 && !in.number[0] && in.full[0].flatten() == out.flatten();
}

// What goes by a pattern: inputs that repeat as the first one that does.
struct Pattern {
  std::size_t inner = 1, count = 0;  // 0: nothing does
  std::vector<bool> inputs;
};

Pattern pattern_of(const Matched& in) {
  Pattern out;
  out.inputs.resize(in.repeat.size());
  for (std::size_t i = 0; i < in.repeat.size(); ++i) {
    const Repeat& repeat = in.repeat[i];
    if (!repeat.values.valid()) continue;
    if (out.count == 0) {
      out.inner = repeat.inner;
      out.count = repeat.values.numElements();
    }
    out.inputs[i] = repeat.inner == out.inner && repeat.values.numElements() == out.count;
  }
  return out;
}

std::vector<Going> going_of(const Matched& in, const Pattern& pattern) {
  std::vector<Going> out(in.same.size(), Going::Each);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in.same[i]) out[i] = Going::Same;
    if (pattern.count != 0 && pattern.inputs[i]) out[i] = Going::Repeated;
  }
  return out;
}

// A vertex for a region of the output that is one stretch of its elements.
void add_repeated(Graph& graph, const ElementWiseVertex& vertex, const Matched& in, const Pattern& pattern,
                  const Tensor& out, unsigned tile, const Interval& region, ComputeSet cs) {
  std::size_t first = region.begin() % (pattern.inner * pattern.count), count = pattern.count;
  Interval used(0, count);
  if (first + region.size() <= pattern.inner * pattern.count) {  // only some of the vector
    used = Interval(first / pattern.inner, (first + region.size() - 1) / pattern.inner + 1);
    first %= pattern.inner;
    count = used.size();
  }
  const poplar::VertexRef v = graph.addVertex(cs, vertex.one_region);
  graph.connect(v["out"], out.slice(region));
  for (const Operand& operand : vertex.operands) {
    if (operand.going == Going::Repeated)
      graph.connect(v["in" + std::to_string(operand.index)], in.repeat[operand.index - 1].values.slice(used));
  }
  connect_inputs(graph, v, vertex, in, [&](const Tensor& flat) { return flat.slice(region); });
  const auto set = [&](const char* field, std::size_t value) {
    graph.setInitialValue(v[field], static_cast<unsigned>(value));
  };
  set("first", first);
  set("inner", pattern.inner);
  set("count", count);
  graph.setTileMapping(v, tile);
}

void add_map(Graph& graph, const expr::Expr& expr, Matched in, const Tensor& out,
             const Graph::TileToTensorMapping& mapping, ComputeSet cs) {
  if (out.numElements() == 0) return;
  const bool in_place = is_in_place(in, out);
  if (in_place) in.same[0] = false;  // it is the output
  const Pattern pattern = pattern_of(in);
  const auto vertex_for = [&](const Pattern& p) {
    const ElementWiseVertex vertex = element_wise_vertex(expr, in.types, going_of(in, p), in_place);
    make_known(graph, vertex.one_region, vertex.source);
    return vertex;
  };
  // Each is compiled if a tile needs it.
  std::optional<ElementWiseVertex> plain, repeated;
  const Tensor flat = out.flatten();
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    if (mapping[tile].empty()) continue;
    const auto regions = graph.getSortedContiguousRegions(flat, mapping[tile]);
    if (pattern.count != 0 && regions.size() == 1 && regions[0].size() == 1 && !is_element(regions)) {
      if (!repeated) repeated = vertex_for(pattern);
      add_repeated(graph, *repeated, in, pattern, flat, tile, regions[0][0], cs);
    } else {
      if (!plain) plain = vertex_for({});
      add_vertices(graph, *plain, in, flat, tile, regions, cs);
    }
  }
}

void execute_map(Graph& graph, const expr::Expr& expr, const Matched& in, const Tensor& out, Sequence& prog,
                 const DebugContext& debugContext) {
  if (out.numElements() == 0) return;
  const ComputeSet cs = graph.addComputeSet({debugContext, "map"});
  add_map(graph, expr, in, out, graph.getTileMapping(out), cs);
  prog.add(poplar::program::Execute(cs, debugContext));
}

// Whether another vertex may write what one reads of the input.
bool collides(const Matched& in, std::size_t i, const Tensor& out) {
  if (in.number[i] || !in.full[i].intersectsWith(out)) return false;
  return out.numElements() != 1 && !(in.full[i].flatten() == out.flatten());
}

void check_output(const expr::Expr& expr, const Matched& in, const Tensor& out) {
  const Type type = type_of(expr, in.types);
  if (type != out.elementType())
    throw poputil::poplibs_error("map: the result is of type " + text_of(type) + ", '" + out.getDebugStr() +
                                 "' of type " + text_of(out.elementType()));
  if (in.shape != out.shape())
    throw poputil::poplibs_error("map: '" + out.getDebugStr() + "' of shape " + out.shapeToString() +
                                 " does not have the shape of the result");
  if (!out.isParallelWriteable())
    throw poputil::poplibs_error("map: " + out.getVarStr() + " is to be written and has constant or repeated elements");
}

}  // namespace

Tensor map_inputs(Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs, Sequence& prog,
                  const DebugContext& debugContext) {
  const Matched in = match(expr, inputs);
  const Type type = type_of(expr, in.types);
  std::vector<Tensor> full;
  for (const unsigned index : in.used) {
    if (!in.number[index - 1]) full.push_back(in.full[index - 1]);
  }
  Tensor out;
  if (full.empty()) {
    out = graph.addVariable(type, in.shape, {debugContext, "out"});
    graph.setTileMapping(out, 0);
  } else {
    out = createOutputForElementWiseOp(graph, full, type, {debugContext, "out"});
  }
  execute_map(graph, expr, in, out, prog, debugContext);
  return out;
}

void map_to_output(Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs, const Tensor& out,
                   Sequence& prog, const DebugContext& debugContext) {
  Matched in = match(expr, inputs, out.shape());
  check_output(expr, in, out);
  for (const unsigned index : in.used) {
    const std::size_t i = index - 1;
    if (!collides(in, i, out)) continue;
    const auto keep = [&](Tensor& t) { t = poputil::duplicate(graph, t, prog, {debugContext, "apart"}); };
    if (in.same[i]) {
      keep(in.one[i]);
      continue;
    }
    keep(in.full[i]);
    if (in.repeat[i].values.valid()) keep(in.repeat[i].values);
  }
  execute_map(graph, expr, in, out, prog, debugContext);
}

void map_in_compute_set(Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs, const Tensor& out,
                        ComputeSet cs) {
  map_on_tiles(graph, expr, inputs, out, graph.getTileMapping(out), cs);
}

void map_on_tiles(Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs, const Tensor& out,
                  const Graph::TileToTensorMapping& mapping, ComputeSet cs) {
  const Matched in = match(expr, inputs, out.shape());
  check_output(expr, in, out);
  for (const unsigned index : in.used) {
    if (collides(in, index - 1, out))
      throw poputil::poplibs_error("map: '" + inputs[index - 1].tensor.getDebugStr() + "' and '" + out.getDebugStr() +
                                   "' share elements, and one compute set cannot copy them first");
  }
  add_map(graph, expr, in, out, mapping, cs);
}

void outputGeneratedCodelet(const poplar::Target&, const expr::Expr& expr, const std::vector<Tensor>& ts,
                            const poplar::OptionFlags& options, std::ostream& os) {
  check_element_wise_options(options);
  const Matched in = match(expr, {ts.begin(), ts.end()});
  os << element_wise_vertex(expr, in.types, going_of(in, {}), false).source;
}

}  // namespace popops
