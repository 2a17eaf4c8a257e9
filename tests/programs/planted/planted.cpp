// planted NUMBER: runs one of four programs on tile 2 with the mistake of that number in it (codelets.cpp); 0 of each
// has none.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <string>
#include <vector>

using namespace poplar;
using program::Copy;
using program::Execute;
using program::Sequence;

namespace {

constexpr unsigned kTile = 2, kElements = 8;

struct Scene {
  Graph graph;
  Sequence program;
  int bug;
  bool with(std::initializer_list<int> bugs) const { return std::find(bugs.begin(), bugs.end(), bug) != bugs.end(); }
  // The codelet with the mistake, if it is one of these.
  std::string codelet(const std::string& name, std::initializer_list<int> bugs) const {
    return name + "<" + std::to_string(with(bugs) ? bug : 0) + ">";
  }
  template <class T>
  Tensor values(const std::string& name, const std::vector<T>& values) {
    const Tensor t = variable(name, equivalent_device_type<T>().value, values.size());
    graph.setInitialValue(t, ArrayRef<T>(values));
    return t;
  }
  Tensor variable(const std::string& name, const Type& type, std::size_t n) {
    const Tensor t = graph.addVariable(type, {n}, name);
    graph.setTileMapping(t, kTile);
    return t;
  }
  VertexRef vertex(const std::string& set, const std::string& codelet) {
    const ComputeSet cs = graph.addComputeSet(set);
    const VertexRef v = graph.addVertex(cs, codelet);
    graph.setTileMapping(v, kTile);
    program.add(Execute(cs));
    return v;
  }
};

const std::vector<float> kRamp = {1, 2, 3, 4, 5, 6, 7, 8};

void heat(Scene& s) {
  const Tensor guard = s.values<float>("rod/guard", std::vector<float>(64, 1)), now = s.values<float>("rod/now", kRamp),
               ends = s.values<float>("rod/ends", {0, 9}), next = s.variable("rod/next", FLOAT, kElements),
               behind = s.values<float>("rod/behind", kRamp), forgotten = s.variable("rod/halo", FLOAT, 2);
  const Tensor halo = s.bug == 6 ? forgotten : ends;
  const VertexRef v = s.vertex("heat", s.codelet("Heat", {1, 2, 3, 4, 5, 7, 8}));
  s.graph.connect(v["in"], now);
  s.graph.connect(v["left"], halo[0]);
  s.graph.connect(v["right"], halo[1]);
  s.graph.connect(v["out"], next);
  s.graph.setInitialValue(v["k"], 0.1f);
  s.program.add(Copy(guard.slice(0, 8), behind));
}

void histogram(Scene& s) {
  const Tensor values = s.values<int>("data", {3, 17, 25, s.bug == 16 ? 2000 : 77, 42, 51, 60, 71}),
               bins = s.variable("bins", INT, 8);
  const VertexRef v = s.vertex("histogram", s.codelet("Histogram", {9, 10, 11, 12, 13, 14, 15, 16}));
  s.graph.connect(v["values"], values);
  s.graph.connect(v["bins"], bins);
  s.graph.setInitialValue(v["width"], 10);
}

void rows(Scene& s) {
  const Tensor matrix = s.values<float>("matrix", std::vector<float>(4 * kElements, 2)).reshape({4, kElements}),
               x = s.values<float>("x", kRamp), y = s.variable("y", FLOAT, 4);
  const VertexRef v = s.vertex("multiply", s.codelet("Rows", {17, 18, 19, 20, 21, 22, 23, 24}));
  s.graph.setFieldSize(v["rows"], 4);
  for (unsigned i = 0; i < 4; ++i) s.graph.connect(v["rows"][i], matrix[i]);
  s.graph.connect(v["x"], x);
  s.graph.connect(v["y"], y);
  s.graph.setInitialValue(v["address"], 0u);
}

void softmax(Scene& s) {
  const Tensor given = s.values<float>("scores", kRamp), forgotten = s.variable("copied", FLOAT, kElements),
               nowhere = s.variable("nowhere", FLOAT, kElements), shares = s.variable("shares", FLOAT, kElements);
  if (s.bug == 30) s.program.add(Copy(nowhere, forgotten));
  const VertexRef v = s.vertex("softmax", s.codelet("Softmax", {25, 26, 27, 28, 29}));
  s.graph.connect(v["in"], s.bug == 30 ? forgotten : given);
  s.graph.connect(v["out"], shares);
  s.graph.setInitialValue(v["mode"], s.with({25, 26}) ? 6 : 0);
  if (s.bug == 31) {
    const VertexRef fill = s.vertex("fill", "SharedFill");
    s.graph.connect(fill["out"], shares);
  }
  if (s.bug == 32) {
    const VertexRef count = s.vertex("count", "Counts");
    s.graph.connect(count["out"], s.variable("counts", INT, kElements));
    s.graph.setInitialValue(count["n"], 8);
  }
}

}  // namespace

int main(int, char** argv) {
  const int bug = std::atoi(argv[1]);
  Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).front());
  device.attach();
  Scene scene{Graph(device.getTarget()), {}, bug};
  scene.graph.addCodelets(PLANTED_PROGRAM_CODELETS);
  if (bug <= 8) heat(scene);
  if (bug == 0 || (bug > 8 && bug <= 16)) histogram(scene);
  if (bug == 0 || (bug > 16 && bug <= 24)) rows(scene);
  if (bug == 0 || bug > 24) softmax(scene);
  try {
    Engine engine(scene.graph, scene.program,
                  {{"debug.floatPointOpException", bug == 0 ? "false" : "true"}, {"target.computeBudget", "100000"}});
    engine.load(device);
    engine.run();
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
    return 1;
  }
  std::cout << "came to its end\n";
  return 0;
}
