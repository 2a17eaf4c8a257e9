// Ways of writing programs that public code uses; compiled as C++11.
#include <algorithm>
#include <catch2/catch.hpp>
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

std::string text(const Graph& graph, const Program& program) {
  std::ostringstream os;
  dumpProgram(graph, program, os);
  return os.str();
}

struct Fixture {
  Graph graph;
  ComputeSet cs;
  Tensor a;
  Tensor b;
  Tensor flag;
  Fixture() : graph(Target::createIPUTarget(1, 16, "ipu2")) {
    cs = graph.addComputeSet("cs");
    a = graph.addVariable(FLOAT, {4}, "a");
    b = graph.addVariable(FLOAT, {2, 2}, "b");
    flag = graph.addVariable(BOOL, {}, "flag");
  }
  unsigned lines(const Program& program) const {
    const std::string all = text(graph, program);
    return static_cast<unsigned>(std::count(all.begin(), all.end(), '\n'));
  }
};

// What an engine's constructor makes of its second argument.
std::string chosen(ArrayRef<Program> programs) { return "list of " + std::to_string(programs.size()); }
std::string chosen(Program) { return "program"; }

}  // namespace

TEST_CASE_METHOD(Fixture, "sequences from lists, from arguments and by adding") {
  CHECK(lines(Sequence({Copy(a, b.flatten()), Execute(cs)})) == 3);
  Sequence braces{Copy(a, b.flatten()), Execute(cs), Execute(cs)};
  CHECK(lines(braces) == 4);
  CHECK(lines(Sequence(Execute(cs), Execute(cs))) == 3);
  CHECK(lines(Sequence(Execute(cs))) == 2);
  CHECK(Sequence().isEmpty());
  Sequence built;
  built.add(Copy(a, b));
  built.add(braces);
  CHECK(lines(built) == 6);
  Sequence assigned = {Execute(cs)};
  CHECK(lines(assigned) == 2);
}

TEST_CASE_METHOD(Fixture, "a program is taken where a sequence is wanted") {
  const auto length = [this](const Sequence& sequence) { return lines(sequence); };
  CHECK(length(Execute(cs)) == 2);
  const Program program = Copy(a, b.flatten());
  CHECK(length(program) == 2);
  const Sequence only = Repeat(2, Execute(cs));
  CHECK(lines(only) == 3);
  Sequence same = only;
  CHECK(same == only);
}

TEST_CASE_METHOD(Fixture, "sequences with names") {
  const DebugNameAndId dnai("outer");
  Sequence first({}, {dnai});
  Sequence second{{dnai}};
  Sequence third({Execute(cs)}, {dnai, "inner"});
  Sequence fourth("just a name");
  CHECK(text(graph, first) == "sequence # outer\n");
  CHECK(text(graph, second) == "sequence # outer\n");
  CHECK(text(graph, third).find("# outer/inner") != std::string::npos);
  CHECK(text(graph, fourth) == "sequence # just a name\n");
}

TEST_CASE("names below that of a debug info") {
  const auto path = [](const DebugNameAndId& name) { return name.getPathName(); };
  const DebugInfo info("layer", "test");
  CHECK(path(info) == "layer");
  CHECK(path({info, "op"}) == "layer/op");
  CHECK(DebugNameAndId(info, "op").getId() == info.getId());
}

TEST_CASE_METHOD(Fixture, "adding to a sequence does not change its copies") {
  Sequence inner;
  inner.add(Execute(cs));
  Sequence outer;
  outer.add(inner);
  Sequence copy = inner;
  inner.add(Execute(cs));
  CHECK(lines(inner) == 3);
  CHECK(lines(copy) == 2);
  CHECK(lines(outer) == 3);
  CHECK(inner != copy);
  CHECK(outer == outer);
}

TEST_CASE_METHOD(Fixture, "control flow") {
  CHECK(text(graph, Repeat(3, Sequence{Execute(cs)}, "three times")).find("repeat 3 # three times") == 0);
  CHECK(lines(RepeatWhileTrue(Sequence(), flag, Execute(cs))) == 5);
  CHECK(lines(RepeatWhileFalse(Execute(cs), flag, Sequence())) == 5);
  CHECK(lines(If(flag, Execute(cs), Sequence())) == 5);
  Switch cases(flag, {{1, Execute(cs)}});
  const Switch before = cases;
  cases.add(2, Execute(cs));
  CHECK(lines(cases) == lines(before) + 2);
  const Function f = graph.addFunction(Execute(cs));
  CHECK(text(graph, Call(f, "name")) == "call f0 # name\n");
  CHECK(text(graph, PrintTensor("title", a)) == "print 'title' float{4} v0[0,4)\n");
  CHECK(text(graph, PrintTensor(a)).find("print 'a'") == 0);
  const PrintTensorFmt format(10, 2, 75, 3, PrintTensorFmt::FloatFormat::Fixed);
  CHECK(text(graph, PrintTensor("title", a, format)).find("print 'title'") == 0);
  CHECK(lines(Loop(Execute(cs), "forever")) == 3);
  CHECK(text(graph, ErrorProgram("bad", a)).find("abort 'bad'") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "streams in copies") {
  const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 4);
  const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, 4);
  CHECK(text(graph, Copy(in, a)) == "copy stream 'in' -> float{4} v0[0,4)\n");
  CHECK(text(graph, Copy(b, out)) == "copy float{2,2} v1[0,4) -> stream 'out'\n");
}

TEST_CASE_METHOD(Fixture, "one program or a list of them") {
  const Sequence prog;
  CHECK(chosen({prog, prog}) == "list of 2");
  CHECK(chosen(prog) == "program");
  CHECK_FALSE(chosen({Execute(cs)}).empty());
  CHECK_FALSE(chosen({prog}).empty());
}

TEST_CASE("stream callbacks from functions and objects") {
  int calls = 0;
  StreamCallbackHandle function([&calls](void*) { ++calls; });
  function->fetch(nullptr);
  CHECK(calls == 1);
  CHECK(function->prefetch(nullptr) == StreamCallback::Result::NotAvailable);
  struct Source final : StreamCallback {
    Result prefetch(void*) noexcept override { return Result::Success; }
    void fetch(void*) noexcept override {}
  };
  StreamCallbackHandle object(std::unique_ptr<Source>(new Source));
  CHECK(object->prefetch(nullptr) == StreamCallback::Result::Success);
}
