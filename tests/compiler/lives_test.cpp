// The lives of variables, rule by rule: programs as text, with the points of their steps, and what lives where.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/memory/find_lives.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

// Blocks 0 to 3 of 8 bytes on tile 0; "in" and "out" are single transfers of whole blocks.
constexpr const char* kHead = R"ir(tiles 1
host event 0 bytes 4
block 0 tile 0 variable 8 align 8
block 1 tile 0 variable 8 align 8
block 2 tile 0 variable 8 align 8
block 3 tile 0 variable 8 align 8
block 4 tile 0 variable 4 align 8
exchange 0 "0 to 1"
  0:0+0 -> 0:1+0 x 8
exchange 1 "1 to 2"
  0:1+0 -> 0:2+0 x 8
exchange 2 "2 to 0"
  0:2+0 -> 0:0+0 x 8
exchange 3 "first half of 0 to 3"
  0:0+0 -> 0:3+0 x 4
exchange 4 "second half of 0 to 3"
  0:0+4 -> 0:3+4 x 4
exchange 5 "0 to 3"
  0:0+0 -> 0:3+0 x 8
exchange 6 "3 to 2"
  0:3+0 -> 0:2+0 x 8
stream 0 to-device "int" elements 2 bytes 8 shape 2 program 0 host 0 8 "in"
  run 0:0+0 0 2
stream 1 from-device "int" elements 2 bytes 8 shape 2 program 0 host 8 8 "out"
  run 0:2+0 8 2
)ir";

std::string text_of(const Life& life) {
  std::string text;
  for (const Interval& i : life)
    text += (text.empty() ? "" : " ") + std::to_string(i.first) + "-" + std::to_string(i.last);
  return text;
}

// Of blocks 0 to 3 of a program that begins as above: "1-2 5-5".
std::vector<std::string> lives_of(const std::string& rest, bool share_memory = true) {
  const ir::Program program = ir::read(kHead + rest);
  ir::Blocks blocks = program.blocks;
  const Plans plans = plan_exchanges(program, blocks);
  const Lives lives = find_lives(program, plans, blocks, share_memory);
  std::vector<std::string> texts;
  for (ir::BlockId block = 0; block < 4; ++block) texts.push_back(text_of(lives.of(block)));
  return texts;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a value lives from where it is written to where it is read last") {
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  phase 0 "0 to 1"
  phase 1 "1 to 2"
  transfer 1 "out"
entry body 0 "main"
)ir") == Texts{"1-2", "2-3", "3-4", ""});
}

TEST_CASE("what is written and never read lives where it is written") {
  CHECK(lives_of("body 0\n  transfer 0 \"in\"\n  phase 5 \"0 to 3\"\n  transfer 0 \"in\"\nentry body 0 \"main\"\n") ==
        Texts{"1-3", "", "", "2-2"});
}

TEST_CASE("without sharing variables live always") {
  CHECK(lives_of("body 0\n  transfer 0 \"in\"\n  phase 0 \"0 to 1\"\nentry body 0 \"main\"\n", false) ==
        Texts{"0-2", "0-2", "0-2", "0-2"});
}

TEST_CASE("what a program may find when it begins is live between programs and in all others") {
  // 0 is read by the second, 1 is overwritten by the first, whoever runs.
  CHECK(lives_of(R"ir(
body 0
  phase 0 "0 to 1"
  phase 1 "1 to 2"
body 1
  phase 3 "first half of 0 to 3"
  sync 0 "sync"
body 2
  transfer 0 "in"
entry body 0 "a"
entry body 1 "b"
entry body 2 "c"
)ir") == Texts{"0-5", "1-2", "2-2", "3-3"});
}

TEST_CASE("a handle of the host is a program: what it reads is live between programs") {
  CHECK(lives_of(R"ir(
stream 2 host-read "int" elements 2 bytes 8 shape 2 program 1 host 16 8 "handle"
  run 0:1+0 16 2
body 0
  transfer 0 "in"
  phase 0 "0 to 1"
body 1
  transfer 2 "read handle"
entry body 0 "main"
entry internal body 1 "read handle"
)ir") == Texts{"1-2", "0-0 2-3", "", ""});
}

TEST_CASE("what the load writes is live from the load on") {
  CHECK(lives_of(R"ir(
content 0:0+0 01000000
content 0:1+0 02000000
content 0:3+0 02000000
body 0
  phase 0 "0 to 1"
  transfer 0 "in"
  phase 5 "0 to 3"
entry body 0 "main"
)ir") == Texts{"0-3", "0-1", "", "0-0 3-3"});
}

TEST_CASE("writes of parts end no life, unless they are undefined before") {
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  phase 3 "first half of 0 to 3"
  phase 4 "second half of 0 to 3"
  phase 6 "3 to 2"
entry body 0 "main"
)ir") == Texts{"1-3", "", "4-4", "0-4"});
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  undef 0:3+0 x 8 "WriteUndef"
  phase 3 "first half of 0 to 3"
  phase 4 "second half of 0 to 3"
  phase 6 "3 to 2"
entry body 0 "main"
)ir") == Texts{"1-4", "", "5-5", "3-5"});
  // Of a part only.
  CHECK(lives_of(R"ir(
body 0
  undef 0:3+0 x 4 "WriteUndef"
  phase 6 "3 to 2"
entry body 0 "main"
)ir") == Texts{"", "", "2-2", "0-2"});
}

TEST_CASE("what the next turn of a loop reads is live through the loop, what it overwrites is not") {
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  repeat 3 bodies 1 "Repeat"
  sync 0 "after"
body 1
  phase 0 "0 to 1"
  sync 0 "between"
  phase 1 "1 to 2"
  phase 2 "2 to 0"
entry body 0 "main"
)ir") == Texts{"1-3 6-6", "3-5", "5-6", ""});
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  repeat 3 bodies 1 "Repeat"
body 1
  sync 0 "first"
  phase 0 "0 to 1"
  sync 0 "last"
entry body 0 "main"
)ir") == Texts{"1-5", "4-4", "", ""});
}

TEST_CASE("a loop with a condition may turn no time, and reads its flag each time") {
  // Points: in 1, condition 2, test 3, body 4 and 5, out 6.
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  while true flag 0:3+0 "bool" bodies 1 2 "While"
  transfer 1 "out"
body 1
  phase 5 "0 to 3"
body 2
  phase 1 "1 to 2"
  phase 0 "0 to 1"
entry body 0 "main"
)ir") == Texts{"1-5", "0-6", "0-6", "2-3"});
}

TEST_CASE("after a branch is wanted what either side wants before it") {
  // Points: in 1, test 2, then 3 and 4, else 5, out 6.
  CHECK(lives_of(R"ir(
content 0:3+0 01
body 0
  transfer 0 "in"
  if flag 0:3+0 "bool" bodies 1 2 "If"
  transfer 1 "out"
body 1
  phase 0 "0 to 1"
  phase 1 "1 to 2"
body 2
  sync 0 "nothing"
entry body 0 "main"
)ir") == Texts{"1-3", "3-4", "0-2 4-6", "0-6"});
}

TEST_CASE("a switch reads its selector and then is a branch") {
  // Points: in 1, switch 2, cases 3 and 4, otherwise 5 and 6, end 7.
  CHECK(lives_of(R"ir(
block 5 tile 0 control-data 4 align 8
exchange 7 "Switch"
  0:4+0 -> 0:5+0 x 4
body 0
  transfer 0 "in"
  switch 7 cases 1 5 selectors 5 bodies 1 2 3 "Switch"
  phase 6 "3 to 2"
body 1
  phase 5 "0 to 3"
body 2
  phase 5 "0 to 3"
body 3
  phase 0 "0 to 1"
  phase 5 "0 to 3"
entry body 0 "main"
)ir") == Texts{"1-6", "5-5", "7-7", "3-4 6-7"});
}

TEST_CASE("what is live across one call is live in the function, whoever calls it") {
  // The function stands first: points 1 and 2; the program: in 3, call 4, 5, 6, call 7.
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  call 0 "first"
  phase 0 "0 to 1"
  phase 1 "1 to 2"
  call 0 "second"
body 1
  sync 0 "inside"
  phase 6 "3 to 2"
function 0 body 1
entry body 0 "main"
)ir") == Texts{"1-5", "5-6", "2-2 6-6", "0-7"});
}

TEST_CASE("what a function overwrites before it reads it is dead before each call") {
  // Function 1-2, which the program's call at 4 and the loop's at 6 enter.
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  call 0 "first"
  repeat 2 bodies 2 "Repeat"
body 1
  phase 0 "0 to 1"
  phase 1 "1 to 2"
body 2
  call 0 "again"
function 0 body 1
entry body 0 "main"
)ir") == Texts{"1-6", "1-2", "2-2", ""});
}

TEST_CASE("functions called by functions are live with them") {
  // Inner function 1, outer function 2 and 3, program: in 4, call 5, 6.
  CHECK(lives_of(R"ir(
body 0
  transfer 0 "in"
  call 1 "outer"
  phase 0 "0 to 1"
body 1
  sync 0 "inside"
body 2
  call 0 "inner"
  phase 6 "3 to 2"
function 0 body 1
function 1 body 2
entry body 0 "main"
)ir") == Texts{"1-6", "6-6", "3-3", "0-6"});
}

TEST_CASE("buffers live from their gather to their vertices, or from these to their scatter") {
  const ir::Program program = ir::read(R"ir(tiles 1
block 0 tile 0 variable 8 align 8
block 1 tile 0 variable 8 align 8
block 2 tile 0 buffer 16 align 8
block 3 tile 0 buffer 8 align 8
block 4 tile 0 vertex 16 align 8
block 5 tile 0 variable 8 align 8
exchange 0 "gather"
  0:0+0 -> 0:2+0 x 4
  0:0+4 -> 0:2+8 x 4
exchange 1 "scatter"
  0:3+0 -> 0:1+0 x 8
compute 0 set 0 "set"
  vertex 0 tile 0 codelet 0 worker state 0:4+0 cost 1 regions 0 4
region 0 field 0 entry 0 input 0:2+0 x 1 of 4
region 1 field 1 entry 0 input 0:2+8 x 1 of 4
region 2 field 2 entry 0 output 0:3+0 x 2 of 4
region 3 field 3 entry 0 inout 0:5+0 x 2 of 4
body 0
  sync 0 "before"
  phase 0 "gathering"
  execute 0 "set"
  phase 1 "set"
  sync 0 "after"
entry body 0 "main"
)ir");
  ir::Blocks blocks = program.blocks;
  const Plans plans = plan_exchanges(program, blocks);
  const Lives lives = find_lives(program, plans, blocks, true);
  CHECK(text_of(lives.of(2)) == "2-3");  // its two fields do not touch: the gap is nobody's
  CHECK(text_of(lives.of(3)) == "3-4");
  CHECK(text_of(lives.of(1)) == "4-4");
  CHECK(text_of(lives.of(4)) == "0-5");
  CHECK(text_of(lives.of(5)) == "0-5");  // read and written
  CHECK(name_of_point(program, lives.points, 2) == "gathering");
  CHECK(name_of_point(program, lives.points, 3) == "set");
}

TEST_CASE("an output that gets a value from elsewhere is read too, as far as anybody knows") {
  const std::string text = R"ir(tiles 1
block 0 tile 0 variable 8 align 8
block 1 tile 0 vertex 16 align 8
compute 0 set 0 "set"
  vertex 0 tile 0 codelet 0 worker state 0:1+0 cost 1 regions 0 1
region 0 field 0 entry 0 output 0:0+0 x 2 of 4
body 0
  sync 0 "before"
  execute 0 "set"
entry body 0 "main"
)ir";
  const auto life = [](const std::string& whole) {
    const ir::Program program = ir::read(whole);
    return text_of(find_lives(program, {}, program.blocks, true).of(0));
  };
  CHECK(life(text) == "2-2");
  CHECK(life(text + "content 0:0+0 01000000\n") == "0-2");
  std::string copied = text;
  copied.replace(copied.find("align 8"), 7, "align 8 copied");
  CHECK(life(copied) == "0-2");
  // From a stream, in point 3.
  const std::string in =
      "stream 0 to-device \"int\" elements 2 bytes 8 shape 2 program 0 host 0 8 \"in\"\n  run 0:0+0 0 2\n";
  CHECK(life(text + in + "body 1\n  transfer 0 \"in\"\n  sync 0 \"after\"\nentry body 1 \"other\"\n") == "0-4");
}
