// Five operators of popops on 64 x 32 floats: prints their result, and the seconds to build the graph and its engine.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <vector>

using namespace poplar;

int main() {
  std::vector<Device> devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1);
  Device device = std::move(devices.at(0));
  device.attach();
  const auto start = std::chrono::steady_clock::now();
  Graph graph(device.getTarget());
  popops::addCodelets(graph);
  const std::size_t rows = 64, columns = 32;
  Tensor a = graph.addVariable(FLOAT, {rows, columns}, "a"), b = graph.addVariable(FLOAT, {rows, columns}, "b");
  poputil::mapTensorLinearly(graph, a);
  poputil::mapTensorLinearly(graph, b);
  program::Sequence prog;
  Tensor sum = popops::add(graph, a, b, prog, "sum");
  Tensor product = popops::mul(graph, sum, a, prog, "product");
  Tensor bent = popops::tanh(graph, product, prog, "bent");
  Tensor difference = popops::sub(graph, bent, b, prog, "difference");
  Tensor total = popops::reduce(graph, difference, {0, 1}, popops::ReduceParams(popops::Operation::ADD), prog, "total");
  graph.createHostWrite("a", a);
  graph.createHostWrite("b", b);
  graph.createHostRead("total", total);
  Engine engine(graph, prog);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  engine.load(device);
  std::vector<float> as(rows * columns), bs(as.size());
  double expected = 0;
  for (std::size_t i = 0; i < as.size(); ++i) {
    as[i] = static_cast<float>(i % 7) / 8;
    bs[i] = static_cast<float>(i % 5) / 4;
    expected += std::tanh((as[i] + bs[i]) * as[i]) - bs[i];
  }
  engine.writeTensor("a", as.data(), as.data() + as.size());
  engine.writeTensor("b", bs.data(), bs.data() + bs.size());
  engine.run(0);
  float got = 0;
  engine.readTensor("total", &got, &got + 1);
  const bool right = std::fabs(got - expected) < 1e-3 * std::fabs(expected);
  std::printf("%s\n%.3f\n", right ? "right" : "wrong", seconds);
  return right ? 0 : 1;
}
