// Programs as text: printed, read back, compiled from what was read; and what is said of text that is none.
#include <catch2/catch.hpp>

#include "compiler/image/executable_file.h"
#include "compiler/ir/text.h"
#include "compiler/passes/compile.h"
#include "compiler/passes/lower/lower_programs.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

// Every kind of step, of stream and of block.
struct Everything : GraphBuilder {
  std::vector<ProgramRef> programs;

  Everything() : GraphBuilder(4) {
    add_codelets(*this, kCodelets);
    const TensorRef x = variable("x \"quoted\"", ElementType::kInt, {{5, 0}, {6, 2}, {2, 3}});
    const TensorRef y = variable("y", ElementType::kInt, {{13, 1}});
    const TensorRef odd = variable("odd", ElementType::kChar, {{3, 1}, {6, 0}});
    const TensorRef flag = variable("flag", ElementType::kBool, {{1, 3}});
    const TensorRef selector = variable("selector", ElementType::kInt, {{1, 2}});
    initial(x, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
    handles("x", x);
    handles("y", y);
    handles("odd", odd);
    write_handle("part", {odd.type, odd.view.slice(0, 1, 3)});
    handles("flag", flag);
    handles("selector", selector);
    const auto set = add_compute_set(*this, "scale");
    add_vertex(*this, set, "Double", 1, {{"in", x}, {"out", y}});
    const auto in = stream("in", ElementType::kChar, 9, true), out = stream("out", ElementType::kInt, 13, false);
    graph.functions.push_back({sequence({copy(y, x)})});
    const ProgramRef twice = program(graph::Repeat{2, program(graph::Call{0}, "call")}, "twice");
    const ProgramRef chosen =
        program(graph::Switch{selector, {{-3, copy(x, y)}, {7, sequence({})}}, program(graph::Call{0})}, "choice");
    programs = {sequence({program(graph::CopyFromStream{in, odd}), execute(set), twice,
                          program(graph::If{flag, chosen, program(graph::Sync{graph::Sync::Span::kInternal})}, "if"),
                          program(graph::RepeatWhile{sequence({}), flag, true, copy(x, y)}),
                          program(graph::PrintTensor{"tab\there", y, {}}), program(graph::CopyToStream{y, out}),
                          program(graph::AbortOnCondition{flag, "over"}), program(graph::WriteUndef{y}, "gone")}),
                execute(set, flag)};
  }
  graph::StreamId stream(const std::string& handle, ElementType type, std::size_t elements, bool to_device) {
    graph.streams.push_back({handle, type, elements, to_device, {}});
    return static_cast<graph::StreamId>(graph.streams.size() - 1);
  }
  static constexpr const char* kCodelets = R"(
struct Double : Vertex {
  Input<Vector<int>> in;
  Output<Vector<int>> out;
  bool compute() {
    for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
    return in[0] > 0;
  }
};
)";
};

std::string complaint(const std::string& text) {
  try {
    ir::read(text);
  } catch (const ir::BadText& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a program is the same after printing and reading, and compiles to the same executable") {
  const Everything all;
  const auto machine = spec::load_machine("mk2-4");
  const ir::Program program = compiler::lower_programs(all.graph, all.programs, machine.tiles());
  const std::string text = ir::print(program);
  const ir::Program again = ir::read(text);
  CHECK(ir::print(again) == text);
  CHECK(again.blocks == program.blocks);
  for (const char* word :
       {"execute", "phase", "transfer", "repeat", "while true", "if flag", "switch", "call", "sync", "after", "format",
        "cases -3 7", "undef 1:", "content", "internal", "to-device", "host-read", "abort", "\\x09"}) {
    INFO(word);
    CHECK(text.find(word) != std::string::npos);
  }
  const auto bytes = image::serialize(compiler::compile(all.graph, all.programs, machine));
  CHECK(image::serialize(compiler::compile(all.graph, again, machine)) == bytes);
}

TEST_CASE("a program of a few lines runs") {
  const graph::Graph none;
  const auto machine = spec::load_machine("mk2-4");
  const ir::Program program = ir::read(R"ir(
tiles 4
block 0 tile 0 variable 8 align 8      # from here
block 1 tile 3 variable 8 align 8      # to there
content 0:0+4 0700000009000000
exchange 0 "across"
  0:0+4 -> 3:1+0 x 4
body 0
  repeat 2 bodies 1 "twice"
body 1
  phase 0 "across"
entry body 0 "main"
)ir");
  const image::Executable executable = compiler::compile(none, program, machine);
  ProgramRunner runner(executable, machine);
  runner.run(0);
  CHECK(runner.chip().counters().supersteps == 2);
}

TEST_CASE("chips, replicas and packets are the same after printing and reading") {
  const std::string text = R"ir(tiles 8 chips 2 replicas 3
host event 0 bytes 4
block 0 tile 0 variable 8 align 8
block 1 tile 5 variable 8 align 8
content 0:0+4 01000000
differs 0:0+4 01000000 02000000 03000000
exchange 0 "around"
  lane to 1 2 0
  lane to 2 1 0 source 0 4 0 target 0 0 4
  0:0+0 -> 5:1+0 x 8 lane 0
  0:0+0 -> 5:1+0 x 4 lane 1
body 0
  packets 0 "around"
entry body 0 "main"
)ir";
  const ir::Program program = ir::read(text);
  CHECK(ir::print(program) == text);
  CHECK(program.tiles_of_chip() == 4);
  CHECK(program.crosses_chips(program.exchanges[0].moves[0]));
  CHECK(complaint("tiles 7 chips 2") == "line 1 of the program's text: 7 tiles are not those of 2 equal chips");
  const auto lane = [](const std::string& line) { return complaint("tiles 4 replicas 2\nexchange 0 \"x\"\n" + line); };
  CHECK(lane("lane to 1") == "line 3 of the program's text: 1 numbers for 2 replicas");
  CHECK(lane("lane to 1 2").find("there is no replica 2") != std::string::npos);
  CHECK(lane("lane to 1 0 source 0 6").find("6 bytes are not whole words") != std::string::npos);
  CHECK(complaint("tiles 4 replicas 3\nexchange 0 \"x\"\nlane to 1 1 1").find("two send to replica 1") !=
        std::string::npos);
  CHECK(complaint("tiles 4\nblock 0 tile 0 variable 8 align 8\nexchange 0 \"x\"\n0:0+0 -> 0:0+4 x 4 lane 0")
            .find("there is no lane 0") != std::string::npos);
  CHECK(complaint("tiles 1\nbody 0\n  packets 3 \"x\"") == "step 'x': there is no exchange 3");
}

TEST_CASE("what is no program is told with its line") {
  CHECK(complaint("tiles 4\nblock 1 tile 0 variable 8 align 8") ==
        "line 2 of the program's text: the next block has number 0");
  CHECK(complaint("tiles 1\nblock 0 tile 1 variable 8 align 8").find("there is no tile 1") != std::string::npos);
  const std::string block = "tiles 2\nblock 0 tile 1 variable 8 align 8\n";
  CHECK(complaint(block + "content 0:0+0 00") == "line 3 of the program's text: '0:0+0': block 0 is on tile 1");
  CHECK(complaint(block + "content 1:7+0 00").find("there is no block 7") != std::string::npos);
  CHECK(complaint(block + "content 1:0+x 00").find("'x' is no number here") != std::string::npos);
  CHECK(complaint("tiles 1\nwhatever 3").find("'whatever' begins nothing") != std::string::npos);
  CHECK(complaint("tiles 1 2").find("'2' is too much") != std::string::npos);
  CHECK(complaint("tiles 1\nbody 0\n  phase 7 \"across\"") == "step 'across': there is no exchange 7");
  CHECK(complaint("tiles 1\nbody 0\n  transfer \"in\"").find("the number of a stream is missing") != std::string::npos);
  CHECK(complaint("tiles 1\nbody 0\n  transfer 0 1 \"both\"") == "step 'both': there is no stream 0");
  CHECK(complaint("tiles 1\nentry body 2 \"main\"") == "entry 'main': there is no body 2");
  CHECK(complaint("tiles 1\nbody 0\n  repeat 2 \"twice\"") ==
        "step 'twice' has 0 bodies and 0 selectors instead of 1 and 0");
  CHECK(complaint("tiles 1\nbody 0\n  execute 4 \"add\"") == "step 'add': there is no compute 4");
  CHECK(complaint("tiles 1\nbody 0\n  repeat 2 bodies 1 \"twice\"\nbody 1\n  repeat 3 bodies 0 \"thrice\"") ==
        "step 'thrice' comes to itself again");
  CHECK(complaint("tiles 1\nbody 0\n  call 0 \"nobody\"\nfunction 0 unused") ==
        "step 'nobody' calls function 0, which is unused");
  CHECK(complaint("tiles").find("it ends too early") != std::string::npos);
  CHECK(complaint("tiles 1\nexchange 0 \"open").find("a name has no end") != std::string::npos);
  CHECK(complaint("tiles 1\nentry body 0 main").find("a name in quotes is missing") != std::string::npos);
}
