#include "tests/compiler/random_graphs/codelets.h"

#include <algorithm>
#include <stdexcept>

namespace tessera::test {
namespace {

const std::vector<Kind> kNumbers = {Kind::kFloat, Kind::kInt, Kind::kHalf, Kind::kUnsignedChar, Kind::kLongLong};
const std::vector<Kind> kAny = {Kind::kInt,  Kind::kFloat,           Kind::kHalf, Kind::kBool, Kind::kUnsignedShort,
                                Kind::kChar, Kind::kUnsignedLongLong};

bool all_equal(const Lengths& lengths) {
  for (const auto& field : lengths)
    for (const std::size_t n : field)
      if (n != lengths[0].at(0)) return false;
  return true;
}

bool anything(const Lengths&) { return true; }

std::vector<Codelet> table() {
  std::vector<Codelet> all;
  all.push_back({"Add",
                 kNumbers,
                 {{"a", Access::kInput, Arity::kVector, {}},
                  {"b", Access::kInput, Arity::kVector, {}},
                  {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"(class Add : public Vertex {
 public:
  Input<Vector<T>> a, b;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = a[i] + b[i];
    return true;
  }
};
)",
                 all_equal,
                 [](Kind kind, Edges& e, Values&) {
                   for (std::size_t i = 0; i < e[2][0].size(); ++i) e[2][0][i] = add(kind, e[0][0][i], e[1][0][i]);
                   return true;
                 }});
  all.push_back({"Scale",
                 kNumbers,
                 {{"x", Access::kInOut, Arity::kVector, {}}},
                 "factor",
                 R"(class Scale : public Vertex {
 public:
  InOut<Vector<T>> x;
  T factor;
  bool compute() {
    for (unsigned i = 0; i < x.size(); ++i) x[i] = x[i] * factor;
    return true;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values& state) {
                   for (std::uint64_t& x : e[0][0]) x = multiply(kind, x, state[0]);
                   return true;
                 }});
  all.push_back({"Sum",
                 kNumbers,
                 {{"out", Access::kOutput, Arity::kScalar, {}}, {"in", Access::kInput, Arity::kVectorList, {}}},
                 nullptr,
                 R"(class Sum : public Vertex {
 public:
  Output<T> out;
  Vector<Input<Vector<T>>> in;
  bool compute() {
    T sum = 0;
    for (unsigned k = 0; k < in.size(); ++k)
      for (unsigned i = 0; i < in[k].size(); ++i) sum = sum + in[k][i];
    *out = sum;
    return true;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values&) {
                   std::uint64_t sum = 0;
                   for (const Values& part : e[1])
                     for (const std::uint64_t x : part) sum = add(kind, sum, x);
                   e[0][0][0] = sum;
                   return true;
                 }});
  all.push_back({"Spread",
                 kAny,
                 {{"in", Access::kInput, Arity::kScalar, {}}, {"out", Access::kOutput, Arity::kVectorList, {}}},
                 nullptr,
                 R"(class Spread : public Vertex {
 public:
  Input<T> in;
  Vector<Output<Vector<T>>> out;
  void compute() {
    for (unsigned k = 0; k < out.size(); ++k)
      for (unsigned i = 0; i < out[k].size(); ++i) out[k][i] = *in;
  }
};
)",
                 anything,
                 [](Kind, Edges& e, Values&) {
                   for (Values& part : e[1]) std::fill(part.begin(), part.end(), e[0][0][0]);
                   return true;
                 }});
  all.push_back({"Pick",
                 kAny,
                 {{"out", Access::kOutput, Arity::kVector, {}},
                  {"rows", Access::kInput, Arity::kVectorList, {}},
                  {"row", Access::kInput, Arity::kScalar, Kind::kUnsigned}},
                 nullptr,
                 R"code(class [[poplar::constraint("elem(**rows) != elem(*out)")]] Pick : public Vertex {
 public:
  Output<Vector<T>> out;
  Input<VectorList<T, VectorListLayout::DELTAN>> rows;
  Input<unsigned> row;
  bool compute() {
    const unsigned r = *row % rows.size();
    for (unsigned i = 0; i < out.size(); ++i) out[i] = rows[r][i];
    return r == 0;
  }
};
)code",
                 [](const Lengths& lengths) { return all_equal({lengths[0], lengths[1]}) && !lengths[1].empty(); },
                 [](Kind, Edges& e, Values&) {
                   const std::size_t r = e[2][0][0] % e[1].size();
                   e[0][0] = e[1][r];
                   return r == 0;
                 }});
  all.push_back({"Gather",
                 kAny,
                 {{"in", Access::kInput, Arity::kScalarList, {}}, {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"(class Gather : public Vertex {
 public:
  Vector<Input<T>> in;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = *in[i];
    return true;
  }
};
)",
                 [](const Lengths& lengths) { return lengths[0].size() == lengths[1][0]; },
                 [](Kind, Edges& e, Values&) {
                   for (std::size_t i = 0; i < e[0].size(); ++i) e[1][0][i] = e[0][i][0];
                   return true;
                 }});
  all.push_back({"Turn",
                 kAny,
                 {{"x", Access::kInOut, Arity::kVector, {}}},
                 nullptr,
                 R"(class Turn : public Vertex {
 public:
  InOut<Vector<T>> x;
  bool compute() {
    for (unsigned i = 0, n = x.size(); i < n / 2; ++i) {
      const T kept = x[i];
      x[i] = x[n - 1 - i];
      x[n - 1 - i] = kept;
    }
    return true;
  }
};
)",
                 anything,
                 [](Kind, Edges& e, Values&) {
                   std::reverse(e[0][0].begin(), e[0][0].end());
                   return true;
                 }});
  all.push_back({"Less",
                 kNumbers,
                 {{"a", Access::kInput, Arity::kScalar, {}},
                  {"b", Access::kInput, Arity::kScalar, {}},
                  {"out", Access::kOutput, Arity::kScalar, Kind::kBool}},
                 nullptr,
                 R"(class Less : public Vertex {
 public:
  Input<T> a, b;
  Output<bool> out;
  bool compute() {
    *out = *a < *b;
    return *a < *b;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values&) {
                   const bool less = is_less(kind, e[0][0][0], e[1][0][0]);
                   e[2][0][0] = less ? 1 : 0;
                   return less;
                 }});
  all.push_back({"Choose",
                 {Kind::kFloat, Kind::kInt, Kind::kUnsignedChar},
                 {{"which", Access::kInput, Arity::kVector, Kind::kBool},
                  {"a", Access::kInput, Arity::kVector, {}},
                  {"b", Access::kInput, Arity::kVector, {}},
                  {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"(class Choose : public Vertex {
 public:
  Input<Vector<bool>> which;
  Input<Vector<T>> a, b;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = which[i] ? a[i] : b[i];
    return true;
  }
};
)",
                 all_equal,
                 [](Kind, Edges& e, Values&) {
                   for (std::size_t i = 0; i < e[3][0].size(); ++i)
                     e[3][0][i] = e[0][0][i] != 0 ? e[1][0][i] : e[2][0][i];
                   return true;
                 }});
  all.push_back({"Widen",
                 {Kind::kFloat},
                 {{"in", Access::kInput, Arity::kVector, Kind::kHalf}, {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"(class Widen : public Vertex {
 public:
  Input<Vector<half>> in;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) out[i] = T(in[i]) + T(i);
    return true;
  }
};
)",
                 all_equal,
                 [](Kind kind, Edges& e, Values&) {
                   for (std::size_t i = 0; i < e[1][0].size(); ++i)
                     e[1][0][i] = add(kind, widened(e[0][0][i]), element(kind, static_cast<double>(i)));
                   return true;
                 }});
  all.push_back({"Aligned",
                 {Kind::kUnsignedChar, Kind::kHalf, Kind::kInt},
                 {{"in", Access::kInput, Arity::kVector, {}}, {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"code(class [[poplar::constraint("elem(*in) != elem(*out)")]] Aligned : public Vertex {
 public:
  Input<Vector<T, VectorLayout::ONE_PTR, 8>> in;
  Output<Vector<T, VectorLayout::SPAN, 16>> out;
  bool compute() {
    const unsigned from = reinterpret_cast<unsigned>(&in[0]), to = reinterpret_cast<unsigned>(&out[0]);
    const bool right = from % 8 == 0 && to % 16 == 0 && from / 0x2000 != to / 0x2000;
    for (unsigned i = 0; i < out.size(); ++i) out[i] = right ? in[i] : T(99);
    return true;
  }
};
)code",
                 all_equal,
                 [](Kind, Edges& e, Values&) {
                   e[1][0] = e[0][0];
                   return true;
                 }});
  all.push_back({"Tick",
                 {Kind::kInt},  // the state outlives the execution
                 {{"out", Access::kOutput, Arity::kScalar, {}}},
                 "runs",
                 R"(class Tick : public Vertex {
 public:
  Output<T> out;
  T runs;
  bool compute() {
    *out = ++runs;
    return runs % 2 == 0;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values& state) {
                   e[0][0][0] = state[0] = add(kind, state[0], 1);
                   return state[0] % 2 == 0;
                 }});
  all.push_back({"Workers",
                 {Kind::kInt, Kind::kFloat},
                 {{"in", Access::kInput, Arity::kVector, {}}, {"out", Access::kOutput, Arity::kVector, {}}},
                 nullptr,
                 R"(class Workers : public MultiVertex {
 public:
  Input<Vector<T>> in;
  Output<Vector<T>> out;
  bool compute(unsigned worker) {
    for (unsigned i = worker; i < out.size(); i += 6) out[i] = in[i] + T(i);
    return true;
  }
};
)",
                 all_equal,
                 [](Kind kind, Edges& e, Values&) {
                   for (std::size_t i = 0; i < e[1][0].size(); ++i)
                     e[1][0][i] = add(kind, e[0][0][i], element(kind, static_cast<double>(i)));
                   return true;
                 }});
  all.push_back({"Overseer",
                 {Kind::kInt, Kind::kUnsignedChar},
                 {{"in", Access::kInput, Arity::kVector, {}}, {"out", Access::kInOut, Arity::kScalar, {}}},
                 nullptr,
                 R"(class Overseer : public SupervisorVertex {
 public:
  Input<Vector<T>> in;
  InOut<T> out;
  bool compute() {
    T sum = *out;
    for (unsigned i = 0; i < in.size(); ++i) sum = sum + in[i];
    *out = sum;
    return sum % 2 == 0;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values&) {
                   std::uint64_t& sum = e[1][0][0];
                   for (const std::uint64_t x : e[0][0]) sum = add(kind, sum, x);
                   return sum % 2 == 0;
                 }});
  all.push_back({"CountDown",
                 {Kind::kInt},  // ends loops
                 {{"left", Access::kInOut, Arity::kScalar, {}},
                  {"more", Access::kOutput, Arity::kScalar, Kind::kBool},
                  {"done", Access::kOutput, Arity::kScalar, Kind::kBool}},
                 nullptr,
                 R"(class CountDown : public Vertex {
 public:
  InOut<T> left;
  Output<bool> more, done;
  bool compute() {
    *left = *left - 1;
    *more = *left > 0;
    *done = *left <= 0;
    return *left > 0;
  }
};
)",
                 anything,
                 [](Kind kind, Edges& e, Values&) {
                   std::uint64_t& left = e[0][0][0];
                   left = add(kind, left, element(kind, -1));
                   const bool more = as_integer(kind, left) > 0;
                   e[1][0][0] = more ? 1 : 0;
                   e[2][0][0] = more ? 0 : 1;
                   return more;
                 }});
  return all;
}

}  // namespace

const std::vector<Codelet>& codelets() {
  static const std::vector<Codelet> all = table();
  return all;
}

const Codelet& codelet(const std::string& name) {
  for (const Codelet& one : codelets())
    if (one.name == name) return one;
  throw std::logic_error("no codelet " + name);
}

std::string vertex_name(const Instance& instance) { return instance.first + "<" + info(instance.second).device + ">"; }

const std::vector<Instance>& instances() {
  static const std::vector<Instance> all = [] {
    std::vector<Instance> made;
    for (const Codelet& one : codelets())
      for (const Kind kind : one.kinds) made.emplace_back(one.name, kind);
    return made;
  }();
  return all;
}

std::string codelet_source(const std::set<Instance>& wanted) {
  std::string text = "#include <poplar/Vertex.hpp>\nusing namespace poplar;\n\n";
  for (const Codelet& one : codelets()) {
    std::string instantiated;
    for (const Kind kind : one.kinds)
      if (wanted.count({one.name, kind}) > 0) instantiated += "template class " + vertex_name({one.name, kind}) + ";\n";
    if (!instantiated.empty()) text += std::string("template <class T>\n") + one.text + instantiated + "\n";
  }
  return text;
}

}  // namespace tessera::test
