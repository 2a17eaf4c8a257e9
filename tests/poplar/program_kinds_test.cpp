// Each kind of program run by itself, on what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles): what it leaves in
// tensors, prints, ends or counts.
#include <catch2/catch.hpp>
#include <filesystem>
#include <poplar/CycleCount.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach;

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
class Next : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  void compute() { *x = *x + 1; }
};
class Below : public poplar::Vertex {
 public:
  poplar::Input<int> x;
  int limit;
  bool compute() { return *x < limit; }
};
class Less : public poplar::Vertex {
 public:
  poplar::Input<int> x;
  poplar::Output<bool> less;
  int limit;
  void compute() { *less = *x < limit; }
};
)";

// Numbers on tiles in turn; `value` writes and reads them by their names.
struct Programs {
  Device device = attach();
  Graph graph{device.getTarget()};
  unsigned placed = 0;

  Programs() {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
  }
  Tensor number(const char* name, int initial) {
    const Tensor t = graph.addVariable(INT, {}, name);
    graph.setTileMapping(t, placed++ % tessera::test::kTiles);
    graph.setInitialValue(t, initial);
    graph.createHostRead(name, t);
    graph.createHostWrite(name, t);
    return t;
  }
  Tensor flag(const char* name) {
    const Tensor t = graph.addVariable(BOOL, {}, name);
    graph.setTileMapping(t, placed++ % tessera::test::kTiles);
    graph.createHostRead(name, t);
    return t;
  }
  VertexRef vertex(const ComputeSet& cs, const char* type, const std::vector<ConnectionDesc>& fields, unsigned tile) {
    const VertexRef v = graph.addVertex(cs, type, fields);
    graph.setTileMapping(v, tile);
    return v;
  }
  Program next(const Tensor& x) {
    const ComputeSet cs = graph.addComputeSet("next");
    vertex(cs, "Next", {{"x", x}}, 1);
    return Execute(cs);
  }
  // less = x < limit
  Program less(const Tensor& x, const Tensor& less, int limit) {
    const ComputeSet cs = graph.addComputeSet("less");
    graph.setInitialValue(vertex(cs, "Less", {{"x", x}, {"less", less}}, 2)["limit"], limit);
    return Execute(cs);
  }
  static int value(Engine& engine, const char* name) {
    int got = 0;
    engine.readTensor(name, &got, &got + 1);
    return got;
  }
  int after(const Program& program, const char* name) {
    Engine engine(graph, program);
    engine.load(device);
    engine.run();
    return value(engine, name);
  }
};

TEST_CASE_METHOD(Programs, "Sequence and Block run what is in them in order, Repeat as often as it says") {
  const Tensor x = number("x", 5), y = number("y", 0);
  CHECK(after(Sequence({next(x), Copy(x, y), next(x)}), "y") == 6);
  CHECK(after(Block(Sequence({next(x), next(x), Copy(x, y)}), "block"), "y") == 7);
  CHECK(after(Sequence({Repeat(5, next(x)), Copy(x, y)}), "y") == 10);
  CHECK(after(Sequence({Repeat(0, next(x)), Copy(x, y)}), "y") == 5);
  CHECK(after(Program(), "x") == 5);
}

TEST_CASE_METHOD(Programs, "RepeatWhileTrue tests before each turn, RepeatWhileFalse the other way round") {
  const Tensor x = number("x", 0), conditions = number("conditions", 0), below = flag("below");
  const Sequence condition({next(conditions), less(x, below, 4)});
  Engine engine(graph, {RepeatWhileTrue(condition, below, next(x)), RepeatWhileFalse(condition, below, next(x))});
  engine.load(device);
  engine.run(0);
  CHECK(value(engine, "x") == 4);
  CHECK(value(engine, "conditions") == 5);  // once more than the body
  engine.run(0);
  CHECK(value(engine, "x") == 4);
  CHECK(value(engine, "conditions") == 6);
  const int zero = 0;
  engine.writeTensor("x", &zero, &zero + 1);
  engine.run(1);
  CHECK(value(engine, "x") == 0);
  CHECK(value(engine, "conditions") == 7);
}

TEST_CASE_METHOD(Programs, "If runs the one program or the other") {
  const Tensor x = number("x", 0), yes = number("yes", 0), no = number("no", 0), below = flag("below");
  Engine engine(graph, Sequence({less(x, below, 1), If(below, next(yes), next(no)), next(x)}));
  engine.load(device);
  for (int i = 0; i < 3; ++i) engine.run();
  CHECK(value(engine, "yes") == 1);
  CHECK(value(engine, "no") == 2);
}

TEST_CASE_METHOD(Programs, "Switch runs the case of its control, or the default, which may be given later") {
  const Tensor control = number("control", 0), x = number("x", 0), y = number("y", 0);
  Switch early(control, {{3, Repeat(10, next(x))}, {-1, next(x)}}, next(y));
  Switch late(control);
  late.add(3, Repeat(20, next(x))).defaultCase(Repeat(7, next(y)));
  const Switch before = late;
  late.defaultCase(Repeat(9, next(y)));
  Engine engine(graph, {early, before, late});
  engine.load(device);
  const auto run = [&](unsigned program, int choice) {
    const int x0 = value(engine, "x"), y0 = value(engine, "y");
    engine.writeTensor("control", &choice, &choice + 1);
    engine.run(program);
    return std::pair<int, int>(value(engine, "x") - x0, value(engine, "y") - y0);
  };
  CHECK(run(0, 3) == std::pair<int, int>(10, 0));
  CHECK(run(0, -1) == std::pair<int, int>(1, 0));
  CHECK(run(0, 2) == std::pair<int, int>(0, 1));
  CHECK(run(1, 3) == std::pair<int, int>(20, 0));
  CHECK(run(1, 4) == std::pair<int, int>(0, 7));
  CHECK(run(2, 4) == std::pair<int, int>(0, 9));
}

TEST_CASE_METHOD(Programs, "Execute with a predicate says whether every vertex gave true") {
  const Tensor a = number("a", 1), b = number("b", 1), all = flag("all"), yes = number("yes", 0), no = number("no", 0);
  const ComputeSet cs = graph.addComputeSet("all");
  graph.setInitialValue(vertex(cs, "Below", {{"x", a}}, 0)["limit"], 5);
  graph.setInitialValue(vertex(cs, "Below", {{"x", b}}, 3)["limit"], 5);
  Engine engine(graph, Sequence({Execute(cs, all), If(all, next(yes), next(no))}));
  engine.load(device);
  const auto run = [&](int x, int y) {
    engine.writeTensor("a", &x, &x + 1);
    engine.writeTensor("b", &y, &y + 1);
    const int before = value(engine, "yes");
    engine.run();
    return value(engine, "yes") - before == 1;
  };
  CHECK(run(1, 1));
  CHECK_FALSE(run(9, 1));
  CHECK_FALSE(run(1, 9));
  CHECK_FALSE(run(9, 9));
  CHECK(value(engine, "no") == 3);
}

TEST_CASE_METHOD(Programs, "Call runs a function, whose code may be loaded before") {
  const Tensor x = number("x", 0);
  const Function f = graph.addFunction(Sequence({next(x), next(x)}));
  const FunctionBuffer code = graph.addFunctionBuffer(f, FunctionBufferMappingType::REMOTE);
  CHECK(after(Sequence({Call(f), Call(f, "again")}), "x") == 4);
  CHECK(after(Sequence({Copy(code, f, "load"), Call(f), Copy(f, code), Call(f), Call(f)}), "x") == 6);
}

TEST_CASE_METHOD(Programs, "the streams of a remote buffer are its row 0") {
  const Tensor x = number("x", 42), y = number("y", 0);
  const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 1, 2);
  Engine engine(graph, {Copy(x, buffer.getIpuToHostStream()), Copy(buffer.getHostToIpuStream(), y)});
  engine.load(device);
  engine.run(0);
  int row[2] = {-1, -1};
  engine.copyFromRemoteBuffer("rows", &row[0], 0);
  engine.copyFromRemoteBuffer("rows", &row[1], 1);
  CHECK((row[0] == 42 && row[1] == 0));
  row[0] = 7;
  engine.copyToRemoteBuffer(&row[0], "rows", 0);
  engine.run(1);
  CHECK(value(engine, "y") == 7);
}

TEST_CASE_METHOD(Programs, "WriteUndef gives a tensor up, and what is written after it stands") {
  const Tensor x = number("x", 3), y = number("y", 0);
  CHECK(after(Sequence({WriteUndef(x), Copy(y, x), next(x)}), "x") == 1);
}

TEST_CASE_METHOD(Programs, "Sync changes no value, and costs cycles") {
  const Tensor x = number("x", 0);
  Sequence plain{next(x)}, synced{next(x)};
  for (const SyncType type : {SyncType::INTERNAL, SyncType::EXTERNAL, SyncType::GLOBAL}) synced.add(Sync(type));
  const Tensor without = cycleCount(graph, plain, 1), with = cycleCount(graph, synced, 1, SyncType::INTERNAL);
  graph.createHostRead("without", without);
  graph.createHostRead("with", with);
  Engine engine(graph, Sequence{plain, synced});
  engine.load(device);
  engine.run();
  CHECK(value(engine, "x") == 2);
  unsigned few[2], many[2];
  engine.readTensor("without", few, few + 2);
  engine.readTensor("with", many, many + 2);
  CHECK(many[0] > few[0]);
}

TEST_CASE_METHOD(Programs, "cycle stamps are the tile's clock at their place") {
  const Tensor x = number("x", 0);
  Sequence prog;
  const Tensor first = cycleStamp(graph, prog, 2, "first");
  prog.add(Repeat(100, next(x)));
  const Tensor second = cycleStamp(graph, prog, 2, SyncType::INTERNAL);
  CHECK(first.shape() == std::vector<std::size_t>{2});
  CHECK(first.elementType() == UNSIGNED_INT);
  CHECK(graph.getTileMapping(first)[2].size() == 1);
  Sequence whole{prog};
  const Tensor counted = cycleCount(graph, whole, 2);
  graph.createHostRead("first", first);
  graph.createHostRead("second", second);
  graph.createHostRead("counted", counted);
  Engine engine(graph, whole);
  engine.load(device);
  engine.run();
  const auto cycles = [&](const char* name) {
    unsigned words[2];
    engine.readTensor(name, words, words + 2);
    return std::uint64_t{words[1]} << 32 | words[0];
  };
  CHECK(cycles("second") > cycles("first") + 100);
  CHECK(cycles("second") - cycles("first") < cycles("counted"));
}

TEST_CASE_METHOD(Programs, "PrintTensor writes title and value, ErrorProgram and aborts end the run with their words") {
  const Tensor x = number("x", 11), above = flag("above");
  std::ostringstream printed;
  Engine engine(graph, {Sequence({PrintTensor(x), PrintTensor("title", x), next(x)}), ErrorProgram("wrong", x, "e"),
                        Sequence({less(x, above, 12), AbortOnCondition(above, "too small")}), Abort("at once"), Abort(),
                        Sequence({less(x, above, 12), AbortOnCondition(above)})});
  engine.setPrintTensorStream(printed);
  engine.load(device);
  engine.run(0);
  CHECK(printed.str() == "x: 11\ntitle: 11\n");
  CHECK(value(engine, "x") == 12);
  CHECK_NOTHROW(engine.run(2));
  CHECK_NOTHROW(engine.run(5));
  printed.str("");
  CHECK_THROWS_WITH(engine.run(1), ContainsText("wrong"));
  CHECK_THAT(printed.str(), ContainsText(": 12\n"));
  engine.load(device);
  CHECK_THROWS_WITH(engine.run(2), ContainsText("too small"));
  engine.load(device);
  CHECK_THROWS_WITH(engine.run(3), ContainsText("at once"));
  engine.load(device);
  CHECK_THROWS_AS(engine.run(4), application_runtime_error);
  engine.load(device);
  CHECK_THROWS_AS(engine.run(5), application_runtime_error);
}

TEST_CASE_METHOD(Programs, "a print format reaches the text") {
  const Tensor t = graph.addVariable(FLOAT, {3}, "t");
  graph.setTileMapping(t, 0);
  graph.setInitialValue<float>(t, {1, 2.5f, -3});
  const PrintTensorFmt fixed(1000, 3, 75, 2, PrintTensorFmt::FloatFormat::Fixed, ',', '(', ')');
  const PrintTensorFmt powers(1000, 3, 75, 1, PrintTensorFmt::FloatFormat::Scientific);
  const PrintTensorFmt none(1000, 3, 75, 3, PrintTensorFmt::FloatFormat::None);
  std::ostringstream printed;
  Engine engine(graph, Sequence({PrintTensor(t, fixed), PrintTensor("p", t, powers), PrintTensor("n", t, none)}));
  engine.setPrintTensorStream(printed);
  engine.load(device);
  engine.run();
  CHECK_THAT(printed.str(), ContainsText("t: (1.00,2.50,-3.00)\n") && ContainsText("p: [1.0e+00 2.5e+00 -3.0e+00]\n") &&
                                ContainsText("n: [1 2.5 -3]\n"));
}

TEST_CASE_METHOD(Programs, "loadAndRun loads, with initial values, and runs the program that is named") {
  const Tensor x = number("x", 5);
  Engine engine(graph, {next(x), Repeat(10, next(x))});
  engine.loadAndRun(device, 1);
  CHECK(value(engine, "x") == 15);
  engine.loadAndRun(device);
  CHECK(value(engine, "x") == 6);
}

TEST_CASE_METHOD(Programs, "executables that run alike have one hash, others another") {
  const Tensor x = number("x", 5);
  const Program one = next(x), two = Repeat(2, one);
  const Executable first = compileGraph(graph, {one}), again = compileGraph(graph, {one}),
                   other = compileGraph(graph, {two});
  CHECK(first.getHash() == again.getHash());
  CHECK(first.getHash() != other.getHash());
  auto bytes = std::make_unique<std::stringstream>();
  first.serialize(*bytes);
  const Executable back = Executable::deserialize(std::move(bytes), false);
  CHECK(back.getHash() == first.getHash());
  Engine engine(back);
  engine.load(device);
  engine.run();
  CHECK(value(engine, "x") == 6);
  CHECK_THROWS_AS(Executable::deserialize(std::unique_ptr<std::istream>()), poplar_error);
}

TEST_CASE_METHOD(Programs, "a graph profile that was left is shown as the engine shows its own") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("program-kinds-" + std::to_string(::getpid()));
  const Tensor x = number("x", 5);
  Engine engine(graph, next(x), {{"autoReport.outputGraphProfile", "true"}, {"autoReport.directory", folder.string()}});
  std::ostringstream own, left, tiles;
  engine.printProfileSummary(own);
  const std::string path = (folder / "graph_profile.json").string();
  printGraphSummary(left, path);
  printGraphSummary(tiles, path, {{"showPerTileMemoryUsage", "true"}});
  const auto line = [](const std::string& text, const std::string& start) {
    const std::size_t at = text.find(start);
    return at == std::string::npos ? "no " + start : text.substr(at, text.find('\n', at) - at);
  };
  CHECK(line(left.str(), "Memory Usage:\n  Total:") == line(own.str(), "Memory Usage:\n  Total:"));
  CHECK(line(left.str(), "  Total: ") == line(own.str(), "  Total: "));
  CHECK(line(left.str(), "  Machine: ") == line(own.str(), "  Machine: "));
  CHECK(left.str().find("Tile 3") == std::string::npos);
  CHECK_THAT(tiles.str(), ContainsText("Tile 3"));
  CHECK_THROWS_AS(printGraphSummary(left, path, {{"noSuch", "true"}}), invalid_option);
  fs::remove_all(folder);
}

TEST_CASE_METHOD(Programs, "tensors are read and written through ranges, arrays and bare pointers") {
  const Tensor t = graph.addVariable(INT, {3}, "t");
  graph.setTileMapping(t, 2);
  graph.createHostWrite("t", t);
  graph.createHostRead("t", t);
  Engine engine(graph, Sequence());
  engine.load(device);
  std::vector<int> values = {4, 5, 6}, got(3);
  engine.writeTensor("t", ArrayRef<int>(values));
  engine.readTensor("t", ArrayRef<int>(got));
  CHECK(got == values);
  values = {7, 8, 9};
  engine.writeTensor("t", values.data());
  engine.readTensor("t", got.data());
  CHECK(got == values);
}

}  // namespace
