// A program as people write their first: a codelet of its own, operators of popops, a stream in and one out.
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <popops/ElementWise.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>
#include <poputil/TileMapping.hpp>
#include <sstream>
#include <vector>

using namespace poplar;

int main() {
  std::vector<Device> devices = DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1);
  Device device = std::move(devices.at(0));
  device.attach();
  Graph graph(device.getTarget());
  popops::addCodelets(graph);
  std::stringstream codelet(
      "#include <poplar/Vertex.hpp>\n"
      "struct Scale : poplar::Vertex {\n"
      "  poplar::InOut<poplar::Vector<float>> x;\n"
      "  float factor;\n"
      "  bool compute() { for (float& v : x) v *= factor; return true; }\n"
      "};\n");
  graph.addCodelets(codelet);
  Tensor x = graph.addVariable(FLOAT, {1024}, "x");
  poputil::mapTensorLinearly(graph, x);
  DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 1024), out = graph.addDeviceToHostFIFO("out", FLOAT, 1);
  program::Sequence prog;
  prog.add(program::Copy(in, x));
  ComputeSet scale = graph.addComputeSet("scale");
  const auto mapping = graph.getTileMapping(x);
  for (unsigned tile = 0; tile < mapping.size(); ++tile)
    for (const Interval& region : mapping[tile]) {
      VertexRef v = graph.addVertex(scale, "Scale", {{"x", x.slice(region)}});
      graph.setInitialValue(v["factor"], 2.0f);
      graph.setTileMapping(v, tile);
    }
  prog.add(program::Execute(scale));
  Tensor y = popops::add(graph, x, 1.0f, prog, "y");
  Tensor sum = popops::reduce(graph, y, {0}, popops::ReduceParams(popops::Operation::ADD), prog, "sum");
  prog.add(program::Copy(sum, out));
  Engine engine(graph, prog);
  std::vector<float> values(1024, 0.5f), result(1);
  engine.connectStream("in", values.data(), values.data() + values.size());
  engine.connectStream("out", result.data(), result.data() + 1);
  engine.load(device);
  engine.run(0);
  return result[0] == 2048 ? 0 : 1;
}
