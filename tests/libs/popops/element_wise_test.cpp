// Expressions over tensors of any shape and mapping: broadcasting, in place, into views, with numbers; and misuse.
#include <algorithm>
#include <functional>
#include <numeric>
#include <popops/Cast.hpp>
#include <popops/ElementWise.hpp>
#include <popops/ElementWiseUtil.hpp>
#include <popops/Fill.hpp>
#include <popops/Loop.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Zero.hpp>
#include <popops/codelets.hpp>
#include <poputil/Broadcast.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

#include "tests/libs/popops/on_model.h"

using namespace popops_test;
using poputil::poplibs_error;
using Shape = std::vector<std::size_t>;
namespace expr = popops::expr;
using expr::_1;
using expr::_2;
using expr::_3;

namespace {

std::size_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}

class Mapped : public OnModel {
 public:
  // Small integers: sums and products are exact in every type.
  Values values(std::size_t n) {
    Values out(n);
    for (double& v : out) v = static_cast<double>(static_cast<int>(random() % 17)) - 8;
    return out;
  }
  Shape random_shape() {
    Shape shape;
    for (unsigned rank = random() % 4; rank-- > 0;) shape.push_back(random() % 10 == 0 ? 0 : 1 + random() % 6);
    return shape;
  }
  // A shape that is broadcast to this one.
  Shape narrower(const Shape& shape) {
    Shape out(shape.begin() + static_cast<std::ptrdiff_t>(random() % (shape.size() + 1)), shape.end());
    for (std::size_t& d : out) d = random() % 3 == 0 ? 1 : d;
    return out;
  }
};

// The value of each element of the common shape.
Values broadcast(const Values& values, const Shape& shape, const Shape& all) {
  Values out(elements(all));
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t rest = i, at = 0, stride = 1;
    for (std::size_t d = 0; d < all.size(); ++d) {
      const std::size_t size = all[all.size() - 1 - d], coordinate = rest % size;
      rest /= size;
      if (d >= shape.size()) continue;
      const std::size_t own = shape[shape.size() - 1 - d];
      at += own == 1 ? 0 : coordinate * stride;
      stride *= own;
    }
    out[i] = values[at];
  }
  return out;
}

}  // namespace

TEST_CASE_METHOD(Mapped, "random shapes, mappings and views") {
  struct Case {
    Values right;
    std::string handle;
  };
  std::vector<Case> cases;
  Sequence prog;
  for (int i = 0; i < rounds(120); ++i) {
    const Type type = std::vector<Type>{FLOAT, HALF, INT}[random() % 3];
    const Shape all = random_shape();
    Shape narrow = narrower(all);
    const Values a = values(elements(all)), b = values(elements(narrow));
    const std::string name = std::to_string(i);
    // Some are views: of a transposed variable, of one that is read backwards.
    Tensor x = tensor(type, all, a, "x" + name);
    if (x.rank() == 2 && random() % 2 == 0) {
      const Tensor other = graph.addVariable(type, {all[1], all[0]}, "transposed" + name);
      spread(other);
      x = other.transpose();
      write(x, a);
    }
    Tensor y = tensor(type, narrow, b, "y" + name);
    const Values full = broadcast(b, narrow, all);
    Values right(a.size());
    const bool swapped = random() % 2 == 0;
    for (std::size_t k = 0; k < right.size(); ++k) right[k] = swapped ? full[k] * 2 - a[k] : a[k] * 2 - full[k];
    const auto expression = _1 * 2 - _2;
    const std::vector<Tensor> inputs = swapped ? std::vector<Tensor>{y, x} : std::vector<Tensor>{x, y};
    Tensor out;
    switch (random() % 3) {
      case 0:
        out = popops::map(graph, expression, inputs, prog, "map" + name);
        break;
      case 1:
        out = tensor(type, all, {}, "out" + name);
        popops::mapWithOutput(graph, expression, inputs, out, prog, "map" + name);
        break;
      default:
        if (swapped) {
          out = popops::map(graph, expression, inputs, prog, "map" + name);
          break;
        }
        popops::mapInPlace(graph, expression, inputs, prog, "map" + name);
        out = x;
    }
    CAPTURE(i, type, all, narrow, swapped);
    REQUIRE(out.shape() == all);
    REQUIRE(out.elementType() == type);
    if (right.empty()) continue;
    read(out, name);
    cases.push_back({right, name});
  }
  const auto got = run(prog);
  CHECK(cases.size() > static_cast<std::size_t>(rounds(80)));
  for (const Case& c : cases) {
    CAPTURE(c.handle);
    CHECK(got.at(c.handle) == c.right);
  }
}

TEST_CASE_METHOD(Mapped, "numbers beside tensors") {
  popops::addCodelets(graph);
  Sequence prog;
  const Tensor x = tensor(INT, {3}, {1, 2, 3}, "x"), h = tensor(HALF, {3}, {1, 2, 4}, "h"),
               p = tensor(BOOL, {3}, {0, 1, 0}, "p");
  read(popops::sub(graph, x, 5, prog), "x-5");
  read(popops::sub(graph, 5, x, prog), "5-x");
  read(popops::div(graph, 1, h, prog), "1/h");
  read(popops::mul(graph, h, 0.5, prog), "h*0.5");
  read(popops::gt(graph, x, 2u, prog), "x>2");
  read(popops::logicalOr(graph, p, true, prog), "p||true");
  const Tensor out = tensor(INT, {3}, {}, "out");
  popops::addWithOutput(graph, 10, x, out, prog);
  read(out, "10+x");
  popops::mulInPlace(graph, x, 2, prog);
  read(x, "2x");
  const auto got = run(prog);
  CHECK(got.at("x-5") == Values{-4, -3, -2});
  CHECK(got.at("5-x") == Values{4, 3, 2});
  CHECK(got.at("1/h") == Values{1, 0.5, 0.25});
  CHECK(got.at("h*0.5") == Values{0.5, 1, 2});
  CHECK(got.at("x>2") == Values{0, 0, 1});
  CHECK(got.at("p||true") == Values{1, 1, 1});
  CHECK(got.at("10+x") == Values{11, 12, 13});
  CHECK(got.at("2x") == Values{2, 4, 6});
  CHECK_THROWS_WITH(popops::add(graph, x, 0.5, prog),
                    Catch::Matchers::ContainsText("'x'") && Catch::Matchers::ContainsText("with a point"));
}

TEST_CASE_METHOD(Mapped, "an input without some dimensions goes with all elements along them") {
  struct Case {
    std::vector<std::size_t> shape, other;
  };
  const std::vector<Case> cases = {{{6, 20}, {20}},       {{6, 20}, {6, 1}},      {{5, 7}, {7}},
                                   {{5, 7}, {5, 1}},      {{3, 4, 8}, {4, 8}},    {{3, 4, 8}, {4, 1}},
                                   {{3, 5, 7}, {5, 1}},   {{3, 4, 8}, {3, 1, 8}}, {{1, 64, 3}, {64, 1}},
                                   {{2, 1, 50}, {1, 50}}, {{9, 33}, {9, 1}},      {{100}, {1}}};
  Sequence prog;
  std::map<std::string, Values> expected;
  int number = 0;
  for (const Case& c : cases) {
    for (const Type type : {FLOAT, HALF, INT}) {
      std::size_t n = 1, m = 1;
      for (const std::size_t d : c.shape) n *= d;
      for (const std::size_t d : c.other) m *= d;
      Values a(n), b(m), out(n);
      for (double& v : a) v = static_cast<double>(random() % 50);
      for (double& v : b) v = static_cast<double>(random() % 50);
      // The place of the other's element, by its coordinates from the last dimension on.
      for (std::size_t i = 0; i < n; ++i) {
        std::size_t rest = i, place = 0, stride = 1;
        for (std::size_t d = 1; d <= c.shape.size(); ++d) {
          const std::size_t size = c.shape[c.shape.size() - d], at = rest % size;
          rest /= size;
          if (d > c.other.size()) continue;
          const std::size_t own = c.other[c.other.size() - d];
          if (own != 1) place += at * stride;
          stride *= own;
        }
        out[i] = a[i] - b[place];
      }
      const Tensor x = graph.addVariable(type, c.shape, "x"), y = tensor(type, c.other, b, "y");
      poputil::mapTensorLinearly(graph, x, 1, number % 2 == 0 ? 1 : 4);
      write(x, a);
      const std::string name = std::to_string(number++);
      if (number % 3 == 0) {
        popops::mapInPlace(graph, _1 - _2, {x, y}, prog);
        read(x, name);
      } else {
        read(popops::map(graph, _1 - _2, {x, y}, prog), name);
      }
      expected[name] = out;
    }
  }
  const auto got = run(prog);
  for (const auto& e : expected) {
    INFO(e.first);
    CHECK(got.at(e.first) == e.second);
  }
}

TEST_CASE_METHOD(Mapped, "a row subtracted from its own matrix is the row that was there before") {
  Values values(40);
  for (std::size_t i = 0; i < 40; ++i) values[i] = static_cast<double>(i * i % 17);
  const Tensor x = graph.addVariable(FLOAT, {5, 8}, "x");
  poputil::mapTensorLinearly(graph, x, 1, 1);
  write(x, values);
  Sequence prog;
  popops::mapInPlace(graph, _1 - _2, {x, x[2]}, prog);
  read(x, "x");
  Values expected = values;
  for (std::size_t i = 0; i < 40; ++i) expected[i] -= values[16 + i % 8];
  CHECK(run(prog).at("x") == expected);
}

TEST_CASE_METHOD(Mapped, "inputs that share elements with the output see what was there before") {
  Sequence prog;
  const Tensor x = tensor(INT, {6}, {1, 2, 3, 4, 5, 6}, "x");
  popops::mapInPlace(graph, _1 - _2, {x, x.reverse(0)}, prog);
  const Tensor y = tensor(INT, {2, 2}, {1, 2, 3, 4}, "y");
  popops::mapInPlace(graph, _1 + _2, {y, y[0][1]}, prog);
  const Tensor z = tensor(INT, {4}, {1, 2, 3, 4}, "z");
  popops::mapInPlace(graph, _1 * _2, {z, z}, prog);
  const Tensor a = tensor(INT, {3}, {1, 2, 3}, "a"), b = tensor(INT, {3}, {4, 5, 6}, "b");
  popops::mapInPlace(graph, std::vector<expr::Any>{_1 + _2, _1 - _2}, {a, b}, prog);
  for (const auto& t : {std::make_pair("x", x), {"y", y}, {"z", z}, {"a", a}, {"b", b}}) read(t.second, t.first);
  const auto both = popops::map(graph, std::vector<expr::Any>{_1 + 1, -_1}, {a}, prog);
  read(both[0], "a+1");
  read(both[1], "-a");
  const auto got = run(prog);
  CHECK(got.at("x") == Values{-5, -3, -1, 1, 3, 5});
  CHECK(got.at("y") == Values{3, 4, 5, 6});
  CHECK(got.at("z") == Values{1, 4, 9, 16});
  CHECK(got.at("a") == Values{5, 7, 9});
  CHECK(got.at("b") == Values{-3, -3, -3});
  CHECK(got.at("a+1") == Values{6, 8, 10});
  CHECK(got.at("-a") == Values{-5, -7, -9});
}

TEST_CASE_METHOD(Mapped, "casts, fills, scaled sums") {
  Sequence prog;
  const Tensor f = tensor(FLOAT, {5}, {-2.75, -0.5, 0, 0.5, 3.25}, "f");
  read(popops::cast(graph, f, INT, prog), "int");
  read(popops::cast(graph, f, BOOL, prog), "bool");
  read(popops::cast(graph, f, HALF, prog), "half");
  read(popops::cast(graph, f, FLOAT, prog), "float");
  const Tensor i = tensor(INT, {5}, {}, "i");
  prog.add(popops::cast(graph, f, i));
  read(i, "i");
  const ComputeSet cs = graph.addComputeSet("cs");
  const Tensor u = popops::cast(graph, i, FLOAT, cs);
  const Tensor filled = tensor(HALF, {7}, {1, 1, 1, 1, 1, 1, 1}, "filled");
  popops::fill(graph, filled, {{0, 2}, {4, 5}}, 2, cs, 2.5f);
  prog.add(Execute(cs));
  read(u, "u");
  read(filled, "filled");
  const Tensor zeros = tensor(INT, {2, 3}, {1, 2, 3, 4, 5, 6}, "zeros");
  popops::zero(graph, zeros.slice(0, 2, 1), prog);
  read(zeros, "zeros");
  const auto scaled = [&](const std::string& name, Type a, Type b, auto apply) {
    const Tensor x = tensor(a, {4}, {1, 2, 3, 4}, "a" + name), y = tensor(b, {2, 2}, {4, 8, 12, 16}, "b" + name);
    apply(x, y);
    read(x, name);
  };
  const Tensor half_scale = tensor(FLOAT, {}, {0.5}, "scale");
  scaled("add", FLOAT, FLOAT, [&](Tensor a, Tensor b) { popops::scaledAddTo(graph, a, b, 0.25f, prog); });
  scaled("add half", HALF, HALF, [&](Tensor a, Tensor b) { popops::scaledAddTo(graph, a, b, 0.25f, prog); });
  scaled("add mixed", HALF, FLOAT, [&](Tensor a, Tensor b) { popops::scaledAddTo(graph, a, b, half_scale, prog); });
  scaled("subtract", INT, INT, [&](Tensor a, Tensor b) { popops::scaledSubtractFrom(graph, a, b, 2, prog); });
  scaled("both", FLOAT, HALF, [&](Tensor a, Tensor b) { popops::scaledAddTo(graph, a, 2.0f, b, 0.25f, prog); });
  scaled("both tensors", FLOAT, FLOAT,
         [&](Tensor a, Tensor b) { popops::scaledSubtractFrom(graph, a, half_scale, b, half_scale, prog); });
  scaled("special", FLOAT, FLOAT, [&](Tensor a, Tensor b) {
    popops::scaledAddTo(graph, a, 0.5f, b, 0.25f, prog, popops::ScaledAddSpecialisation::X_MINUS_AX_PLUS_BY);
  });
  const auto got = run(prog);
  CHECK(got.at("int") == Values{-2, 0, 0, 0, 3});
  CHECK(got.at("i") == got.at("int"));
  CHECK(got.at("u") == got.at("int"));
  CHECK(got.at("bool") == Values{1, 1, 0, 1, 1});
  CHECK(got.at("half") == Values{-2.75, -0.5, 0, 0.5, 3.25});
  CHECK(got.at("float") == got.at("half"));
  CHECK(got.at("filled") == Values{2.5, 2.5, 1, 1, 2.5, 1, 1});
  CHECK(got.at("zeros") == Values{0, 0, 3, 0, 0, 6});
  CHECK(got.at("add") == Values{2, 4, 6, 8});
  CHECK(got.at("add half") == Values{2, 4, 6, 8});
  CHECK(got.at("add mixed") == Values{3, 6, 9, 12});
  CHECK(got.at("subtract") == Values{-7, -14, -21, -28});
  CHECK(got.at("both") == Values{3, 6, 9, 12});
  CHECK(got.at("both tensors") == Values{-1.5, -3, -4.5, -6});
  CHECK(got.at("special") == Values{1.5, 3, 4.5, 6});
  CHECK_THROWS_WITH(popops::scaledAddTo(graph, f, i, 1.0f, prog),
                    Catch::Matchers::ContainsText("'f'") && Catch::Matchers::ContainsText("'i'"));
  CHECK_THROWS_WITH(popops::scaledAddTo(graph, f, f, f, prog), Catch::Matchers::ContainsText("5 elements"));
  CHECK_THROWS_WITH(popops::scaledAddTo(graph, i, i, 2.5f, prog),
                    Catch::Matchers::ContainsText("'i'") && Catch::Matchers::ContainsText("type int"));
  CHECK_THROWS_AS(popops::scaledAddTo(graph, f, f, 1.0f, prog, {}, {{"no such", "1"}}), invalid_option);
}

TEST_CASE_METHOD(Mapped, "loops count") {
  Sequence prog;
  const auto sum = [&](const std::string& name) {
    const Tensor t = tensor(INT, {}, {0}, name);
    read(t, name);
    return t;
  };
  const auto adding = [&](const Tensor& to) {
    return [this, to](const Tensor& count) {
      Sequence body;
      popops::addInPlace(graph, to, count, body);
      return body;
    };
  };
  prog.add(popops::countedLoop(graph, 5, adding(sum("0..4"))));
  prog.add(popops::countedLoop(graph, 2, 9, 3, adding(sum("2 5 8"))));
  prog.add(popops::countedLoop(graph, 0, adding(sum("none"))));
  const Tensor limit = tensor(INT, {}, {4}, "limit"), count = tensor(INT, {}, {99}, "count");
  Sequence body;
  popops::addInPlace(graph, sum("1 3"), count, body);
  prog.add(popops::countedForLoop(graph, count, 1, limit, 2, body));
  Sequence down;
  popops::addInPlace(graph, sum("turns"), 1, down);
  prog.add(popops::countedForLoop(graph, 10, limit, -3, down));
  const auto got = run(prog);
  CHECK(got.at("0..4") == Values{10});
  CHECK(got.at("2 5 8") == Values{15});
  CHECK(got.at("none") == Values{0});
  CHECK(got.at("1 3") == Values{4});
  CHECK(got.at("turns") == Values{2});
  CHECK_THROWS_AS(popops::countedLoop(graph, 3, 2, 1, adding(limit)), poplibs_error);
  CHECK_THROWS_AS(popops::countedForLoop(graph, 0, limit, 0, body), poplibs_error);
  CHECK_THROWS_WITH(popops::countedForLoop(graph, tensor(FLOAT, {}, {0}, "f"), 0, limit, 1, body),
                    Catch::Matchers::ContainsText("'f'"));
}

TEST_CASE_METHOD(Mapped, "results live where the best spread input does") {
  const Tensor on_one = graph.addVariable(FLOAT, {8}, "one"), spread_out = graph.addVariable(FLOAT, {8}, "spread");
  graph.setTileMapping(on_one, 1);
  for (unsigned i = 0; i < 8; ++i) graph.setTileMapping(spread_out[i], i / 2);
  CHECK(graph.getTileMapping(popops::createOutputForElementWiseOp(graph, {on_one, spread_out}, INT)) ==
        graph.getTileMapping(spread_out));
  const Tensor broadcast = on_one.slice(0, 1).broadcast(8, 0);
  CHECK(graph.getTileMapping(popops::createOutputForElementWiseOp(graph, {broadcast, on_one}, FLOAT)) ==
        graph.getTileMapping(on_one));
  CHECK(popops::createOutputForElementWiseOp(graph, {broadcast}, FLOAT).isParallelWriteable());
  CHECK_THROWS_AS(popops::createOutputForElementWiseOp(graph, {}, FLOAT), poplibs_error);
  CHECK_THROWS_AS(popops::createOutputForElementWiseOp(graph, {on_one, on_one.slice(0, 2)}, FLOAT), poplibs_error);
}

TEST_CASE_METHOD(Mapped, "misuse is told with the names of tensors and operators") {
  Sequence prog;
  const Tensor f = tensor(FLOAT, {3}, {1, 2, 3}, "f"), h = tensor(HALF, {3}, {1, 2, 3}, "h"),
               p = tensor(BOOL, {3}, {1, 0, 1}, "p");
  const Tensor constant = graph.addConstant(FLOAT, {3}, 1.0f, "constant");
  graph.setTileMapping(constant, 0);
  using Catch::Matchers::ContainsText;
  CHECK_THROWS_WITH(popops::add(graph, f, h, prog),
                    ContainsText("float") && ContainsText("half") && ContainsText("Add(_1, _2)"));
  CHECK_THROWS_WITH(popops::add(graph, p, p, prog), ContainsText("Add takes") && ContainsText("not bool"));
  CHECK_THROWS_WITH(popops::logicalNot(graph, f, prog), ContainsText("Not takes bool"));
  CHECK_THROWS_WITH(popops::bitwiseAnd(graph, f, f, prog), ContainsText("an integer type"));
  CHECK_THROWS_WITH(popops::clamp(graph, p, p, p, prog), ContainsText("Clamp"));
  CHECK_THROWS_WITH(popops::select(graph, f, f, f, prog), ContainsText("bool"));
  CHECK_THROWS_WITH(popops::map(graph, _1 + _3, {f, f}, prog), ContainsText("_3") && ContainsText("2 tensors"));
  CHECK_THROWS_WITH(popops::add(graph, f, f.slice(0, 2), prog), ContainsText("'f'"));
  CHECK_THROWS_WITH(popops::addInPlace(graph, constant, f, prog), ContainsText("constant or repeated"));
  CHECK_THROWS_WITH(popops::addInPlace(graph, f.slice(0, 1), f, prog), ContainsText("shape"));
  CHECK_THROWS_WITH(popops::mapWithOutput(graph, _1 > _2, {f, f}, h, prog),
                    ContainsText("type bool") && ContainsText("'h'"));
  CHECK_THROWS_AS(popops::add(graph, f, f, prog, {}, {{"no such", "true"}}), invalid_option);
  CHECK_THROWS_AS(popops::mapInPlace(graph, _1, {}, prog), poplibs_error);
  const ComputeSet cs = graph.addComputeSet("cs");
  CHECK_THROWS_WITH(popops::cast(graph, f.reverse(0), f, cs), ContainsText("share elements"));
}

TEST_CASE_METHOD(Mapped, "expressions have names and texts") {
  const Tensor f = tensor(FLOAT, {3}, {1, 2, 3}, "f");
  const auto e = expr::Max(_1 * 2.5f, expr::Cast(_2, FLOAT)) + expr::Exp(-_1);
  std::ostringstream tree, line;
  tree << e;
  e.print(line, 0, false);
  CHECK(line.str() == "Add(Max(Mul(_1, 2.5:float), Cast<float>(_2)), Exp(Neg(_1)))");
  CHECK(tree.str() ==
        "Add\n  Max\n    Mul\n      _1\n      2.5:float\n    Cast<float>\n      _2\n  Exp\n    Neg\n      _1\n");
  CHECK(e.name({f, f}) == "Add_Max_Mul_float1_C2p5_Cast_float_float2_Exp_Neg_float1");
  CHECK(deepEquals(e, *e.clone()));
  CHECK_FALSE(deepEquals(e, _1 + _2));
  CHECK_FALSE(deepEquals(expr::Const(1), expr::Const(2)));
  CHECK(e.isA<expr::BinaryOp>());
  CHECK(e.getAs<expr::UnaryOp>() == nullptr);
  CHECK(expr::Const(-3).getDataAsDouble() == -3);
  CHECK(expr::Const(-3).printValue() == "-3");
  CHECK(expr::Const(true).printValue() == "true");
  using expr::operator""_half;
  CHECK((0.5_half).getType() == HALF);
  CHECK(expr::Const(2.0).getType() == FLOAT);
  expr::Any any = _1;
  any = e;
  CHECK(any.name({f, f}) == e.name({f, f}));
  std::ostringstream source;
  popops::outputGeneratedCodelet(graph.getTarget(), _1 + _1, {f}, {}, source);
  CHECK(source.str().find("// Add(_1, _1)") == 0);
  // One element beside one is no other vertex than many beside many, which an installation brings compiled.
  std::ostringstream of_many, of_one;
  popops::outputGeneratedCodelet(graph.getTarget(), _1 + _2, {f, f}, {}, of_many);
  popops::outputGeneratedCodelet(graph.getTarget(), _1 + _2, {f[0], f[1]}, {}, of_one);
  CHECK(of_one.str() == of_many.str());
}
