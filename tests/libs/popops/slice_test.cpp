// Slices at offsets that the program holds, of random tensors, mappings, dimensions and types, against loops by hand.
#include <cmath>
#include <numeric>
#include <popops/DynamicSlice.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using Catch::Matchers::ContainsText;
using Shape = std::vector<std::size_t>;

namespace {

const std::vector<Type> kTypes = {FLOAT,          HALF,        INT,           UNSIGNED_INT, SHORT,
                                  UNSIGNED_SHORT, SIGNED_CHAR, UNSIGNED_CHAR, BOOL};

std::size_t size_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

// Calls f with the coordinates of each element, in order.
template <class F>
void for_each(const Shape& shape, F f) {
  Shape at(shape.size());
  for (std::size_t n = size_of(shape); n != 0; --n) {
    f(at);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

std::size_t index_of(const Shape& shape, const Shape& at) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

// The offset that counts: none for an offset that stands for no row.
struct Meaning {
  bool remap = false, padding = false;
  bool resolve(std::size_t& offset, std::size_t size) const {
    if (offset < size) return true;
    if (!remap || (padding && offset == size)) return false;
    offset = 0;
    return true;
  }
  OptionFlags options() const {
    return {{"remapOutOfBoundIndices", remap ? "true" : "false"}, {"paddingIndexUsed", padding ? "true" : "false"}};
  }
};

class Slicing : public OnModel {
 public:
  Values values(Type type, std::size_t n) {
    Values out(n);
    for (double& v : out) v = rounded(type, static_cast<double>(random() % 100));
    return out;
  }
  std::size_t below(std::size_t n) { return random() % n; }
  // An offset in the dimension, seldom outside of it.
  std::size_t offset_in(std::size_t size) { return random() % 6 == 0 ? size + random() % 3 : below(size); }
  Meaning meaning() {
    Meaning out;
    out.remap = random() % 3 == 0;
    out.padding = random() % 3 == 0;
    return out;
  }
  Shape shape(std::size_t rank) {
    Shape out(rank);
    for (std::size_t& d : out) d = 1 + below(rank == 1 ? 200 : 9);
    return out;
  }
  // A table of that shape, by one of the ways to make one.
  Tensor table(Type type, const Shape& shape, const Shape& dims, const Shape& sizes, const Values& values) {
    if (random() % 2 == 0) return tensor(type, shape, values, "table");
    const Tensor t = popops::createSliceableTensor(graph, type, shape, dims, sizes, random() % 3, "sliceable");
    write(t, values);
    return t;
  }
};

struct Dynamic {
  Shape shape, dims, sizes, offsets, slice;
  Meaning meaning;
};

Dynamic random_dynamic(Slicing& on) {
  Dynamic out;
  out.shape = on.shape(1 + on.below(4));
  out.slice = out.shape;
  out.meaning = on.meaning();
  for (std::size_t d = 0; d < out.shape.size(); ++d) {
    if (on.below(2) == 0) continue;
    const auto at = static_cast<std::ptrdiff_t>(on.below(out.dims.size() + 1));
    out.dims.insert(out.dims.begin() + at, d);
  }
  for (const std::size_t d : out.dims) {
    out.sizes.push_back(on.below(2) == 0 ? 1 : 1 + on.below(out.shape[d]));
    out.offsets.push_back(on.offset_in(out.shape[d]));
    out.slice[d] = out.sizes.back();
  }
  return out;
}

// Where an element of the slice is in the tensor; false for nowhere.
bool locate(const Dynamic& d, Shape& at) {
  for (std::size_t i = 0; i < d.dims.size(); ++i) {
    const std::size_t size = d.shape[d.dims[i]];
    std::size_t offset = d.offsets[i];
    if (!d.meaning.resolve(offset, size)) return false;
    at[d.dims[i]] = (at[d.dims[i]] + offset) % size;
  }
  return true;
}

struct Expected {
  std::string handle;
  Values values;
};

void compare(Slicing& on, const Sequence& prog, const std::vector<Expected>& expected) {
  const auto got = on.run(prog);
  for (const Expected& e : expected) {
    INFO(e.handle);
    CHECK(got.at(e.handle) == e.values);
  }
}

Tensor offsets_tensor(Slicing& on, const Shape& offsets, const Shape& shape) {
  Values values(offsets.begin(), offsets.end());
  return on.tensor(on.below(2) == 0 ? UNSIGNED_INT : INT, shape, values, "offsets");
}

}  // namespace

TEST_CASE("dynamicSlice reads and dynamicUpdate writes what the offsets say") {
  Slicing on;
  Sequence prog;
  std::vector<Expected> expected;
  for (int i = 0; i < rounds(40); ++i) {
    const Type type = kTypes[static_cast<std::size_t>(i) % kTypes.size()];
    const Dynamic d = random_dynamic(on);
    const std::size_t n = size_of(d.shape);
    Values values = on.values(type, n);
    const Tensor t = on.table(type, d.shape, d.dims, d.sizes, values);
    const Tensor offset = offsets_tensor(on, d.offsets, {d.dims.size()});
    const std::string name = std::to_string(i);
    const OptionFlags options = d.meaning.options();
    Tensor slice;
    if (i % 3 == 0) {
      slice = popops::createDynamicSliceOutput(on.graph, t, offset, d.dims, d.sizes, "output", options);
      CHECK(on.graph.getTileMapping(slice) == popops::getSliceMapping(on.graph, t, d.dims, d.sizes));
      popops::dynamicSliceWithOutput(on.graph, slice, t, offset, d.dims, d.sizes, prog, "slice", options);
    } else {
      slice = popops::dynamicSlice(on.graph, t, offset, d.dims, d.sizes, prog, "slice", options);
    }
    REQUIRE(slice.shape() == d.slice);
    Values sliced;
    for_each(d.slice, [&](Shape at) { sliced.push_back(locate(d, at) ? values[index_of(d.shape, at)] : 0); });
    on.read(slice, "slice " + name);
    expected.push_back({"slice " + name, sliced});
    const Values news = on.values(type, size_of(d.slice));
    const Tensor s = on.tensor(type, d.slice, news, "s");
    popops::dynamicUpdate(on.graph, t, s, offset, d.dims, d.sizes, prog, "update", options);
    std::size_t next = 0;
    for_each(d.slice, [&](Shape at) {
      if (locate(d, at)) values[index_of(d.shape, at)] = news[next];
      ++next;
    });
    on.read(t, "table " + name);
    expected.push_back({"table " + name, values});
  }
  compare(on, prog, expected);
}

TEST_CASE("An offset for each tile is the offset") {
  Slicing on;
  Values values(60);
  std::iota(values.begin(), values.end(), 0);
  const Tensor t = on.tensor(INT, {6, 10}, values, "t");
  const Tensor offset = on.tensor(UNSIGNED_INT, {1, kTiles}, Values(kTiles, 4), "offset");
  for (unsigned tile = 0; tile < kTiles; ++tile) on.graph.setTileMapping(offset.slice(tile, tile + 1, 1), tile);
  Sequence prog;
  on.read(popops::dynamicSlice(on.graph, t, offset, {0}, {1}, prog), "slice");
  compare(on, prog, {{"slice", Values(values.begin() + 40, values.begin() + 50)}});
}

namespace {

enum class How { Slice, Replace, Add, Max, Mul };

// A table of groups, and offsets into one of its dimensions.
struct Multi {
  Type type;
  std::size_t groups, dim, size, n;
  Shape shape;  // of a group
  Meaning meaning;
  std::vector<Shape> offsets;  // of each group
};

Multi random_multi(Slicing& on, Type type) {
  Multi m{type, 1 + on.below(3), 0, 1, 1 + on.below(12), on.shape(2 + on.below(2)), on.meaning(), {}};
  m.dim = on.below(m.shape.size());
  if (on.below(3) == 0) m.size = 1 + on.below(m.shape[m.dim]);
  for (std::size_t g = 0; g < m.groups; ++g) {
    m.offsets.emplace_back();
    for (std::size_t i = 0; i < m.n; ++i) m.offsets.back().push_back(on.offset_in(m.shape[m.dim]));
  }
  return m;
}

Shape with_front(Shape shape, std::size_t n) {
  shape.insert(shape.begin(), n);
  return shape;
}

// f(number of an element of the slices, number of its element of the table or -1), group by group.
template <class F>
void for_each_pair(const Multi& m, F f) {
  Shape slice = m.shape;
  slice[m.dim] = m.size;
  std::size_t number = 0;
  for (std::size_t g = 0; g < m.groups; ++g) {
    for (std::size_t offset : m.offsets[g]) {
      const bool there = m.meaning.resolve(offset, m.shape[m.dim]);
      for_each(slice, [&](Shape at) {
        at[m.dim] = (at[m.dim] + offset) % m.shape[m.dim];
        f(number++, there ? static_cast<std::ptrdiff_t>(g * size_of(m.shape) + index_of(m.shape, at)) : -1);
      });
    }
  }
}

Tensor make_table(Slicing& on, const Multi& m, const popops::SlicePlan& plan, const Values& values) {
  const Shape shape = with_front(m.shape, m.groups);
  if (on.below(2) == 0) return on.tensor(m.type, shape, values, "table");
  const Tensor t =
      popops::createGroupedSliceableTensor(on.graph, m.type, m.groups, m.shape, {m.dim}, {m.size}, plan, {}, "table");
  REQUIRE(t.shape() == shape);
  on.write(t, values);
  return t;
}

}  // namespace

TEST_CASE("multiSlice and multiUpdate go through their offsets in order") {
  Slicing on;
  Sequence prog;
  std::vector<Expected> expected;
  int number = 0;
  for (const How how : {How::Slice, How::Replace, How::Add, How::Max, How::Mul}) {
    for (const Type type : kTypes) {
      const bool arithmetic = how == How::Add || how == How::Max || how == How::Mul;
      if (arithmetic && (type == BOOL || type == SHORT || type == UNSIGNED_CHAR)) continue;
      const Multi m = random_multi(on, type);
      const std::size_t rows = m.shape[m.dim];
      popops::SlicePlan plan;
      if (m.size == 1)
        plan = popops::embedding::plan(on.graph, type, m.groups, rows, size_of(m.shape) / rows, {m.n}, {});
      Values values = on.values(type, m.groups * size_of(m.shape));
      if (how == How::Mul)
        for (double& v : values) v = rounded(type, std::fmod(v, 2));
      const Tensor t = make_table(on, m, plan, values);
      Shape all;
      for (const Shape& of_group : m.offsets) all.insert(all.end(), of_group.begin(), of_group.end());
      const Tensor offsets = offsets_tensor(on, all, {m.groups, m.n, 1});
      const Shape dims = {m.dim}, sizes = {m.size};
      const OptionFlags options = m.meaning.options();
      const std::string name = std::to_string(static_cast<int>(how)) + " " + std::to_string(number++);
      Shape slices_shape = m.shape;
      slices_shape[m.dim] = m.size;
      slices_shape = with_front(with_front(slices_shape, m.n), m.groups);
      if (how == How::Slice) {
        Tensor out;
        if (m.groups == 1)
          out = popops::multiSlice(on.graph, t[0], offsets[0], dims, sizes, prog, plan, options, "slice").expand({0});
        else
          out = popops::groupedMultiSlice(on.graph, t, offsets, dims, sizes, prog, plan, options, "slice");
        REQUIRE(out.shape() == slices_shape);
        Values slices(size_of(slices_shape));
        for_each_pair(m, [&](std::size_t i, std::ptrdiff_t at) {
          slices[i] = at < 0 ? 0 : values[static_cast<std::size_t>(at)];
        });
        on.read(out, name);
        expected.push_back({name, slices});
        continue;
      }
      Values news = on.values(type, size_of(slices_shape));
      for (double& v : news) v = rounded(type, std::fmod(v, how == How::Mul ? 2 : how == How::Add ? 4 : 100));
      const Tensor s = popops::createGroupedSliceTensor(on.graph, type, m.groups, m.shape, dims, sizes, m.n, plan, {});
      REQUIRE(s.shape() == slices_shape);
      on.write(s, news);
      const Type scale_type = type == HALF && on.below(2) == 0 ? FLOAT : type;
      const double factor = rounded(scale_type, 2);
      const Tensor scale = on.tensor(scale_type, {}, {factor}, "scale");
      const bool one = m.groups == 1;
      const Tensor of_t = one ? t[0] : t, of_s = one ? s[0] : s, of_offsets = one ? offsets[0] : offsets;
      if (how == How::Replace)
        (one ? popops::multiUpdate : popops::groupedMultiUpdate)(on.graph, of_t, of_s, of_offsets, dims, sizes, prog,
                                                                 plan, options, "update");
      else if (how == How::Max)
        (one ? popops::multiUpdateMax : popops::groupedMultiUpdateMax)(on.graph, of_t, of_s, of_offsets, dims, sizes,
                                                                       prog, plan, options, "update");
      else if (how == How::Mul)
        (one ? popops::multiUpdateMul : popops::groupedMultiUpdateMul)(on.graph, of_t, of_s, of_offsets, dims, sizes,
                                                                       prog, plan, options, "update");
      else if (one)
        popops::multiUpdateAdd(on.graph, of_t, of_s, of_offsets, scale, dims, sizes, prog, plan, options, "update");
      else
        popops::groupedMultiUpdateAdd(on.graph, t, s, offsets, scale, dims, sizes, prog, plan, options, "update");
      for_each_pair(m, [&](std::size_t i, std::ptrdiff_t at) {
        if (at < 0) return;
        double& v = values[static_cast<std::size_t>(at)];
        const double with = news[i];
        v = rounded(type, how == How::Replace ? with
                          : how == How::Add   ? v + with * factor
                          : how == How::Max   ? std::max(v, with)
                                              : v * with);
      });
      on.read(t, name);
      expected.push_back({name, values});
    }
  }
  compare(on, prog, expected);
}

TEST_CASE("Slices come from more parts than are joined at once") {
  Slicing on;
  Sequence prog;
  constexpr std::size_t kRows = 300;
  Values rows(kRows);
  std::iota(rows.begin(), rows.end(), 1);
  const Tensor t = on.graph.addVariable(HALF, {kRows}, "t");
  for (std::size_t i = 0; i < kRows; ++i) on.graph.setTileMapping(t[i], static_cast<unsigned>(i % kTiles));
  on.write(t, rows);
  const Tensor one = on.tensor(UNSIGNED_INT, {1}, {277}, "one"),
               many = on.tensor(UNSIGNED_INT, {7, 1}, {3, 299, 0, 300, 41, 3, 150}, "many");
  on.read(popops::dynamicSlice(on.graph, t, one, {0}, {1}, prog), "one");
  on.read(popops::multiSlice(on.graph, t, many, {0}, {1}, prog, {}, {}), "many");
  const auto got = on.run(prog);
  CHECK(got.at("one") == Values{278});
  CHECK(got.at("many") == Values{4, 300, 1, 0, 42, 4, 151});
}

TEST_CASE("Offsets known to the graph need no vertices") {
  Slicing on;
  Values values(20);
  std::iota(values.begin(), values.end(), 1);
  const Tensor t = on.tensor(FLOAT, {5, 4}, values, "t");
  Sequence prog;
  const std::vector<unsigned> offsets = {3, 0, 7, 3};
  const Tensor slices = popops::multiSlice(on.graph, t, offsets, 0, prog, "slices");
  CHECK(slices.shape() == Shape{4, 1, 4});
  on.read(slices, "slices");
  on.read(popops::multiSlice(on.graph, t, offsets, 0, prog, "remapped", {{"remapOutOfBoundIndices", "true"}}),
          "remapped");
  const Tensor s = on.tensor(FLOAT, {4, 1, 4}, Values(16, 1), "s");
  const Tensor scale = on.tensor(FLOAT, {}, {0.5}, "scale");
  popops::multiUpdateAdd(on.graph, t, s, offsets, scale, 0, prog, "add");
  on.read(t, "table");
  const auto got = on.run(prog);
  CHECK(got.at("slices") == Values{13, 14, 15, 16, 1, 2, 3, 4, 0, 0, 0, 0, 13, 14, 15, 16});
  CHECK(got.at("remapped") == Values{13, 14, 15, 16, 1, 2, 3, 4, 1, 2, 3, 4, 13, 14, 15, 16});
  for (std::size_t i = 0; i < 4; ++i) {
    values[i] += 0.5;
    values[12 + i] += 1;
  }
  CHECK(got.at("table") == values);
}

TEST_CASE("Tensors for slices lie where slices are made") {
  Slicing on;
  const auto tiles_of = [&](const Tensor& t) {
    std::vector<unsigned> tiles;
    const auto mapping = on.graph.getTileMapping(t);
    for (unsigned tile = 0; tile < mapping.size(); ++tile)
      if (!mapping[tile].empty()) tiles.push_back(tile);
    return tiles;
  };
  const Tensor t = popops::createSliceableTensor(on.graph, HALF, {7, 40, 3}, {0, 2}, {1, 3}, 0, "t");
  CHECK(t.shape() == Shape{7, 40, 3});
  CHECK(tiles_of(t).size() == kTiles);  // the last dimension is taken whole, so it is spread too
  for (std::size_t c = 0; c < 40; ++c)
    for (std::size_t z = 0; z < 3; ++z) CHECK(tiles_of(t.slice(c, c + 1, 1).slice(z, z + 1, 2)).size() == 1);
  const Tensor s = popops::createSliceTensor(on.graph, t, {0}, {2}, 5, "s");
  CHECK(s.shape() == Shape{5, 2, 40, 3});
  CHECK(on.graph.getTileMapping(s[4]) == on.graph.getTileMapping(t.slice(0, 2)));
  const Tensor back = popops::createSliceableTensorFromSlice(on.graph, s[0], {0, 2}, {3, 2}, "back");
  CHECK(back.shape() == Shape{6, 40, 6});
  CHECK(on.graph.getTileMapping(back.slice(2, 4).slice(3, 6, 2)) == on.graph.getTileMapping(s[0]));
  const popops::SlicePlan plan = popops::embedding::plan(on.graph, FLOAT, 100, 2, {10}, {});
  const Tensor planned = popops::createSliceableTensor(on.graph, FLOAT, {2, 100}, {1}, {1}, plan, {}, "planned");
  CHECK(planned.shape() == Shape{2, 100});
  CHECK(tiles_of(planned).size() == kTiles);
  CHECK(tiles_of(planned[0].slice(0, 50)).size() == 1);
  CHECK(popops::createIndicesTensor(on.graph, {0}, 10, plan, {}).shape() == Shape{10, 1});
  CHECK(popops::createGroupedIndicesTensor(on.graph, 1, {0}, 10, plan, {}).shape() == Shape{1, 10, 1});
  std::ostringstream text;
  text << plan << "; " << popops::SlicePlan();
  CHECK(text.str() == "1 x float[100,2]: rows in 2 parts, columns in 2; no plan");
  const auto parts = [&](const std::vector<std::size_t>& lookups, const OptionFlags& options) {
    std::ostringstream out;
    out << popops::embedding::plan(on.graph, FLOAT, 100, 2, lookups, options);
    return out.str();
  };
  CHECK_THAT(parts({10, 50}, {}), ContainsText("rows in 2 parts"));
  CHECK_THAT(parts({10, 51}, {}), ContainsText("rows in 1 parts"));
  CHECK_THAT(parts({51}, {{"usedForSlice", "false"}}), ContainsText("rows in 2 parts"));
  CHECK(plan == popops::SlicePlan(plan));
  CHECK(plan != popops::SlicePlan());
  CHECK(popops::SlicePlan() < plan);
  using popops::embedding::SlicePlanningParameters;
  const auto plans = popops::embedding::planMultiple({SlicePlanningParameters(on.graph, FLOAT, 100, 2, {10}, {})});
  REQUIRE(plans.size() == 1);
  CHECK(plans[0] == plan);
}

TEST_CASE("What slices cannot do is said") {
  Slicing on;
  Sequence prog;
  const Tensor t = on.tensor(FLOAT, {5, 4}, Values(20), "table");
  const Tensor one = on.tensor(UNSIGNED_INT, {1}, {0}, "where");
  const Tensor many = on.tensor(UNSIGNED_INT, {3, 1}, Values(3), "wheres");
  const Tensor real = on.tensor(FLOAT, {1}, {0}, "real");
  const auto slice = [&](const Tensor& offset, const Shape& dims, const Shape& sizes, const OptionFlags& options = {}) {
    popops::dynamicSlice(on.graph, t, offset, dims, sizes, prog, {}, options);
  };
  CHECK_THROWS_WITH(slice(one, {2}, {1}), ContainsText("dimension 2 of 'table' is not there"));
  CHECK_THROWS_WITH(slice(one, {0}, {6}), ContainsText("a slice of 6 of dimension 0 of 'table', which has 5"));
  CHECK_THROWS_WITH(slice(one, {0, 0}, {1, 1}), ContainsText("named twice"));
  CHECK_THROWS_WITH(slice(one, {0}, {1, 1}), ContainsText("1 dimensions and 2 sizes"));
  CHECK_THROWS_WITH(slice(one, {0, 1}, {1, 1}), ContainsText("'where' of shape {1} for 2"));
  CHECK_THROWS_WITH(slice(real, {0}, {1}), ContainsText("'real' are of type float"));
  CHECK_THROWS_WITH(slice(one, {0}, {1}, {{"fast", "true"}}), ContainsText("fast"));
  CHECK_THROWS_WITH(popops::dynamicUpdate(on.graph, t, one, one, {0}, {1}, prog),
                    ContainsText("'where' of shape {1} is not a slice of 'table'"));
  const popops::SlicePlan none;
  const auto multi = [&](const Tensor& offsets, const Shape& dims, const popops::SlicePlan& plan) {
    popops::multiSlice(on.graph, t, offsets, dims, Shape(dims.size(), 1), prog, plan, {});
  };
  CHECK_THROWS_WITH(multi(one, {0}, none), ContainsText("'where' of shape {1} are not [n, 1]"));
  CHECK_THROWS_WITH(multi(many, {0, 1}, none), ContainsText("are not [n, 2]"));
  CHECK_THROWS_WITH(multi(many, {}, none), ContainsText("no dimension of 'table' is named"));
  CHECK_THROWS_WITH(popops::multiSlice(on.graph, t, many, {0}, {0}, prog, none, {}),
                    ContainsText("a slice of 0 of dimension 0 of 'table'"));
  const auto plan = [&](std::size_t rows, const OptionFlags& options = {}) {
    return popops::embedding::plan(on.graph, FLOAT, rows, 4, {3}, options);
  };
  CHECK_THROWS_WITH(multi(many, {0}, plan(6)),
                    ContainsText("the plan is for 1 groups of [6,4] elements, not 1 of [5,4]"));
  CHECK_THROWS_WITH(multi(many, {0}, plan(5, {{"usedForSlice", "false"}})), ContainsText("not for slices"));
  CHECK_THROWS_WITH(plan(5, {{"availableMemoryProportion", "0.5"}}), ContainsText("availableMemoryProportion"));
  CHECK_THROWS_WITH(plan(0), ContainsText("embedding::plan"));
  const Tensor s = on.tensor(FLOAT, {3, 1, 4}, Values(12), "s");
  CHECK_THROWS_WITH(popops::multiUpdateAdd(on.graph, t, s, many, one, {0}, {1}, prog, none, {}),
                    ContainsText("the scale 'where' of type unsigned int"));
  CHECK_THROWS_WITH(popops::multiUpdate(on.graph, t, s.slice(0, 2), many, {0}, {1}, prog, none, {}),
                    ContainsText("slices"));
  CHECK_THROWS_WITH(popops::groupedMultiSlice(on.graph, t, many, {0}, {1}, prog, none, {}),
                    ContainsText("do not have the same groups"));
  CHECK_THROWS_WITH(popops::multiSlice(on.graph, t, std::vector<unsigned>{}, 0, prog), ContainsText("no offsets"));
}
