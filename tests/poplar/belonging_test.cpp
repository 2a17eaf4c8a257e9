// What is of another graph is refused at once, wherever it is given.
#include <catch2/catch.hpp>
#include <poplar/Engine.hpp>
#include <sstream>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using namespace poplar::program;

namespace {

// Two graphs that have the same: a number of one means something else in the other.
struct TwoGraphs {
  GraphFixture mine;
  GraphFixture other;
  Tensor a;
  Tensor b;  // the other's
  VertexRef v;
  VertexRef w;  // the other's

  TwoGraphs()
      : a(mine.graph.addVariable(FLOAT, {4}, "a")),
        b(other.graph.addVariable(FLOAT, {4}, "b")),
        v(mine.graph.addVertex(mine.cs, "Scale")),
        w(other.graph.addVertex(other.cs, "Scale")) {
    mine.graph.setTileMapping(a, 0);
    other.graph.setTileMapping(b, 0);
  }
};

template <class F>
void refused(const std::string& function, const std::string& object, F f) {
  CAPTURE(function);
  CHECK_THROWS_AS(f(), poplar_error);
  CHECK_THROWS_WITH(f(), Catch::Matchers::ContainsText(function) && Catch::Matchers::ContainsText(object) &&
                             Catch::Matchers::ContainsText("of another graph"));
}

}  // namespace

TEST_CASE_METHOD(TwoGraphs, "a graph takes its own tensors") {
  Graph& g = mine.graph;
  const std::string object = "'b'";
  refused("setTileMapping", object, [&] { g.setTileMapping(b, 1); });
  refused("setTileMapping", object, [&] { g.setTileMapping(b, Graph::TileToTensorMapping{{{0, 4}}}); });
  refused("getTileMapping", object, [&] { g.getTileMapping(b); });
  refused("getTileMapping", object, [&] {
    bool complete;
    g.getTileMapping(b, &complete);
  });
  refused("getVariableTileMapping", object, [&] { g.getVariableTileMapping(b); });
  refused("clone", object, [&] { g.clone(b); });
  refused("clone", object, [&] { g.cloneN(b, 2); });
  refused("connect", object, [&] { g.connect(v["data"], b); });
  refused("setInitialValue", object, [&] { g.setInitialValue(b, 1.0f); });
  refused("createHostWrite", object, [&] { g.createHostWrite("in", b); });
  refused("createHostRead", object, [&] { g.createHostRead("out", b); });
  refused("getSortedContiguousRegions", object, [&] { g.getSortedContiguousRegions(b, {Interval(0, 4)}); });
  refused("getSimplifyingRearranger", object, [&] { g.getSimplifyingRearranger(b); });
  refused("findUnbroadcastTensor", object, [&] { g.findUnbroadcastTensor(b); });
  refused("CrossReplicaCopy", object, [&] { program::CrossReplicaCopy(a, b, {{0, 0}}); });
  refused("reorderToSimplify", object, [&] {
    Tensor t = b;
    g.reorderToSimplify(&t, {});
  });
  refused("reorderToSimplify", object, [&] {
    Tensor t = a;
    Tensor u = b;
    g.reorderToSimplify(&t, {&u});
  });
  // Nothing was changed, neither here nor there.
  CHECK(g.getTileMapping(a)[0] == std::vector<Interval>{{0, 4}});
  CHECK(other.graph.getTileMapping(b)[0] == std::vector<Interval>{{0, 4}});
}

TEST_CASE_METHOD(TwoGraphs, "a virtual graph is the same graph") {
  Graph part = mine.graph.createVirtualGraph(2, 6);
  part.setTileMapping(a, 1);
  CHECK(mine.graph.getTileMapping(a)[3] == std::vector<Interval>{{0, 4}});
  CHECK(part.clone(a).shape() == a.shape());
  refused("setTileMapping", "'b'", [&] { part.setTileMapping(b, 1); });
}

TEST_CASE_METHOD(TwoGraphs, "a graph takes its own vertices, fields and compute sets") {
  Graph& g = mine.graph;
  refused("setTileMapping", "vertex", [&] { g.setTileMapping(w, 1); });
  refused("setPerfEstimate", "vertex", [&] { g.setPerfEstimate(w, 1); });
  refused("getPerfEstimate", "vertex", [&] { g.getPerfEstimate(w); });
  refused("connect", "field 'data'", [&] { g.connect(w["data"], a); });
  refused("connect", "field 'data'", [&] { g.connect(w["data"], 1.0f); });
  refused("getFieldSize", "field 'data'", [&] { g.getFieldSize(w["data"]); });
  refused("addVertex", "compute set", [&] { g.addVertex(other.cs, "Scale"); });
  CHECK_THROWS_WITH(g.addVertex(ComputeSet(99), "Scale"), Catch::Matchers::ContainsText("no compute set 99"));
  CHECK_NOTHROW(g.addVertex(ComputeSet(mine.cs.getId()), "Scale"));
  CHECK_THROWS_WITH(g.setTileMapping(VertexRef(), 0), Catch::Matchers::ContainsText("default-constructed"));
}

TEST_CASE_METHOD(TwoGraphs, "a program is of one graph") {
  const auto mixed = [](const std::string& program, const std::string& object, auto f) {
    CAPTURE(program);
    CHECK_THROWS_WITH(f(), Catch::Matchers::ContainsText(program) && Catch::Matchers::ContainsText(object) &&
                               Catch::Matchers::ContainsText("of another graph"));
  };
  const Tensor flag = mine.graph.addVariable(BOOL, {}, "flag");
  const Tensor their_flag = other.graph.addVariable(BOOL, {}, "their flag");
  const DataStream out = other.graph.addDeviceToHostFIFO("out", FLOAT, 4);
  const Copy ours(a, a.reverse(0), false, "ours");
  const Copy theirs(b, b.reverse(0), false, "theirs");
  mixed("Copy 'both'", "'b'", [&] { return Copy(a, b, false, "both"); });
  mixed("Copy", "stream 'out'", [&] { return Copy(a, out); });
  mixed("Execute", "'their flag'", [&] { return Execute(mine.cs, their_flag); });
  mixed("Sequence", "program 'theirs'", [&] { return Sequence{ours, theirs}; });
  mixed("Sequence", "program 'theirs'", [&] {
    Sequence sequence{ours};
    sequence.add(theirs);
    return sequence;
  });
  mixed("If", "program 'theirs'", [&] { return If(flag, ours, theirs); });
  mixed("RepeatWhileTrue", "'flag'", [&] { return RepeatWhileTrue(theirs, flag, theirs); });
  mixed("Switch", "program 'theirs'", [&] { return Switch(flag, {{1, ours}, {2, theirs}}); });
  mixed("Switch", "program 'theirs'", [&] {
    Switch cases(flag);
    cases.add(1, theirs);
    return cases;
  });
  const Function f = other.graph.addFunction(theirs);
  mixed("Sequence", "a program", [&] { return Sequence{ours, Call(f)}; });
  refused("addFunction", "program 'theirs'", [&] { mine.graph.addFunction(theirs); });
  // A failed add leaves the sequence as it was.
  Sequence sequence{ours};
  CHECK_THROWS(sequence.add(theirs));
  sequence.add(ours);
  std::ostringstream text;
  dumpProgram(mine.graph, sequence, text);
  CHECK(text.str().find("v1") == std::string::npos);
}

TEST_CASE_METHOD(TwoGraphs, "an engine takes programs of its graph") {
  const Copy theirs(b.slice(0, 2), b.slice(2, 4), false, "theirs");
  refused("Engine", "program 'theirs'", [&] { Engine(mine.graph, theirs); });
  refused("Engine", "program 'theirs'", [&] { compileGraph(mine.graph, {Sequence(), theirs}); });
}
