// The text of a graph and of programs, as tests of passes compare it.
#include <catch2/catch.hpp>
#include <sstream>

#include "compiler/graph/dump.h"
#include "tests/poplar/sample_graph.h"

using namespace sample;

TEST_CASE("a graph as text") {
  Sample s;
  const TensorRef x = s.variable("x", {2, 4});
  s.graph.variables[0].mapping.assign(4, 8, 3);
  const TensorRef y = s.constant("y", {1});
  s.graph.streams.push_back({"up", ElementType::kHalf, 4, true, {}});
  s.graph.host_reads.push_back({"read", x});
  Vertex& v = s.vertex(0, {{0, kWholeField, {x.type, x.view.index(1)}}, {1, kWholeField, y}}, 2);
  v.values.push_back({2, {0, 0, 0, 0}});
  s.graph.functions.push_back({execute()});
  std::ostringstream os;
  dump_graph(s.graph, os);
  CHECK(os.str() ==
        "tiles 4\n"
        "variable 0 'x' float 8 [0,4)@0 [4,8)@3\n"
        "constant 1 'y' float 1 [0,1)@0\n"
        "stream 'up' half 4 to device\n"
        "host read 'read' float{2,4} v0[0,8)\n"
        "compute set 0 'cs'\n"
        "  vertex 0 'Sum' tile 2\n"
        "    in: float{4} v0[4,8)\n"
        "    out: float{1} v1[0,1)\n"
        "    bias = 4 bytes\n"
        "function 0\n"
        "  execute cs0 'cs' # run\n");
}

TEST_CASE("programs as text") {
  Sample s;
  const TensorRef x = s.variable("x", {4});
  const TensorRef flag = s.variable("flag", {}, ElementType::kBool);
  s.graph.streams.push_back({"up", ElementType::kFloat, 4, true, {}});
  const ProgramRef copy = program(Copy{part(x, 0, 2), part(x, 2, 4)}, "move");
  const ProgramRef all = program(Sequence{{
      program(CopyFromStream{0, x}),
      program(Repeat{3, copy}),
      program(RepeatWhile{copy, flag, false, execute()}),
      program(If{flag, copy, program(Sequence{})}),
      program(Switch{flag, {{-1, copy}}, copy}),
      program(Call{2}),
      program(PrintTensor{"title", x, {}}),
      program(AbortOnCondition{flag, "stop"}),
  }});
  std::ostringstream os;
  dump_program(s.graph, all, os);
  CHECK(os.str() ==
        "sequence\n"
        "  copy stream 'up' -> float{4} v0[0,4)\n"
        "  repeat 3\n"
        "    copy float{2} v0[0,2) -> float{2} v0[2,4) # move\n"
        "  repeat while false bool{} v1[0,1)\n"
        "    condition\n"
        "      copy float{2} v0[0,2) -> float{2} v0[2,4) # move\n"
        "    body\n"
        "      execute cs0 'cs' # run\n"
        "  if bool{} v1[0,1)\n"
        "    then\n"
        "      copy float{2} v0[0,2) -> float{2} v0[2,4) # move\n"
        "    else\n"
        "      sequence\n"
        "  switch bool{} v1[0,1)\n"
        "    case -1\n"
        "      copy float{2} v0[0,2) -> float{2} v0[2,4) # move\n"
        "    default\n"
        "      copy float{2} v0[0,2) -> float{2} v0[2,4) # move\n"
        "  call f2\n"
        "  print 'title' float{4} v0[0,4)\n"
        "  abort if bool{} v1[0,1) 'stop'\n");
}

TEST_CASE("long lists of runs are cut") {
  const std::size_t n = 100;
  CHECK(to_text(TensorView::whole(5, {&n, 1}).sub_sample(0, 2), 2) == "{50} v5[0,1) v5[2,3) ...");
}
