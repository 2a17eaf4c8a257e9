// What becomes a view of what: programs as text, each rule and each reason not to apply it.
#include "compiler/passes/memory/views.h"

#include <catch2/catch.hpp>

#include "compiler/ir/text.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

// Blocks a to d of 16 bytes on tile 0; e of 48 bytes there, f of 16 bytes on tile 1. "in" and "out" are transfers of a
// and d; compute 0 reads b, compute 1 writes a, compute 2 changes b, compute 3 writes e, compute 4 reads e, compute 5
// has b as an output, compute 6 writes c.
constexpr const char* kHead = R"ir(tiles 2
host event 0 bytes 4
block 0 tile 0 variable 16 align 8
block 1 tile 0 variable 16 align 8 copied
block 2 tile 0 variable 16 align 8
block 3 tile 0 variable 16 align 8 copied
block 4 tile 0 variable 48 align 8
block 5 tile 1 variable 16 align 8 copied
block 6 tile 0 vertex 4 align 8
exchange 0 "a to b"
  0:0+0 -> 0:1+0 x 16
exchange 1 "b to d"
  0:1+0 -> 0:3+0 x 16
exchange 2 "a to f"
  0:0+0 -> 1:5+0 x 16
exchange 3 "half of a to b"
  0:0+0 -> 0:1+0 x 8
exchange 4 "part of e to b"
  0:4+16 -> 0:1+0 x 16
exchange 5 "unaligned part of e to b"
  0:4+20 -> 0:1+0 x 16
exchange 6 "a to part of e"
  0:0+0 -> 0:4+32 x 16
exchange 7 "a to d"
  0:0+0 -> 0:3+0 x 16
exchange 8 "c to b"
  0:2+0 -> 0:1+0 x 16
compute 0 set 0 "reads b"
  vertex 0 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 0 1
compute 1 set 1 "writes a"
  vertex 1 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 1 1
compute 2 set 2 "changes b"
  vertex 2 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 2 1
compute 3 set 3 "writes e"
  vertex 3 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 3 1
compute 4 set 4 "reads e"
  vertex 4 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 4 1
compute 5 set 5 "b is an output"
  vertex 5 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 5 1
compute 6 set 6 "writes c"
  vertex 6 tile 0 codelet 0 worker state 0:6+0 cost 1 regions 6 1
region 0 field 0 entry 0 input 0:1+0 x 4 of 4
region 1 field 0 entry 0 output 0:0+0 x 4 of 4
region 2 field 0 entry 0 inout 0:1+0 x 4 of 4
region 3 field 0 entry 0 output 0:4+0 x 12 of 4
region 4 field 0 entry 0 input 0:4+0 x 12 of 4
region 5 field 0 entry 0 output 0:1+0 x 4 of 4
region 6 field 0 entry 0 output 0:2+0 x 4 of 4
stream 0 to-device "int" elements 4 bytes 16 shape 4 program 0 host 0 16 "in"
  run 0:0+0 0 4
stream 1 from-device "int" elements 4 bytes 16 shape 4 program 0 host 16 16 "out"
  run 0:3+0 16 4
)ir";

ir::Program program_of(const std::string& steps, const std::string& more = "") {
  const std::string number = more.starts_with("body") ? "1" : "0";
  std::string text = kHead + more + "body " + number + "\n";
  for (std::size_t at = 0; at < steps.size();) {
    const std::size_t end = std::min(steps.find(';', at), steps.size());
    text += "  " + steps.substr(at, end - at) + " \"step\"\n";
    at = end + 1;
  }
  return ir::read(text + "entry body " + number + " \"main\"\n");
}

// The views of a program of these steps, separated by semicolons; `more` stands before it.
std::string views_of(const std::string& steps, const std::string& more = "", const AllKeptApart& kept_apart = {}) {
  const ir::Program program = program_of(steps, more);
  return dump(find_views(program, kept_apart), program.blocks);
}

}  // namespace

TEST_CASE("a copy of what is not wanted any more is a view of it") {
  CHECK(views_of("transfer 0; phase 0; execute 0") == "0:1 is 0:0+0\n");
  CHECK(views_of("execute 6; phase 8; execute 2; phase 1; transfer 1") == "0:1 is 0:2+0\n0:3 is 0:1+0\n");
}

TEST_CASE("a copy that stays equal is a view as long as both are wanted") {
  CHECK(views_of("transfer 0; phase 0; execute 0; phase 7; transfer 1") == "0:1 is 0:0+0\n0:3 is 0:0+0\n");
}

TEST_CASE("what is written while the other is wanted is no view") {
  CHECK(views_of("transfer 0; phase 0; execute 1; execute 0") == "");                          // a, and b is read then
  CHECK(views_of("transfer 0; phase 0; execute 2; phase 7; transfer 1") == "0:3 is 0:0+0\n");  // b, and a is read then
}

TEST_CASE("a loop carries what is wanted to its beginning") {
  const std::string body = "body 0\n  phase 0 \"step\"\n  execute 2 \"step\"\n";
  CHECK(views_of("transfer 0; repeat 3 bodies 0", body) == "");  // a is copied again
  CHECK(views_of("repeat 3 bodies 0", "body 0\n  transfer 0 \"step\"\n  phase 0 \"step\"\n  execute 2 \"step\"\n") ==
        "0:1 is 0:0+0\n");
}

TEST_CASE("a part is a view of the whole that outlives it") {
  CHECK(views_of("execute 3; phase 4; execute 0; execute 4") == "0:1 is 0:4+16\n");
  CHECK(views_of("execute 3; phase 4; execute 0") == "");  // it would keep all of e
  CHECK(views_of("execute 3; phase 5; execute 0; execute 4") == "");
}

TEST_CASE("what fills a part of a larger one that is wanted anyway is a view of it") {
  CHECK(views_of("execute 3; transfer 0; phase 6; execute 4") == "");  // its part of e holds something else
  CHECK(views_of("execute 3; undef 0:4+0 x 48; transfer 0; phase 6; execute 4") == "");
}

TEST_CASE("a copy of a part of both, or to another tile, is none") {
  CHECK(views_of("transfer 0; phase 3; execute 0") == "");
  CHECK(views_of("transfer 0; phase 2") == "");
}

TEST_CASE("what the load gives a value may be a view, but not of something else that it gives one") {
  const std::string a = "content 0:0+0 01000000020000000300000004000000\n";
  const std::string d = "content 0:3+0 05000000060000000700000008000000\n";
  CHECK(views_of("phase 7; transfer 1", a) == "0:3 is 0:0+0\n");
  CHECK(views_of("phase 7; transfer 1", a + d) == "");
}

TEST_CASE("what a constraint of a codelet keeps apart from others is no view") {
  const AllKeptApart apart = {{1, 4, graph::MemoryPart::kElement, 0, 0}, {4, 1, graph::MemoryPart::kElement, 0, 0}};
  CHECK(views_of("transfer 0; phase 0; execute 0", "", apart) == "");
}

TEST_CASE("a program that uses views names them in their place, without the copies") {
  ir::Program program = program_of("execute 6; phase 8; undef 0:2+0 x 16; execute 2; phase 1; transfer 1");
  const Views views = find_views(program, {});
  use_views(views, program);
  CHECK(program.exchanges[8].moves.empty());
  CHECK(program.exchanges[1].moves.empty());
  CHECK(program.bodies[0].size() == 6);
  CHECK(program.bodies[0][2].undefined.empty());  // b is wanted, which lies there
  CHECK(program.regions[2].at == ir::Place{2, 0});
  CHECK(program.host_transfers[1].runs[0].at == ir::Place{2, 0});
  Plans plans;
  plans.exchanges.resize(program.exchanges.size());
  Lives lives = find_lives(program, plans, program.blocks, true);
  add_lives(views, lives);
  CHECK(lives.of(2) == Life{{1, 6}});
  CHECK(lives.of(1) == Life{{2, 5}});
  CHECK(lives.of(3) == Life{{5, 6}});
}

TEST_CASE("an output that a copy has given a value stays one, and its block's others do not become such") {
  ir::Program program = program_of("execute 6; phase 8; execute 5; phase 1; transfer 1");
  use_views(find_views(program, {}), program);
  CHECK(program.regions[5].given);
  CHECK_FALSE(program.regions[6].given);
  CHECK_FALSE(program.blocks[2].copied);
  CHECK(ir::print(ir::read(ir::print(program))) == ir::print(program));
}
