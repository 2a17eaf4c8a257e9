#include "tests/libs/popops/generated/judge.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <stdexcept>

namespace popops_test {

using poplar::program::Sequence;

namespace {

Device attached() {
  Device device = IPUModel("mk2-4").createDevice();
  if (!device.attach()) throw std::runtime_error("there is no machine of 4 tiles");
  return device;
}

std::vector<unsigned char> bytes_of(Type type, const Values& values) {
  std::vector<unsigned char> out(values.size() * size_of(type));
  with_type(type, [&](auto zero) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      using T = decltype(zero);
      T value;
      if constexpr (std::is_same_v<T, half>)
        value = half(static_cast<float>(values[i]));
      else
        value = static_cast<T>(values[i]);
      std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
    }
  });
  return out;
}

Values values_of(Type type, const std::vector<unsigned char>& bytes) {
  Values out;
  with_type(type, [&](auto value) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof value) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
      out.push_back(to_double(value));
    }
  });
  return out;
}

Tensor seen(const Case& c, const std::vector<Tensor>& variables, const View& view) {
  Tensor t = variables[view.variable];
  for (const ViewOp& op : view.ops) {
    const Shape& at = op.at;
    const auto number = [&](std::size_t i) { return static_cast<unsigned>(at[i]); };
    switch (op.is) {
      case ViewOp::Is::kReshape:
        t = t.reshape(at);
        break;
      case ViewOp::Is::kDimShuffle:
        t = t.dimShuffle(std::vector<unsigned>(at.begin(), at.end()));
        break;
      case ViewOp::Is::kSlice:
        t = t.slice(at[0], at[1], number(2));
        break;
      case ViewOp::Is::kReverse:
        t = t.reverse(number(0));
        break;
      case ViewOp::Is::kSubSample:
        t = t.subSample(number(0), number(1));
        break;
      case ViewOp::Is::kBroadcast:
        t = t.broadcast(number(0), number(1));
        break;
      case ViewOp::Is::kConcat:
        t = concat(t, seen(c, variables, op.other[0]), number(0));
        break;
    }
  }
  return t;
}

// The vertices that the library brings compiled, by the type of their operands.
const std::pair<Type, const char*> kPrebuilt[] = {
    {FLOAT, "float"}, {HALF, "half"}, {INT, "int"}, {UNSIGNED_INT, "uint"}, {BOOL, "bool"}};

bool has(const Case& c, Type type) {
  return std::any_of(c.variables.begin(), c.variables.end(), [&](const Variable& v) { return v.type == type; });
}

// A case in a graph.
struct Placed {
  std::vector<Tensor> variables;
  Tensor out, out2;
  std::string prefix, wrong;
};

Placed place(Graph& graph, Sequence& prog, const Case& c, const std::string& prefix) {
  Placed placed;
  placed.prefix = prefix;
  try {
    placed.variables = add_variables(graph, c, prefix);
    Sequence own;
    Call call{graph, own, c, add_tensors(c, placed.variables), {}, {}, ""};
    operators()[c.op].call(call);
    placed.out = call.out;
    placed.out2 = call.out2;
    const auto read = [&](const Tensor& t, const std::string& name) {
      if (t.valid() && t.numElements() != 0) graph.createHostRead(prefix + name, t);
    };
    read(placed.out, "out");
    read(placed.out2, "out2");
    for (std::size_t i = 0; i < placed.variables.size(); ++i)
      if (!c.variables[i].constant) read(placed.variables[i], std::to_string(i));
    prog.add(own);
  } catch (const std::exception& error) {
    placed.wrong = std::string("is refused: ") + error.what();
  }
  return placed;
}

Values read(Engine& engine, const Tensor& t, const std::string& handle) {
  std::vector<unsigned char> bytes(t.numElements() * size_of(t.elementType()));
  if (!bytes.empty()) engine.readTensor(handle, bytes.data(), bytes.data() + bytes.size());
  return values_of(t.elementType(), bytes);
}

std::string check_result(Engine& engine, const Tensor& t, const std::string& handle, const Expected& expected) {
  if (!t.valid()) return "there is no result";
  if (t.elementType() != expected.type)
    return std::string("the result is of type ") + name_of(t.elementType()) + ", not " + name_of(expected.type);
  if (t.shape() != expected.shape) return "the result is of shape " + t.shapeToString();
  return compare(expected, read(engine, t, handle));
}

// Variables afterwards: what the call writes, and everything else as it was.
std::vector<Expected> variables_after(const Case& c, const Expectation& expectation) {
  std::vector<Expected> out;
  for (const Variable& v : c.variables) out.push_back({v.type, v.shape, v.values, Values(v.values.size(), 0.0)});
  for (const auto& [tensor, expected] : expectation.writes) {
    const Shown shown = c.show(tensor);
    if (expected.values.size() != shown.places.size())
      throw std::logic_error("the reference writes " + std::to_string(expected.values.size()) + " elements to " +
                             std::to_string(shown.places.size()));
    for (std::size_t i = 0; i < shown.places.size(); ++i) {
      Expected& variable = out[shown.places[i].variable];
      variable.values[shown.places[i].element] = expected.values[i];
      variable.slack[shown.places[i].element] = expected.slack.empty() ? 0 : expected.slack[i];
    }
  }
  return out;
}

std::string check(Engine& engine, const Placed& placed, const Case& c, const Expectation& expectation) {
  const Tensor* const results[] = {&placed.out, &placed.out2};
  const char* const names[] = {"out", "out2"};
  for (std::size_t i = 0; i < expectation.results.size(); ++i) {
    const std::string wrong = check_result(engine, *results[i], placed.prefix + names[i], expectation.results[i]);
    if (!wrong.empty()) return std::string(names[i]) + ": " + wrong;
  }
  const std::vector<Expected> after = variables_after(c, expectation);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (c.variables[i].constant) continue;
    const std::string wrong = compare(after[i], read(engine, placed.variables[i], placed.prefix + std::to_string(i)));
    if (!wrong.empty()) return "v" + std::to_string(i) + ": " + wrong;
  }
  return "";
}

}  // namespace

std::vector<Tensor> add_variables(Graph& graph, const Case& c, const std::string& prefix) {
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < c.variables.size(); ++i) {
    const Variable& v = c.variables[i];
    const std::string name = prefix + "v" + std::to_string(i);
    Tensor t = v.constant ? Tensor() : graph.addVariable(v.type, v.shape, name);
    if (!v.values.empty()) {
      const std::vector<unsigned char> bytes = bytes_of(v.type, v.values);
      with_type(v.type, [&](auto zero) {
        using T = decltype(zero);
        const std::unique_ptr<T[]> values(new T[v.values.size()]);
        std::memcpy(values.get(), bytes.data(), bytes.size());
        if (v.constant)
          t = graph.addConstant(v.type, v.shape, values.get(), name);
        else
          graph.setInitialValue(t, values.get(), v.values.size(), TypeTraits::make<T>());
      });
    }
    std::size_t at = 0;
    for (const Piece& piece : v.mapping) {
      graph.setTileMapping(t.flatten().slice(at, at + piece.elements), piece.tile);
      at += piece.elements;
    }
    out.push_back(t);
  }
  return out;
}

std::vector<Tensor> add_tensors(const Case& c, const std::vector<Tensor>& variables) {
  std::vector<Tensor> out;
  for (const View& view : c.tensors) out.push_back(seen(c, variables, view));
  return out;
}

Judge::Judge(Reference instead) : device_(attached()), instead_(std::move(instead)) {}

Expectation Judge::expected(const Case& c) const { return instead_ ? instead_(c) : operators()[c.op].reference(c); }

std::vector<std::string> Judge::judge(const std::vector<Case>& cases) {
  std::vector<const Case*> all;
  for (const Case& c : cases) all.push_back(&c);
  return run_or_split(all);
}

std::vector<std::string> Judge::run_or_split(const std::vector<const Case*>& cases) {
  try {
    return run(cases);
  } catch (const std::exception& error) {
    if (cases.size() == 1) return {std::string("fails: ") + error.what()};
  }
  std::vector<std::string> out;
  const auto middle = cases.begin() + static_cast<std::ptrdiff_t>(cases.size() / 2);
  for (const auto& part :
       {std::vector<const Case*>(cases.begin(), middle), std::vector<const Case*>(middle, cases.end())})
    for (const std::string& wrong : run_or_split(part)) out.push_back(wrong);
  return out;
}

std::vector<std::string> Judge::run(const std::vector<const Case*>& cases) {
  Graph graph(device_);
  for (const auto& [type, library] : kPrebuilt)
    if (std::any_of(cases.begin(), cases.end(), [&, t = type](const Case* c) { return has(*c, t); }))
      graph.addCodelets(std::string(PREBUILT_VERTICES "/") + library + ".gp");
  Sequence prog;
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < cases.size(); ++i)
    placed.push_back(place(graph, prog, *cases[i], std::to_string(i) + "."));
  Engine engine(graph, prog);
  engine.load(device_);
  engine.run();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < cases.size(); ++i)
    out.push_back(placed[i].wrong.empty() ? check(engine, placed[i], *cases[i], expected(*cases[i])) : placed[i].wrong);
  return out;
}

}  // namespace popops_test
