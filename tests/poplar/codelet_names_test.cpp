// What codelets are written with, each used on the tile: base classes, fields of every kind and what they can be asked,
// numbers and types of the vendor's headers. On what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#include <catch2/catch.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using tessera::test::attach;

constexpr const char* kCodelets = R"codelets(
#include <FieldTypes.hpp>  // found without poplar/ too
#include <arch/gc_tile_defines.h>
#include <poplar/Alignment.hpp>
#include <poplar/AvailableVTypes.h>
#include <poplar/FieldTypes.hpp>
#include <poplar/HalfFloat.hpp>
#include <poplar/IeeeHalf.hpp>
#include <poplar/InOutTypes.hpp>
#include <poplar/Loops.hpp>
#include <poplar/QuarterFloat.hpp>
#include <poplar/StackSizeDefs.hpp>
#include <poplar/TileConstants.hpp>
#include <poplar/VectorLayout.hpp>
#include <poplar/VectorListTypes.hpp>
#include <poplar/VectorTypes.hpp>
#include <poplar/Vertex.hpp>
#include <print.h>

using namespace poplar;

// Scalars: read, assigned, reached through * and in place; state that lasts.
class Scalars : public Vertex {
 public:
  Input<int> in;
  Output<int> out;
  InOut<int> both;
  int runs;
  bool compute() {
    const int& read = in;
    out = read + *in;
    *both = *both * 10;
    both += ++runs;
    return true;
  }
};

// Vectors: sizes and ends of a span, a bare pointer, an alignment.
class Vectors : public Vertex {
 public:
  Input<Vector<int>> in;
  Input<Vector<int, VectorLayout::ONE_PTR>> bare;
  Output<Vector<int, VectorLayout::SPAN, 8>> out;
  Vector<int> state;
  WORKER_ALIGN bool compute() {
    int sum = 0;
    for (auto v : in) sum += v;
    out[0] = sum;
    out[1] = static_cast<int>(in.size());
    out[2] = in->size() == in.size() && &in[0] == in.begin() && in.end() - in.begin() == 3;
    out[3] = bare[2];
    out[4] = state[0] + state[1];
    out[5] = reinterpret_cast<unsigned long>(&out[0]) % 8;
    return true;
  }
};

// Lists: of regions, each with its own length, and as a list of vectors.
class Lists : public Vertex {
 public:
  Vector<Input<Vector<int>>> regions;
  Input<VectorList<int, VectorListLayout::DELTANELEMENTS>> rows;
  Vector<Output<Vector<int, VectorLayout::ONE_PTR>>> sums;
  bool compute() {
    for (unsigned i = 0; i < regions.size(); ++i) {
      sums[i][0] = 0;
      for (unsigned k = 0; k < regions[i].size(); ++k) sums[i][0] += regions[i][k];
    }
    sums[2][0] = 0;
    for (unsigned i = 0; i < rows.size(); ++i)
      for (unsigned k = 0; k < rows[i].size(); ++k) sums[2][0] += (i + 1) * rows[i][k];
    return true;
  }
};

class Workers : public MultiVertex {
 public:
  Output<Vector<int>> out;
  bool compute(unsigned worker) {
    const bool told = (__builtin_ipu_get(CSR_W_WSR__INDEX) & CSR_W_WSR__CTXTID_M1__MASK) == worker;
    out[worker] = static_cast<int>(100 * numWorkers() + (told ? worker : 50));
    return true;
  }
};

class Supervisor : public SupervisorVertexIf<true> {
 public:
  InOut<int> x;
  __attribute__((target("supervisor"))) void compute() { *x = *x + 1; }
};

class [[poplar::constraint("elem(*a) != elem(*b)")]] Apart : public Vertex {
 public:
  Input<Vector<int, VectorLayout::ONE_PTR>> a;
  Input<Vector<int, VectorLayout::ONE_PTR>> b;
  Output<int> elements;
  bool compute() {
    const unsigned long first = reinterpret_cast<unsigned long>(&a[0]), second = reinterpret_cast<unsigned long>(&b[0]);
    *elements = first / 16384 != second / 16384;
    return true;
  }
};

class Numbers : public Vertex {
 public:
  Output<Vector<int>> out;
  bool compute() {
    out[0] = CTXT_WORKERS;
    out[1] = NUM_STRIDE_BITS;
    out[2] = IeeeHalf::fromBits(0x3c00).toHalf() == half(1) && IeeeHalf(2.0f).bit16() == 0x4000;
    const rptsize_t count = 7;
    out[3] = count;
    const quarter q = {0x40};
    out[4] = static_cast<int>(8 * toFloat(q, {quarter_metadata::format::f143, 2}));
    const float2 two = {1.5f, 2.5f};
    const half4 four = {half(1), half(2), half(3), half(4)};
    out[5] = static_cast<int>(two[0] + two[1]) + static_cast<int>(four[3]);
#if defined(VECTOR_AVAIL_SCALED_PTR64) || defined(VECTOR_AVAIL_SHORT_SPAN) || defined(VECTORLIST_AVAIL_DELTAN) || \
    defined(__IPU__)
    out[6] = 1;
#else
    out[6] = 0;
#endif
    printf("numbers are %d\n", out[0]);
    return true;
  }
};
)codelets";

struct Names {
  Device device = attach();
  Graph graph{device.getTarget()};
  ComputeSet cs = graph.addComputeSet("cs");
  Names() {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
  }
  Tensor tensor(const char* name, const std::vector<int>& values) {
    const Tensor t = graph.addVariable(INT, {values.size()}, name);
    graph.setTileMapping(t, 1);
    graph.setInitialValue(t, ArrayRef<int>(values));
    graph.createHostRead(name, t);
    return t;
  }
  VertexRef vertex(const char* type, const std::vector<ConnectionDesc>& fields) {
    const VertexRef v = graph.addVertex(cs, type, fields);
    graph.setTileMapping(v, 1);
    return v;
  }
  static std::vector<int> values(Engine& engine, const char* name, std::size_t n) {
    std::vector<int> out(n);
    engine.readTensor(name, out.data(), out.data() + n);
    return out;
  }
};

TEST_CASE_METHOD(Names, "Vertex: scalar fields are read, written and kept") {
  const Tensor x = tensor("x", {4, 0, 3});
  graph.setInitialValue(vertex("Scalars", {{"in", x[0]}, {"out", x[1]}, {"both", x[2]}})["runs"], 5);
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  CHECK(values(engine, "x", 3) == std::vector<int>{4, 8, 36});
  engine.run();
  CHECK(values(engine, "x", 3) == std::vector<int>{4, 8, 367});
}

TEST_CASE_METHOD(Names, "Vector: fields of many elements have a begin, and a length where the layout says so") {
  const Tensor in = tensor("in", {1, 2, 3}), out = tensor("out", {0, 0, 0, 0, 0, 0});
  const VertexRef v = vertex("Vectors", {{"in", in}, {"bare", in}, {"out", out}});
  graph.setInitialValue<int>(v["state"], {30, 12});
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  CHECK(values(engine, "out", 6) == std::vector<int>{6, 3, 1, 3, 42, 0});
}

TEST_CASE_METHOD(Names, "VectorList: lists of regions, each of its own length") {
  const Tensor in = tensor("in", {1, 2, 3, 4, 5}), out = tensor("sums", {9, 9, 9});
  const VertexRef v = vertex("Lists", {});
  graph.connect(v["regions"], {in.slice(0, 2), in.slice(2, 5)});
  graph.connect(v["rows"], {in.slice(0, 1), in.slice(3, 5)});
  graph.connect(v["sums"], {out.slice(0, 1), out.slice(1, 2), out.slice(2, 3)});
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  CHECK(values(engine, "sums", 3) == std::vector<int>{3, 12, 1 + 2 * 9});
}

TEST_CASE_METHOD(Names, "MultiVertex: one call of each worker; SupervisorVertex: one of the supervisor") {
  const Tensor out = tensor("out", {0, 0, 0, 0, 0, 0}), x = tensor("x", {7});
  vertex("Workers", {{"out", out}});
  vertex("Supervisor", {{"x", x[0]}});
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  CHECK(values(engine, "out", 6) == std::vector<int>{600, 601, 602, 603, 604, 605});
  CHECK(values(engine, "x", 1) == std::vector<int>{8});
}

TEST_CASE_METHOD(Names, "constraint: what is to lie in different elements of memory does") {
  const Tensor a = tensor("a", {1}), b = tensor("b", {2}), apart = tensor("apart", {0});
  vertex("Apart", {{"a", a}, {"b", b}, {"elements", apart[0]}});
  Engine engine(graph, Execute(cs));
  engine.load(device);
  engine.run();
  CHECK(values(engine, "apart", 1) == std::vector<int>{1});
}

TEST_CASE_METHOD(Names,
                 "numbers and types of the vendor's headers are there on the tile, and printf reaches the host") {
  const Tensor out = tensor("out", {9, 9, 9, 9, 9, 9, 9});
  vertex("Numbers", {{"out", out}});
  Engine engine(graph, Execute(cs));
  std::ostringstream printed;
  engine.setPrintStream(printed);
  engine.load(device);
  engine.run();
  CHECK(values(engine, "out", 7) == std::vector<int>{6, 18, 1, 7, 32, 8, 0});
  CHECK_THAT(printed.str(), Catch::Matchers::ContainsText("numbers are 6"));
}

}  // namespace
