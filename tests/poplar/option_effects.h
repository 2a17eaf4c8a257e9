// A graph whose runs tests of options look at, on a device of what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "scaling.h"

namespace tessera::test {

struct OptionEffects {
  Device device = attach();
  Graph graph{device.getTarget()};
  ComputeSet set = graph.addComputeSet("set");

  OptionEffects() { graph.addCodelets(OPTION_CODELETS); }

  void place(const Tensor& tensor, unsigned tile) { graph.setTileMapping(tensor, tile); }
  void vertex(const char* codelet, unsigned tile, ArrayRef<ConnectionDesc> fields) {
    graph.setTileMapping(graph.addVertex(set, codelet, fields), tile);
  }
  template <class T>
  std::vector<T> result(const OptionFlags& options, const Tensor& tensor, const std::string& handle) {
    Engine engine(graph, Execute(set), options);
    engine.load(device);
    engine.run();
    std::vector<T> values(tensor.numElements());
    engine.readTensor(handle, values.data(), values.data() + values.size());
    return values;
  }
  static std::string summary(Engine& engine, const OptionFlags& options = {}) {
    std::ostringstream text;
    engine.printProfileSummary(text, options);
    return text.str();
  }
};

}  // namespace tessera::test
