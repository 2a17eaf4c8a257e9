// Control flow decided on the device: counting down in a loop, choosing a branch, calling a function.
#ifdef __POPC__
#include <poplar/Vertex.hpp>

class CountDown : public poplar::Vertex {
 public:
  poplar::InOut<int> counter;
  poplar::Output<bool> more;

  bool compute() {
    *counter = *counter - 1;
    *more = *counter > 0;
    return true;
  }
};

class AddTo : public poplar::Vertex {
 public:
  poplar::InOut<int> total;
  int amount;

  bool compute() {
    *total += amount;
    return true;
  }
};

#else
#include <iostream>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>

#include "attach.h"

using namespace poplar;
using namespace poplar::program;

int main() {
  Device device = attach_ipu();
  Graph graph(device.getTarget());
  graph.addCodelets(__FILE__);

  Tensor counter = graph.addVariable(INT, {}, "counter");
  Tensor more = graph.addVariable(BOOL, {}, "more");
  Tensor total = graph.addVariable(INT, {}, "total");
  Tensor no = graph.addConstant<bool>(BOOL, {}, false);
  graph.setTileMapping(counter, 1);
  graph.setTileMapping(more, 1);
  graph.setTileMapping(total, 2);
  graph.setTileMapping(no, 3);
  graph.setInitialValue(counter, 5);
  graph.setInitialValue(total, 0);

  auto vertex_in_set = [&](const char* name, const char* type, unsigned tile) {
    ComputeSet set = graph.addComputeSet(name);
    VertexRef vertex = graph.addVertex(set, type);
    graph.setTileMapping(vertex, tile);
    return std::make_pair(set, vertex);
  };
  auto count_down = vertex_in_set("countDown", "CountDown", 1);
  graph.connect(count_down.second["counter"], counter);
  graph.connect(count_down.second["more"], more);
  auto add = [&](const char* name, int amount) {
    auto made = vertex_in_set(name, "AddTo", 2);
    graph.connect(made.second["total"], total);
    graph.setInitialValue(made.second["amount"], amount);
    return Execute(made.first);
  };
  Execute add_one = add("addOne", 1);
  Function add_ten = graph.addFunction(Sequence({add("addTen", 10)}));

  Sequence program;
  program.add(RepeatWhileTrue(Execute(count_down.first), more, add_one));
  program.add(PrintTensor("counted", total));
  program.add(Repeat(3, Call(add_ten)));
  program.add(PrintTensor("repeated", total));
  program.add(If(no, add("addThousand", 1000), add("addHundred", 100)));
  program.add(PrintTensor("chosen", total));

  Engine engine(graph, program);
  engine.setPrintTensorStream(std::cout);
  engine.load(device);
  engine.run();
}
#endif
