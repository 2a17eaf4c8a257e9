// Edges of eight-bit floats: each kind of field, read and written by the metadata of its tensor, and what is refused.
// On what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Quarter.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach;
using Format = QuarterMetadata::Format;

// Each gives `in` to `out` and adds it to `both`: four elements, in two rows where there are rows.
constexpr const char* kCodelets = R"codelets(
#include <poplar/Vertex.hpp>

using namespace poplar;

struct Formats {
  quarter_metadata in, out, both;
  void step(const quarter& from, quarter& to, quarter& sum) const {
    const float x = toFloat(from, in);
    to = toQuarter(x, out);
    sum = toQuarter(toFloat(sum, both) + x, both);
  }
};
#define FORMATS const Formats formats{unpackMetadata(in.getMetadata()), unpackMetadata(out.getMetadata()), \
                                      unpackMetadata(both.getMetadata())}

class Scalars : public Vertex {
 public:
  Input<quarter> in;
  Output<quarter> out;
  InOut<quarter> both;
  void compute() {
    FORMATS;
    formats.step(in, *out, *both);
  }
};

template <VectorLayout layout, unsigned align>
class Vectors : public Vertex {
 public:
  unsigned char before;
  Input<Vector<quarter, layout, align>> in;
  Output<Vector<quarter, layout, align>> out;
  InOut<Vector<quarter, layout, align>> both;
  unsigned n;
  void compute() {
    FORMATS;
    for (unsigned i = 0; i < n; ++i) formats.step(in[i], out[i], both[i]);
  }
};
template class Vectors<VectorLayout::SPAN, 1>;
template class Vectors<VectorLayout::SHORT_SPAN, 1>;
template class Vectors<VectorLayout::ONE_PTR, 8>;
template class Vectors<VectorLayout::SCALED_PTR32, 4>;
template class Vectors<VectorLayout::SCALED_PTR64, 8>;
template class Vectors<VectorLayout::SCALED_PTR128, 16>;
template class Vectors<VectorLayout::COMPACT_PTR, 4>;

class Sized : public MultiVertex {
 public:
  Input<Vector<quarter>> in;
  Output<Vector<quarter>> out;
  InOut<Vector<quarter>> both;
  void compute(unsigned worker) {
    FORMATS;
    for (unsigned i = worker; i < in.size(); i += numWorkers()) formats.step(in[i], out[i], both[i]);
  }
};

class ScalarLists : public Vertex {
 public:
  Vector<Input<quarter>> in;
  Vector<Output<quarter>, VectorLayout::ONE_PTR> out;
  Vector<InOut<quarter>> both;
  void compute() {
    FORMATS;
    for (unsigned i = 0; i < in.size(); ++i) formats.step(in[i], *out[i], *both[i]);
  }
};

class Lists : public Vertex {
 public:
  Vector<Input<Vector<quarter>>> in;
  Vector<Output<Vector<quarter, VectorLayout::ONE_PTR, 4>>> out;
  Vector<InOut<Vector<quarter, VectorLayout::ONE_PTR>>, VectorLayout::ONE_PTR> both;
  void compute() {
    FORMATS;
    for (unsigned r = 0; r < in.size(); ++r)
      for (unsigned i = 0; i < in[r].size(); ++i) formats.step(in[r][i], out[r][i], both[r][i]);
  }
};

class VectorLists : public Vertex {
 public:
  Input<VectorList<quarter, VectorListLayout::DELTAN>> in;
  Output<VectorList<quarter, VectorListLayout::ONE_PTR>> out;
  InOut<VectorList<quarter, VectorListLayout::COMPACT_DELTAN>> both;
  void compute() {
    FORMATS;
    for (unsigned r = 0; r < in.size(); ++r)
      for (unsigned i = 0; i < in[r].size(); ++i) formats.step(in[r][i], out[r][i], both[r][i]);
  }
};
)codelets";

struct Quarters {
  Device device = attach();
  Graph graph{device.getTarget()};
  ComputeSet cs = graph.addComputeSet("cs");
  const QuarterMetadata in_format{Format::F143, 0}, out_format{Format::F152, -3}, both_format{Format::F143, 1};

  explicit Quarters(const char* flags = "") {
    std::stringstream source(kCodelets);
    graph.addCodelets(source, flags);
  }

  // Its metadata is known to the codelet alone when the program runs.
  Tensor tensor(const char* name, std::vector<std::size_t> shape, const QuarterMetadata& format,
                const std::vector<double>& values) {
    const Tensor metadata = createVariableMetadataTensor(graph, format.getFormat(), format.getScale());
    const Tensor t = graph.addVariable(QUARTER, metadata, shape, name);
    graph.setTileMapping(t, 1);
    std::vector<unsigned char> bytes;
    for (const double value : values) bytes.push_back(quarter(value, format).bits());
    graph.setInitialValue(t.reinterpret(UNSIGNED_CHAR), ArrayRef<unsigned char>(bytes));
    graph.createHostRead(name, t);
    return t;
  }

  std::vector<float> read(Engine& engine, const char* name, std::size_t n, const QuarterMetadata& format) {
    std::vector<std::uint8_t> bytes(n);
    engine.readTensor(name, bytes.data(), bytes.data() + n);
    std::vector<float> values;
    for (const std::uint8_t b : bytes) values.push_back(quarter::fromBits(b).toFloat(format));
    return values;
  }

  // Runs a vertex on another tile than its data.
  void check(
      const char* type, const std::vector<std::size_t>& shape,
      const std::function<void(const VertexRef&)>& more = [](const VertexRef&) {}) {
    INFO(type);
    const std::size_t n = shape.empty() ? 1 : 4;
    const auto first = [&](std::vector<double> all) {
      all.resize(n);
      return all;
    };
    const VertexRef v = graph.addVertex(cs, type);
    graph.setTileMapping(v, 2);
    graph.connect(v["in"], tensor("in", shape, in_format, first({1, -1.5, 240, 0.6875})));
    graph.connect(v["out"], tensor("out", shape, out_format, first({0, 0, 0, 0})));
    graph.connect(v["both"], tensor("both", shape, both_format, first({16, 1, 480, -0.1875})));
    more(v);
    Engine engine(graph, Execute(cs));
    engine.load(device);
    engine.run();
    // 240, 0.6875 and 17 lie halfway between two of two or three bits of fraction: the even one; 720 is beyond all.
    std::vector<float> out{1, -1.5, 256, 0.75}, both{16, -0.5, 480, 0.5};
    out.resize(n);
    both.resize(n);
    CHECK(read(engine, "out", n, out_format) == out);
    CHECK(read(engine, "both", n, both_format) == both);
  }
};

TEST_CASE_METHOD(Quarters, "scalar edges of quarters have metadata") { check("Scalars", {}); }

TEST_CASE("vectors of quarters have metadata, whatever their layout") {
  for (const char* layout : {"SPAN,1", "SHORT_SPAN,1", "ONE_PTR,8", "SCALED_PTR32,4", "SCALED_PTR64,8",
                             "SCALED_PTR128,16", "COMPACT_PTR,4"}) {
    Quarters quarters;
    quarters.check(("Vectors<poplar::VectorLayout::" + std::string(layout) + ">").c_str(), {4},
                   [&](const VertexRef& v) { quarters.graph.setInitialValue(v["n"], 4); });
  }
}

TEST_CASE_METHOD(Quarters, "workers of a MultiVertex share an edge of quarters") { check("Sized", {4}); }

TEST_CASE_METHOD(Quarters, "a list of scalar edges of quarters has one metadata") { check("ScalarLists", {4}); }

TEST_CASE_METHOD(Quarters, "a list of vectors of quarters has one metadata") { check("Lists", {2, 2}); }

TEST_CASE_METHOD(Quarters, "a VectorList of quarters has metadata") { check("VectorLists", {2, 2}); }

TEST_CASE("with checks vectors of quarters know their length, and have metadata behind it") {
  {
    Quarters quarters("--check");
    quarters.check("Vectors<poplar::VectorLayout::ONE_PTR,8>", {4},
                   [&](const VertexRef& v) { quarters.graph.setInitialValue(v["n"], 4); });
  }
  Quarters("--check").check("Lists", {2, 2});
}

TEST_CASE_METHOD(Quarters, "edges of quarters that cannot be connected are refused by name") {
  const Tensor metadata = createConstantMetadataTensor(graph, Format::F143, 0);
  const Tensor t = graph.addVariable(QUARTER, metadata, {4}, "eighths");
  const Tensor other = graph.addVariable(QUARTER, createConstantMetadataTensor(graph, Format::F143, 0), {4}, "others");
  const VertexRef v = graph.addVertex(cs, "Lists");
  graph.setFieldSize(v["in"], 2);
  graph.connect(v["in"][0], t);
  CHECK_THROWS_WITH(graph.connect(v["in"][1], other), ContainsText("'others'") && ContainsText("field 'in'") &&
                                                          ContainsText("an entry of which has other metadata"));
  CHECK_NOTHROW(graph.connect(v["in"][1], t.slice(0, 2)));
  CHECK_THROWS_AS(graph.connect(v["out"], std::vector<Tensor>{t, other}), tensor_metadata_error);
  const VertexRef s = graph.addVertex(cs, "Scalars");
  CHECK_THROWS_AS(graph.connect(s["out"], graph.addVariable(UNSIGNED_CHAR, {}, "byte")), type_error);
  CHECK_THROWS_WITH(graph.connect(s["in"], 1.0f),
                    ContainsText("field 'in'") && ContainsText("need a tensor with metadata"));
  CHECK_THROWS_AS(s["in.metadata"], unknown_field);
  // An estimator sees how many they are, not what they are.
  graph.connect(s["in"], t[0]);
  graph.registerPerfEstimator("Scalars", [](const VertexIntrospector& vertex, const Target& target) {
    const FieldData in = vertex.getFieldInfo("in");
    return VertexPerfEstimate(static_cast<std::uint64_t>(in.getInitialValue<float>(target)));
  });
  CHECK_THROWS_WITH(graph.getPerfEstimate(s), ContainsText("field 'in'") && ContainsText("which are quarters"));
}

}  // namespace
