#include "tests/libs/popops/generated/print_cpp.h"

#include <cmath>
#include <cstdio>
#include <poplar/IPUModel.hpp>
#include <sstream>

#include "tests/libs/popops/generated/judge.h"

namespace popops_test {
namespace {

std::string text_of(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  if (value == 0 && std::signbit(value)) return "-0.0";
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string list_of(const Values& values) {
  std::string text = "{";
  for (const double value : values) text += (text.size() > 1 ? ", " : "") + text_of(value);
  return text + "}";
}

std::string list_of(const Shape& shape) {
  std::string text = "{";
  for (const std::size_t d : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(d);
  return text + "}";
}

std::string text_of(const View& view) {
  std::string text = "v" + std::to_string(view.variable);
  for (const ViewOp& op : view.ops) {
    const auto at = [&](std::size_t i) { return std::to_string(op.at[i]); };
    switch (op.is) {
      case ViewOp::Is::kReshape:
        text += ".reshape(" + list_of(op.at) + ")";
        break;
      case ViewOp::Is::kDimShuffle:
        text += ".dimShuffle(" + list_of(op.at) + ")";
        break;
      case ViewOp::Is::kSlice:
        text += ".slice(" + at(0) + ", " + at(1) + ", " + at(2) + ")";
        break;
      case ViewOp::Is::kReverse:
        text += ".reverse(" + at(0) + ")";
        break;
      case ViewOp::Is::kSubSample:
        text += ".subSample(" + at(0) + ", " + at(1) + ")";
        break;
      case ViewOp::Is::kBroadcast:
        text += ".broadcast(" + at(0) + ", " + at(1) + ")";
        break;
      case ViewOp::Is::kConcat:
        text = "concat(" + text + ", " + text_of(op.other[0]) + ", " + at(0) + ")";
        break;
    }
  }
  return text;
}

// The statements of the call, as the library is called; "" if it is refused.
std::string statements(const Case& c) {
  Device device = IPUModel("mk2-4").createDevice();
  Graph graph(device.getTarget());
  poplar::program::Sequence prog;
  Call call{graph, prog, c, add_tensors(c, add_variables(graph, c, "")), {}, {}, ""};
  try {
    operators()[c.op].call(call);
  } catch (const std::exception&) {
    // The statement that is refused has been written down.
  }
  return call.text;
}

const char* cpp_of(Type type) {
  if (type == FLOAT) return "float";
  if (type == HALF) return "half";
  if (type == INT) return "int";
  if (type == UNSIGNED_INT) return "unsigned";
  if (type == SHORT) return "short";
  if (type == UNSIGNED_SHORT) return "unsigned short";
  if (type == SIGNED_CHAR) return "signed char";
  if (type == UNSIGNED_CHAR) return "unsigned char";
  return "bool";
}

const char kHead[] = R"(#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <popops/AllTrue.hpp>
#include <popops/Cast.hpp>
#include <popops/CircBuf.hpp>
#include <popops/DynamicSlice.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Encoding.hpp>
#include <popops/Fill.hpp>
#include <popops/Gather.hpp>
#include <popops/GatherStatistics.hpp>
#include <popops/Loop.hpp>
#include <popops/NaN.hpp>
#include <popops/NormaliseImage.hpp>
#include <popops/Pad.hpp>
#include <popops/Rearrange.hpp>
#include <popops/Reduce.hpp>
#include <popops/ScaledAdd.hpp>
#include <popops/Scatter.hpp>
#include <popops/SelectScalarFromRows.hpp>
#include <popops/SequenceSlice.hpp>
#include <popops/Sort.hpp>
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <popops/TopK.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <popops/Zero.hpp>

using namespace poplar;
using namespace poplar::program;

template <class T>
Tensor variable(Graph& graph, Type type, const std::vector<std::size_t>& shape, const std::vector<double>& values,
                bool constant) {
  std::unique_ptr<T[]> data(new T[values.size()]);
  for (std::size_t i = 0; i < values.size(); ++i) data[i] = static_cast<T>(values[i]);
  if (constant) return graph.addConstant(type, shape, data.get());
  Tensor t = graph.addVariable(type, shape);
  if (!values.empty()) graph.setInitialValue(t, data.get(), values.size(), TypeTraits::make<T>());
  return t;
}

// Infinity as the number that would follow the largest.
template <class T>
double on_the_line(double value) {
  const double beyond = std::ldexp(1, sizeof(T) == 2 ? 16 : 128);
  return std::max(-beyond, std::min(value, beyond));
}

template <class T>
bool differs(Engine& engine, const std::string& name, const std::vector<double>& values,
             const std::vector<double>& slack) {
  std::unique_ptr<T[]> got(new T[values.size()]);
  engine.readTensor(name, got.get(), got.get() + values.size());
  bool found = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double is = static_cast<double>(got[i]), wanted = values[i];
    const bool same = is == wanted ? std::signbit(is) == std::signbit(wanted) : std::isnan(is) && std::isnan(wanted);
    if (same) continue;
    if (!slack.empty() && !std::isinf(wanted) && std::fabs(on_the_line<T>(is) - on_the_line<T>(wanted)) <= slack[i])
      continue;
    std::cout << name << ": element " << i << " is " << is << ", not " << wanted << '\n';
    found = true;
  }
  return found;
}

int main() {
  Device device = IPUModel("mk2-4").createDevice();
  device.attach();
  Graph graph(device);
  Sequence prog;
)";

}  // namespace

std::string print_cpp(const Case& c, const Expectation& expected, const std::string& failure) {
  std::ostringstream os;
  os << "// " << operators()[c.op].name << ": " << failure << "\n" << kHead;
  for (std::size_t i = 0; i < c.variables.size(); ++i) {
    const Variable& v = c.variables[i];
    os << "  Tensor v" << i << " = variable<" << cpp_of(v.type) << ">(graph, " << name_of(v.type) << ", "
       << list_of(v.shape) << ", " << list_of(v.values) << ", " << (v.constant ? "true" : "false") << ");\n";
    std::size_t at = 0;
    for (const Piece& piece : v.mapping) {
      os << "  graph.setTileMapping(v" << i << ".flatten().slice(" << at << ", " << at + piece.elements << "), "
         << piece.tile << ");\n";
      at += piece.elements;
    }
  }
  for (std::size_t i = 0; i < c.tensors.size(); ++i)
    os << "  Tensor " << name_of_tensor(i) << " = " << text_of(c.tensors[i]) << ";\n";
  for (const Parameter& p : c.parameters)
    if (!p.cpp_type.empty()) os << "  " << p.cpp_type << " " << p.name << " = " << p.text << ";\n";
  os << "  Tensor out, out2;\n";
  std::istringstream lines(statements(c));
  for (std::string line; std::getline(lines, line);) os << "  " << line << "\n";
  std::ostringstream checks;
  const auto check = [&](const std::string& name, const Expected& e) {
    if (e.values.empty()) return;
    os << "  graph.createHostRead(\"" << name << "\", " << name << ");\n";
    checks << "  found |= differs<" << cpp_of(e.type) << ">(engine, \"" << name << "\", " << list_of(e.values) << ", "
           << list_of(e.slack) << ");\n";
  };
  for (std::size_t i = 0; i < expected.results.size(); ++i) check(i == 0 ? "out" : "out2", expected.results[i]);
  for (const auto& [tensor, write] : expected.writes) check(name_of_tensor(tensor), write);
  os << "  Engine engine(graph, prog);\n  engine.load(device);\n  engine.run();\n  bool found = false;\n"
     << checks.str() << "  return found ? 1 : 0;\n}\n";
  return os.str();
}

}  // namespace popops_test
