// printf in codelets: what the host makes of it, in which order, and what is told when there is no room.
#include <catch2/catch.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <sstream>

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr const char* kCodelets = R"(
#include <print.h>
#include <poplar/Vertex.hpp>
using namespace poplar;

class Tells : public Vertex {
 public:
  Input<float> x;
  int number;
  bool compute() {
    printf("vertex %d: %g, half %.2f, %.17g\n", number, *x, static_cast<half>(*x), 0.1);
    return true;
  }
};

class Counts : public MultiVertex {
 public:
  Vector<Output<int>> out;
  bool compute(unsigned worker) {
    for (unsigned i = worker; i < out.size(); i += numWorkers()) *out[i] = i;
    printf("worker %u\n", worker);
    return true;
  }
};

class Types : public Vertex {
 public:
  Input<Vector<char>> text;
  bool compute() {
    static const char word[] = "constant";
    printf("%lld %llu %u|%s|%s|%c%%\n", -5ll, ~0ull, 7u, word, &text[0], 'c');
    printf("%s\n", reinterpret_cast<const char*>(16));
    return true;
  }
};

class Floods : public Vertex {
 public:
  int lines;
  bool compute() {
    for (int i = 0; i < lines; ++i) printf("%d\n", i);
    return true;
  }
};

template <typename T>
class Inline : public Vertex {
 public:
  bool compute() {
    printf("template of %u bytes\n", unsigned(sizeof(T)));
    return true;
  }
};
template class Inline<short>;
template class Inline<float>;

class Excepts : public Vertex {
 public:
  Input<int> zero;
  bool compute() {
    printf("the last words\n");
    *reinterpret_cast<volatile int*>(4) = *zero;
    return true;
  }
};

class Quiet : public Vertex {
 public:
  InOut<int> x;
  bool compute() {
    *x = *x + 1;
    return true;
  }
};
)";

// A program on the machine of the environment, and what its codelets print.
struct Printing {
  Device device = attached();
  Graph graph{device.getTarget()};
  std::ostringstream printed;

  Printing() {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
  }
  static Device attached() {
    Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).front());
    REQUIRE(device.attach());
    return device;
  }
  VertexRef add(ComputeSet set, const std::string& name, unsigned tile) {
    const VertexRef vertex = graph.addVertex(set, name);
    graph.setTileMapping(vertex, tile);
    return vertex;
  }
  Tensor one(float value, unsigned tile) {
    Tensor tensor = graph.addConstant(FLOAT, {}, value);
    graph.setTileMapping(tensor, tile);
    return tensor;
  }
  std::string run(const Program& program) {
    Engine engine(graph, program);
    engine.load(device);
    engine.setPrintStream(printed);
    engine.setPrintTensorStream(printed);
    engine.run(0);
    return printed.str();
  }
};

TEST_CASE("a codelet's printf reaches the stream of the engine, tile by tile") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("tell");
  for (int i = 2; i >= 0; --i) {
    const VertexRef vertex = p.add(set, "Tells", i);
    p.graph.connect(vertex["x"], p.one(1.25f + i, i));
    p.graph.setInitialValue(vertex["number"], i);
  }
  CHECK(p.run(Execute(set)) ==
        "vertex 0: 1.25, half 1.25, 0.10000000000000001\n"
        "vertex 1: 2.25, half 2.25, 0.10000000000000001\n"
        "vertex 2: 3.25, half 3.25, 0.10000000000000001\n");
}

TEST_CASE("workers print in their order") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("count");
  Tensor out = p.graph.addVariable(INT, {12}, "out");
  p.graph.setTileMapping(out, 1);
  p.graph.connect(p.add(set, "Counts", 1)["out"], out);
  CHECK(p.run(Execute(set)) == "worker 0\nworker 1\nworker 2\nworker 3\nworker 4\nworker 5\n");
}

TEST_CASE("integers of 64 bits, constants and tensors as text, characters; a wild address is told") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("types");
  const std::vector<char> letters = {'a', 'b', 'c', 0};
  Tensor text = p.graph.addConstant(CHAR, {4}, ArrayRef<char>(letters));
  p.graph.setTileMapping(text, 0);
  p.graph.connect(p.add(set, "Types", 0)["text"], text);
  CHECK(p.run(Execute(set)) == "-5 18446744073709551615 7|constant|abc|c%\n<no text at 0x10>\n");
}

TEST_CASE("what was printed comes before what the program does next") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("tell"), quiet = p.graph.addComputeSet("quiet");
  p.add(set, "Inline<short>", 0), p.add(set, "Inline<float>", 3);
  Tensor x = p.graph.addVariable(INT, {}, "x");
  p.graph.setTileMapping(x, 2);
  p.graph.setInitialValue(x, 0);
  p.graph.connect(p.add(quiet, "Quiet", 2)["x"], x);
  const Sequence body(Execute(quiet), Execute(set), PrintTensor("x", x));
  const std::string once = "template of 2 bytes\ntemplate of 4 bytes\n";
  CHECK(p.run(Repeat(3, body)) == once + "x: 1\n" + once + "x: 2\n" + once + "x: 3\n");
}

TEST_CASE("no compute set loses what another had no room for; a single one is told how much") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("flood");
  const VertexRef vertex = p.add(set, "Floods", 1);
  p.graph.setInitialValue(vertex["lines"], 64);  // of two words each: all of a buffer of 128
  std::string lines;
  for (int i = 0; i < 64; ++i) lines += std::to_string(i) + "\n";
  CHECK(p.run(Repeat(2, Execute(set))) == lines + lines);

  Printing more;
  const ComputeSet flood = more.graph.addComputeSet("flood");
  more.graph.setInitialValue(more.add(flood, "Floods", 1)["lines"], 67);
  CHECK(more.run(Execute(flood)) == lines + "<tile 1, worker 0: 3 printfs lost, its buffer of 128 words was full>\n");
}

TEST_CASE("what was printed before an exception is given out") {
  Printing p;
  const ComputeSet set = p.graph.addComputeSet("fail");
  Tensor zero = p.graph.addConstant(INT, {}, 0);
  p.graph.setTileMapping(zero, 0);
  p.graph.connect(p.add(set, "Excepts", 0)["zero"], zero);
  CHECK_THROWS_AS(p.run(Execute(set)), application_runtime_error);
  CHECK(p.printed.str() == "the last words\n");
}

TEST_CASE("a program that does not print has no phase for it") {
  Printing p;
  const ComputeSet quiet = p.graph.addComputeSet("quiet"), set = p.graph.addComputeSet("tell");
  p.add(set, "Inline<short>", 0);
  Tensor x = p.graph.addVariable(INT, {}, "x");
  p.graph.setTileMapping(x, 2);
  p.graph.setInitialValue(x, 0);
  p.graph.connect(p.add(quiet, "Quiet", 2)["x"], x);
  const auto steps = [&](const Program& program) {
    std::ostringstream summary;
    Engine(p.graph, program).printProfileSummary(summary, {{"showExecutionSteps", "true"}});
    return summary.str();
  };
  CHECK(steps(Execute(quiet)).find("printf of") == std::string::npos);
  CHECK(steps(Sequence(Execute(quiet), Execute(set))).find("printf of Execute(tell)") != std::string::npos);
}

}  // namespace
