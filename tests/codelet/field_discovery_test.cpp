// What popc finds out about vertex classes: names, kinds, fields, offsets.
#include <catch2/catch.hpp>

#include "tests/codelet/codelet_text.h"

using namespace tessera;
using compiler::CodeletLibrary;
using graph::ElementType;
using graph::FieldKind;
using graph::FieldShape;
using graph::VectorLayout;
using test::compiled, test::message_of;

namespace {

const graph::CodeletInfo& only(const CodeletLibrary& library) {
  REQUIRE(library.codelets.size() == 1);
  return library.codelets[0];
}

}  // namespace

TEST_CASE("every kind of field is found with its place and type") {
  const CodeletLibrary library = compiled(R"(
    class V : public Vertex {
     public:
      Input<Vector<float>> span;
      Output<Vector<half, VectorLayout::ONE_PTR, 8>> bare;
      InOut<int> scalar;
      unsigned char small;
      const unsigned constant;
      Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> list;
      Vector<InOut<unsigned>> scalars;
      Vector<short> state;
      Input<VectorList<signed char, VectorListLayout::DELTANELEMENTS>> rows;
      Output<bool> flag;
      Input<Vector<float, VectorLayout::SPAN, 16, true>> wide;
      long long big;
      bool compute() { *scalar = span.size(); return true; }
    };)");
  const graph::CodeletInfo& v = only(library);
  CHECK(v.name == "V");
  CHECK(v.kind == graph::CodeletKind::kVertex);
  CHECK(v.returns_bool);
  CHECK(v.entry_symbol == "__vertex_V");
  CHECK(v.state_align == 8);
  CHECK(v.state_size == 80);
  struct Expected {
    const char* name;
    FieldKind kind;
    FieldShape shape;
    VectorLayout layout, inner;
    ElementType type;
    unsigned offset, align;
  };
  const auto kSpan = VectorLayout::kSpan, kOne = VectorLayout::kOnePtr;
  const Expected expected[] = {
      {"span", FieldKind::kInput, FieldShape::kVector, kSpan, kOne, ElementType::kFloat, 0, 4},
      {"bare", FieldKind::kOutput, FieldShape::kVector, kOne, kOne, ElementType::kHalf, 8, 8},
      {"scalar", FieldKind::kInOut, FieldShape::kScalar, kOne, kOne, ElementType::kInt, 12, 4},
      {"small", FieldKind::kState, FieldShape::kScalar, kOne, kOne, ElementType::kUnsignedChar, 16, 1},
      {"constant", FieldKind::kState, FieldShape::kScalar, kOne, kOne, ElementType::kUnsignedInt, 20, 4},
      {"list", FieldKind::kInput, FieldShape::kList, kSpan, kOne, ElementType::kFloat, 24, 4},
      {"scalars", FieldKind::kInOut, FieldShape::kScalarList, kSpan, kOne, ElementType::kUnsignedInt, 32, 4},
      {"state", FieldKind::kState, FieldShape::kVector, kSpan, kOne, ElementType::kShort, 40, 2},
      {"rows", FieldKind::kInput, FieldShape::kList, kSpan, kSpan, ElementType::kSignedChar, 48, 1},
      {"flag", FieldKind::kOutput, FieldShape::kScalar, kOne, kOne, ElementType::kBool, 56, 1},
      {"wide", FieldKind::kInput, FieldShape::kVector, kSpan, kOne, ElementType::kFloat, 60, 16},
      {"big", FieldKind::kState, FieldShape::kScalar, kOne, kOne, ElementType::kLongLong, 72, 8},
  };
  REQUIRE(v.fields.size() == std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    const Expected& e = expected[i];
    const graph::CodeletField& f = v.fields[i];
    INFO(e.name);
    CHECK(f.name == e.name);
    CHECK(f.kind == e.kind);
    CHECK(f.shape == e.shape);
    CHECK(f.layout == e.layout);
    CHECK(f.inner_layout == e.inner);
    CHECK(f.type == e.type);
    CHECK(f.offset == e.offset);
    CHECK(f.min_align == e.align);
    CHECK(f.is_const == (f.name == "constant"));
    CHECK(f.interleaved == (f.name == "wide"));
  }
}

TEST_CASE("behind each edge of quarters stands its metadata, in a file too") {
  const CodeletLibrary library = compiled(R"(
    class V : public Vertex {
     public:
      Input<quarter> scalar;
      Output<Vector<quarter>> span;
      InOut<Vector<quarter, VectorLayout::ONE_PTR, 8>> bare;
      Vector<Input<Vector<quarter>>, VectorLayout::ONE_PTR> list;
      Vector<Output<quarter>> scalars;
      Input<VectorList<quarter>> rows;
      unsigned char last;
      bool compute() { return rows.getMetadata() != span.getMetadata(); }
    };)");
  const CodeletLibrary again = compiler::from_gp(compiler::to_gp(library), "v.gp");
  const graph::CodeletInfo& v = only(again);
  CHECK(v.state_size == 64);
  const char* names[] = {"scalar", "span", "bare", "list", "scalars", "rows", "last"};
  const unsigned offsets[] = {0, 8, 20, 28, 36, 48, 60}, metadata[] = {4, 16, 24, 32, 44, 56};
  REQUIRE(v.fields.size() == 13);
  for (std::size_t i = 0; i < std::size(names); ++i) {
    INFO(names[i]);
    CHECK(v.fields[2 * i].name == names[i]);
    CHECK(v.fields[2 * i].offset == offsets[i]);
    if (i == std::size(metadata)) break;
    CHECK(v.fields[2 * i].type == ElementType::kQuarter);
    const graph::CodeletField& behind = v.fields[2 * i + 1];
    CHECK(behind.name == std::string(names[i]) + ".metadata");
    CHECK(behind.kind == FieldKind::kInput);
    CHECK(behind.shape == FieldShape::kScalar);
    CHECK(behind.type == ElementType::kQuarterMetadata);
    CHECK(behind.offset == metadata[i]);
    CHECK(behind.min_align == 1);
  }
}

TEST_CASE("explicit instantiations are named as Poplar names them") {
  const CodeletLibrary library = compiled(R"(
    namespace ns {
    enum class Op { ADD, MUL };
    template <class T, class U, bool flag, Op op, unsigned n = 3> struct Foo : Vertex {
      Foo();
      Input<Vector<T>> in;
      Output<U> out;
      void compute() {}
    };
    }
    template class ns::Foo<float, unsigned int, true, ns::Op::MUL>;
    template class ns::Foo<half, int, false, ns::Op::ADD, 7>;)");
  REQUIRE(library.codelets.size() == 2);
  CHECK(library.codelets[0].name == "ns::Foo<float,unsigned int,true,ns::Op::MUL,3>");
  CHECK(library.codelets[1].name == "ns::Foo<half,int,false,ns::Op::ADD,7>");
  CHECK(library.codelets[0].entry_symbol != library.codelets[1].entry_symbol);
  CHECK_FALSE(library.codelets[0].returns_bool);
  CHECK(library.codelets[1].fields.at(0).type == ElementType::kHalf);
}

TEST_CASE("arguments of an instantiation of a partial specialisation are the template's") {
  const CodeletLibrary library = compiled(R"(
    namespace ns {
    enum class Op { ADD, MUL };
    template <Op op, class T, bool flag> struct Foo : Vertex { T a; void compute() {} };
    template <class T> struct Foo<Op::MUL, T, false> : Vertex { T b; void compute() {} };
    template <Op op> struct Foo<op, int, true> : Vertex { int c; void compute() {} };
    }
    template class ns::Foo<ns::Op::ADD, float, false>;
    template class ns::Foo<ns::Op::MUL, half, false>;
    template class ns::Foo<ns::Op::MUL, int, true>;)");
  REQUIRE(library.codelets.size() == 3);
  CHECK(library.codelets[0].name == "ns::Foo<ns::Op::ADD,float,false>");
  CHECK(library.codelets[1].name == "ns::Foo<ns::Op::MUL,half,false>");
  CHECK(library.codelets[2].name == "ns::Foo<ns::Op::MUL,int,true>");
  CHECK(library.codelets[1].fields.at(0).name == "b");
  CHECK(library.codelets[2].fields.at(0).name == "c");
}

TEST_CASE("a base that a template argument chooses is looked at for each instantiation") {
  const std::string text = R"(
    template <class T> constexpr bool external() { return sizeof(T) == 4; }
    template <class T> class V : public SupervisorVertexIf<external<T>()> {
     public:
      Output<T> out;
      __attribute__((target("supervisor"))) void compute() { *out = T(1); }
    };
    struct Plain { void compute(); };
    template <bool vertex> struct Maybe { using type = Vertex; };
    template <> struct Maybe<false> { using type = Plain; };
    template <class T> struct W : Maybe<sizeof(T) == 4>::type { T a; void compute() {} };
    template class V<int>;
    template class V<short>;
    template class W<int>;)";
  const CodeletLibrary library = compiled(text);
  REQUIRE(library.codelets.size() == 3);
  CHECK(library.codelets[0].name == "V<int>");
  CHECK(library.codelets[0].kind == graph::CodeletKind::kSupervisor);
  CHECK(library.codelets[1].kind == graph::CodeletKind::kVertex);
  CHECK(library.codelets[2].fields.at(0).name == "a");
  CHECK(message_of(text + "template class W<short>;").find("this instantiation is no vertex") != std::string::npos);
}

TEST_CASE("kinds come from the base class") {
  const CodeletLibrary library = compiled(R"(
    struct Many : MultiVertex { Output<int> a; bool compute(unsigned worker) { return worker < numWorkers(); } };
    struct One : SupervisorVertex { __attribute__((target("supervisor"))) void compute() {} };
    struct Chosen : SupervisorVertexIf<false> { void compute() {} };)");
  REQUIRE(library.codelets.size() == 3);
  CHECK(library.codelets[0].kind == graph::CodeletKind::kMultiVertex);
  CHECK(library.codelets[1].kind == graph::CodeletKind::kSupervisor);
  CHECK(library.codelets[2].kind == graph::CodeletKind::kVertex);
}

TEST_CASE("fields of base classes come first, private ones included") {
  const CodeletLibrary library = compiled(R"(
    template <class T> struct Base : public Vertex { Input<Vector<T>> in; unsigned n; };
    template <class T> class Derived : public Base<T> { Output<T> out; public: bool compute() { *out = this->n; return true; } };
    template class Derived<int>;
    struct Helper { int x; };
    class Middle : public Vertex { float unused; };)");
  const graph::CodeletInfo& v = only(library);
  CHECK(v.name == "Derived<int>");
  REQUIRE(v.fields.size() == 3);
  CHECK(v.fields[0].name == "in");
  CHECK(v.fields[1].name == "n");
  CHECK(v.fields[1].offset == 8);
  CHECK(v.fields[2].name == "out");
  CHECK(v.fields[2].offset == 12);
}

TEST_CASE("unsupported field types are refused by name") {
  const std::string end = "; bool compute() { return true; } };";
  CHECK(message_of("struct S { int x; }; struct V : Vertex { S s" + end) ==
        "Field 'V.s' has unsupported field type 'S'");
  CHECK(message_of("struct V : Vertex { int a[3]" + end) == "Field 'V.a' has unsupported field type 'int[3]'");
  CHECK(message_of("struct V : Vertex { float *p" + end) == "Field 'V.p' has unsupported field type 'float *'");
  CHECK(message_of("struct V : Vertex { Input<double> d" + end) ==
        "Field 'V.d' has unsupported field type 'Input<double>'");
  CHECK(message_of("struct V : Vertex { Vector<Input<Vector<Vector<int>>>> d" + end) ==
        "Field 'V.d' has unsupported field type 'Vector<Input<Vector<Vector<int>>>>'");
  // State has no metadata, and metadata no edge of its own.
  CHECK(message_of("struct V : Vertex { quarter q" + end) == "Field 'V.q' has unsupported field type 'quarter'");
  CHECK(message_of("struct V : Vertex { Vector<quarter> q" + end) ==
        "Field 'V.q' has unsupported field type 'Vector<quarter>'");
  CHECK(message_of("struct V : Vertex { Input<quarter_metadata> m" + end) ==
        "Field 'V.m' has unsupported field type 'Input<quarter_metadata>'");
}

TEST_CASE("a codelet that does not compile shows clang's own text") {
  const std::string message = message_of("struct V : Vertex {\n  bool compute() { return missing; }\n};");
  CHECK(message.find("test.cpp:4:27: error: use of undeclared identifier 'missing'") != std::string::npos);
  CHECK(message.find("  4 |   bool compute() { return missing; }") != std::string::npos);
  CHECK(message_of("#include <nowhere.h>\n").find("'nowhere.h' file not found") != std::string::npos);
}

TEST_CASE("the standard headers that codelets use compile") {
  const CodeletLibrary library = compiled(R"(
    #include <algorithm>
    #include <array>
    #include <cassert>
    #include <cmath>
    #include <cstring>
    #include <functional>
    #include <iterator>
    #include <limits>
    #include <numeric>
    #include <optional>
    #include <string_view>
    #include <tuple>
    #include <type_traits>
    static_assert(sizeof(long) == 4 && sizeof(void *) == 4);
    static_assert(std::numeric_limits<half>::max() == half(65504));
    struct V : Vertex {
      InOut<Vector<float>> x;
      bool compute() {
        std::sort(x.begin(), x.end());
        for (float &v : x) v = std::exp(std::min(v, 2.0f)) + std::accumulate(x.begin(), x.end(), 0.0f);
        assert(x.size() > 0);
        return std::isfinite(x[0]);
      }
    };)");
  CHECK(only(library).fields.size() == 1);
}

TEST_CASE("a function may take an edge of many elements as the Vector that it is") {
  const auto library = compiled(R"(
static unsigned sum(const Vector<unsigned>& values) {
  unsigned total = 0;
  for (unsigned value : values) total += value;
  return total;
}
struct Sums : Vertex {
  InOut<Vector<unsigned>> a;
  Output<Vector<unsigned>> b;
  void compute() { b[0] = sum(a) + sum(b); }
};
)");
  CHECK(library.codelets.at(0).fields.size() == 2);
}

TEST_CASE("pointers to an input's elements are const, or not where a source takes them so") {
  const std::string fields =
      "struct V : Vertex { Input<Vector<float, VectorLayout::ONE_PTR>> in; "
      "Vector<Input<Vector<unsigned short>>> lists; Output<Vector<float>> out; ";
  CHECK_NOTHROW(compiled(fields + R"(
    void compute() {
      auto* at = &lists[0][0];
      at = reinterpret_cast<const unsigned short*>(&in[0]);
      out[0] = *at;
    }
  };)"));
  CHECK_NOTHROW(compiled(fields + R"(
    void compute() {
      const float2* pairs = reinterpret_cast<float2*>(&in[0]);
      float* plain = &in[2];
      out[0] = pairs[0][1] + *plain;
    }
  };)"));
  CHECK(message_of(fields + "void compute() { in[0] = 1; } };").find("cannot assign") != std::string::npos);
  CHECK(message_of(fields + "void compute() { const int one = 1; *reinterpret_cast<int*>(&one) = 2; } };")
            .find("casts away qualifiers") != std::string::npos);
}
