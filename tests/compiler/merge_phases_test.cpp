// What merge_phases() makes of a few steps, as text: each of its rules, and each reason not to apply it.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/phases/merge_phases.h"

using namespace tessera;

namespace {

// Variables a, b, c, d of 16 bytes on tiles 0 to 3, e and f of 16 bytes on tiles 0 and 1, buffers 0 and 1 on tile 3.
// Compute 0 reads c, compute 1 writes b, compute 2 reads and writes d, compute 3 reads buffer 0 and
// writes d, compute 4 reads buffer 1 and writes d, compute 5 writes buffer 0.
constexpr const char* kHead = R"(
tiles 4
host event 0 bytes 4
block 0 tile 0 variable 16 align 8
block 1 tile 1 variable 16 align 8
block 2 tile 2 variable 16 align 8
block 3 tile 3 variable 16 align 8
block 4 tile 0 variable 16 align 8
block 5 tile 1 variable 16 align 8
block 6 tile 3 buffer 16 align 8
block 7 tile 3 buffer 16 align 8
block 8 tile 0 vertex 4 align 8
compute 0 set 0 "reads c"
  vertex 0 tile 2 codelet 0 worker state 0:8+0 cost 1 regions 0 1
compute 1 set 1 "writes b"
  vertex 1 tile 1 codelet 0 worker state 0:8+0 cost 1 regions 1 1
compute 2 set 2 "changes d"
  vertex 2 tile 3 codelet 0 worker state 0:8+0 cost 1 regions 2 1
compute 3 set 3 "buffer 0 to d"
  vertex 3 tile 3 codelet 0 worker state 0:8+0 cost 1 regions 3 2
compute 4 set 4 "buffer 1 to d"
  vertex 4 tile 3 codelet 0 worker state 0:8+0 cost 1 regions 5 2
compute 5 set 5 "writes buffer 0"
  vertex 5 tile 3 codelet 0 worker state 0:8+0 cost 1 regions 7 1
region 0 field 0 entry 0 input 2:2+0 x 4 of 4
region 1 field 0 entry 0 output 1:1+0 x 4 of 4
region 2 field 0 entry 0 inout 3:3+0 x 4 of 4
region 3 field 0 entry 0 input 3:6+0 x 4 of 4
region 4 field 0 entry 0 output 3:3+0 x 4 of 4
region 5 field 0 entry 0 input 3:7+0 x 4 of 4
region 6 field 0 entry 0 output 3:3+0 x 4 of 4
region 7 field 0 entry 0 output 3:6+0 x 4 of 4
)";

std::string without_indentation(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = text.find_first_not_of(' ', at);
    if (begin < end) result += text.substr(begin, end - begin) + "\n";
    at = end + 1;
  }
  return result;
}

// Exchanges and bodies after the pass.
std::string merged(const std::string& exchanges_and_bodies) {
  const ir::Program program = compiler::merge_phases(ir::read(kHead + exchanges_and_bodies));
  std::string result;
  const std::string text = ir::print(program);
  bool wanted = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    if (line[0] != ' ') wanted = line.starts_with("exchange") || line.starts_with("body");
    if (wanted) result += line;
    at = end;
  }
  return without_indentation(result);
}

// The steps of body 0 after the pass, in words: kind and name each.
std::string steps(const std::string& exchanges_and_bodies) {
  const ir::Program program = compiler::merge_phases(ir::read(kHead + exchanges_and_bodies));
  std::string result;
  for (const ir::Step& step : program.bodies[0]) result += (result.empty() ? "" : ", ") + step.name;
  return result;
}

// Exchanges 0 to 8, each with a name that says what it does.
constexpr const char* kCopies = R"(
exchange 0 "a to b"
  0:0+0 -> 1:1+0 x 16
exchange 1 "e to c"
  0:4+0 -> 2:2+0 x 16
exchange 2 "b to d"
  1:1+0 -> 3:3+0 x 16
exchange 3 "f to a"
  1:5+0 -> 0:0+0 x 16
exchange 4 "last byte of f to last byte of b"
  1:5+15 -> 1:1+15 x 1
exchange 5 "a to buffer 0"
  0:0+0 -> 3:6+0 x 16
exchange 6 "f to buffer 1"
  1:5+0 -> 3:7+0 x 16
exchange 7 "buffer 0 to b"
  3:6+0 -> 1:1+0 x 16
exchange 8 "c to a"
  2:2+0 -> 0:0+0 x 16
)";

std::string steps_of(const std::string& body) { return steps(kCopies + ("body 0\n" + body)); }

}  // namespace

TEST_CASE("copies that have nothing to do with each other become one exchange with both names") {
  CHECK(merged(std::string(kCopies) + R"(
body 0
  phase 0 "a to b"
  phase 1 "e to c"
)") == without_indentation(R"(exchange 0 parts 2 "a to b + e to c"
0:0+0 -> 1:1+0 x 16
0:4+0 -> 2:2+0 x 16
body 0
phase 0 "a to b + e to c"
)"));
}

TEST_CASE("a name tells three parts, each once, and how many more there are") {
  CHECK(steps_of(R"(
    phase 0 "one"
    phase 1 "two"
    phase 5 "one"
    phase 6 "three")") == "one + two + three");
  const std::string four = R"(
exchange 0 "to b"
  0:0+0 -> 1:1+0 x 4
exchange 1 "to b"
  0:0+4 -> 1:1+4 x 4
exchange 2 "to b"
  0:0+8 -> 1:1+8 x 4
exchange 3 "to b"
  0:0+12 -> 1:1+12 x 4
exchange 4 "to c"
  0:0+0 -> 2:2+0 x 4
body 0
  phase 0 "one"
  phase 1 "two"
  phase 2 "three"
  phase 3 "four"
  phase 4 "five"
)";
  CHECK(steps(four) == "one + two + three + 2 more");
}

TEST_CASE("a copy waits for one that is needed later, over steps that it has nothing to do with") {
  CHECK(steps_of(R"(
    phase 0 "a to b"
    execute 0 "reads c"
    phase 1 "e to c"
    execute 0 "reads c")") == "reads c, a to b + e to c, reads c");
}

TEST_CASE("a copy runs with one that is needed earlier") {
  CHECK(steps_of(R"(
    phase 1 "e to c"
    execute 0 "reads c"
    phase 0 "a to b"
    execute 2 "changes d"
    phase 8 "c to a")") == "e to c + a to b, reads c, changes d, c to a");
  CHECK(steps_of(R"(
    phase 1 "e to c"
    execute 0 "reads c"
    phase 0 "a to b"
    execute 1 "writes b"
    execute 2 "changes d")") == "e to c + a to b, reads c, writes b, changes d");
}

TEST_CASE("a gather meets an earlier phase, a scatter the next gather") {
  CHECK(steps_of(R"(
    phase 1 "e to c"
    execute 0 "reads c"
    phase 5 "a to buffer 0"
    execute 3 "buffer 0 to d")") == "e to c + a to buffer 0, reads c, buffer 0 to d");
  CHECK(steps_of(R"(
    execute 5 "writes buffer 0"
    phase 7 "buffer 0 to b"
    execute 0 "reads c"
    phase 6 "f to buffer 1"
    execute 4 "buffer 1 to d")") == "writes buffer 0, reads c, buffer 0 to b + f to buffer 1, buffer 1 to d");
}

TEST_CASE("buffers that fill a tile do not all come together") {
  const auto steps_with = [](std::uint32_t bytes) {
    std::string text = "tiles 2\nblock 0 tile 0 variable 65536 align 8\nblock 1 tile 1 vertex 4 align 8\n";
    std::string computes, regions, exchanges, body = "body 0\n";
    for (int i = 0; i < 3; ++i) {
      const std::string n = std::to_string(i), size = std::to_string(bytes);
      text += "block " + std::to_string(2 + i) + " tile 1 buffer " + size + " align 8\n";
      exchanges += "exchange " + n + " \"gather\"\n0:0+0 -> 1:" + std::to_string(2 + i) + "+0 x " + size + "\n";
      computes +=
          "compute " + n + " set 0 \"set\"\nvertex 0 tile 1 codelet 0 worker state 1:1+0 cost 1 regions " + n + " 1\n";
      regions += "region " + n + " field 0 entry 0 input 1:" + std::to_string(2 + i) + "+0 x " + size + " of 1\n";
      body += "phase " + n + " \"g" + n + "\"\nexecute " + n + " \"e" + n + "\"\n";
    }
    std::string result;
    const ir::Program program = compiler::merge_phases(ir::read(text + exchanges + computes + regions + body));
    for (const ir::Step& step : program.bodies[0]) result += (result.empty() ? "" : ", ") + step.name;
    return result;
  };
  CHECK(steps_with(1024) == "g0 + g1 + g2, e0, e1, e2");
  CHECK(steps_with(16000) == "g0 + g1, e0, e1, g2, e2");
  CHECK(steps_with(32000) == "g0, e0, g1, e1, g2, e2");
}

TEST_CASE("nothing moves over a dependence, be it of one byte") {
  // Written, then read; read, then written; written twice.
  CHECK(steps_of("phase 1 \"e to c\"\nphase 8 \"c to a\"\nexecute 0 \"reads c\"") ==
        "e to c + c to a, reads c");  // c to a reads e instead
  CHECK(steps_of("execute 1 \"writes b\"\nphase 2 \"b to d\"\nexecute 2 \"changes d\"\nphase 6 \"f to buffer 1\"") ==
        "writes b, b to d + f to buffer 1, changes d");
  CHECK(steps_of("phase 0 \"a to b\"\nphase 3 \"f to a\"") == "a to b, f to a");
  CHECK(steps_of("phase 0 \"a to b\"\nphase 4 \"last byte\"") == "a to b, last byte");
  CHECK(steps_of("phase 8 \"c to a\"\nexecute 0 \"reads c\"\nphase 1 \"e to c\"") == "reads c, c to a, e to c");
  CHECK(steps_of("phase 2 \"b to d\"\nexecute 1 \"writes b\"\nphase 1 \"e to c\"") == "b to d + e to c, writes b");
}

TEST_CASE("what the host takes part in, syncs and what holds them are fences") {
  const std::string streams = R"(
stream 0 from-device "int" elements 1 bytes 4 shape 1 program 0 host 64 4 "out"
  piece 0 64 4
  run 3:3+0 64 1
)";
  const auto around = [&](const std::string& step, const std::string& more = "") {
    return steps(kCopies + streams + "body 0\nphase 0 \"a to b\"\n" + step + "\nphase 1 \"e to c\"\n" + more);
  };
  CHECK(around("execute 2 \"changes d\"") == "changes d, a to b + e to c");
  CHECK(around("transfer 0 \"Copy(d, stream out)\"") == "a to b, Copy(d, stream out), e to c");
  CHECK(around("sync 2 \"Sync\"") == "a to b, Sync, e to c");
  CHECK(around("repeat 2 bodies 1 \"Repeat\"", "body 1\ntransfer 0 \"out\"\n") == "a to b, Repeat, e to c");
  CHECK(
      around("call 0 \"Call\"", "body 1\nrepeat 3 bodies 2 \"Repeat\"\nbody 2\nsync 2 \"Sync\"\nfunction 0 body 1\n") ==
      "a to b, Call, e to c");
}

TEST_CASE("copies stay in their loop or branch, and pass by one that does nothing to them") {
  CHECK(merged(std::string(kCopies) + R"(
body 0
  phase 0 "a to b"
  repeat 2 bodies 1 "Repeat"
  if flag 3:3+0 "bool" bodies 2 3 "If"
  phase 1 "e to c"
body 1
  phase 2 "b to d"
  phase 6 "f to buffer 1"
  execute 4 "buffer 1 to d"
body 2
  phase 3 "f to a"
body 3
)") == without_indentation(R"(exchange 0 "f to a"
1:5+0 -> 0:0+0 x 16
exchange 1 parts 2 "a to b + e to c"
0:0+0 -> 1:1+0 x 16
0:4+0 -> 2:2+0 x 16
exchange 2 parts 2 "b to d + f to buffer 1"
1:1+0 -> 3:3+0 x 16
1:5+0 -> 3:7+0 x 16
body 0
phase 1 "a to b + e to c"
repeat 2 bodies 1 "Repeat"
if flag 3:3+0 "bool" bodies 2 3 "If"
body 1
phase 2 "b to d + f to buffer 1"
execute 4 "buffer 1 to d"
body 2
phase 0 "f to a"
body 3
)"));
  CHECK(steps(kCopies + std::string(R"(
body 0
  phase 1 "e to c"
  repeat 2 bodies 1 "Repeat"
  phase 0 "a to b"
body 1
  execute 2 "changes d"
)")) == "Repeat, e to c + a to b");
}

TEST_CASE("no buffer is filled before steps with bodies of their own and used after them") {
  CHECK(steps(kCopies + std::string(R"(
body 0
  phase 1 "e to c"
  execute 0 "reads c"
  repeat 2 bodies 1 "Repeat"
  phase 6 "f to buffer 1"
  execute 4 "buffer 1 to d"
body 1
  execute 2 "changes d"
)")) == "e to c, reads c, Repeat, f to buffer 1, buffer 1 to d");
}

TEST_CASE("a copy of what was just copied reads the first source") {
  CHECK(merged(std::string(kCopies) + R"(
body 0
  phase 0 "a to b"
  phase 2 "b to d"
  execute 2 "changes d"
)") == without_indentation(R"(exchange 0 parts 2 "a to b + b to d"
0:0+0 -> 1:1+0 x 16
0:0+0 -> 3:3+0 x 16
body 0
phase 0 "a to b + b to d"
execute 2 "changes d"
)"));
  // With a step between them that has nothing to do with it.
  CHECK(steps_of("phase 0 \"a to b\"\nexecute 0 \"reads c\"\nphase 2 \"b to d\"\nexecute 2 \"changes d\"") ==
        "reads c, a to b + b to d, changes d");
  // A part of it, out of two parts.
  CHECK(merged(R"(
exchange 0 "to b"
  0:0+0 -> 1:1+0 x 8
  2:2+8 -> 1:1+8 x 8
exchange 1 "from b"
  1:1+4 -> 3:3+0 x 8
body 0
  phase 0 "to b"
  phase 1 "from b"
)") == without_indentation(R"(exchange 0 parts 2 "to b + from b"
0:0+0 -> 1:1+0 x 8
2:2+8 -> 1:1+8 x 8
0:0+4 -> 3:3+0 x 4
2:2+8 -> 3:3+4 x 4
body 0
phase 0 "to b + from b"
)"));
}

TEST_CASE("a copy reads what was copied where the source has changed since") {
  CHECK(steps_of("phase 0 \"a to b\"\nphase 3 \"f to a\"\nphase 2 \"b to d\"") == "a to b, f to a + b to d");
  // And where it is written at the same time, or by only half copied.
  CHECK(steps(R"(
exchange 0 "a to b"
  0:0+0 -> 1:1+0 x 16
exchange 1 "b to d, f to a"
  1:1+0 -> 3:3+0 x 16
  1:5+0 -> 0:0+0 x 16
exchange 2 "half of a to b"
  0:0+0 -> 1:1+0 x 8
exchange 3 "b to d"
  1:1+0 -> 3:3+0 x 16
body 0
  phase 0 "a to b"
  phase 1 "b to d, f to a"
  sync 2 "Sync"
  phase 2 "half of a to b"
  phase 3 "b to d"
)") == "a to b, b to d, f to a, Sync, half of a to b + b to d");
}

TEST_CASE("what one tile would have to send alone is not taken from it") {
  // b and d have it, each sends half; a would have to send all of it, at the cost of two phases.
  const std::string text = R"(
exchange 0 "a to all"
  0:0+0 -> 1:1+0 x 8
  0:0+8 -> 2:2+0 x 8
exchange 1 "all to others"
  1:1+0 -> 2:2+8 x 4
  2:2+0 -> 1:1+8 x 4
body 0
  phase 0 "a to all"
  phase 1 "all to others"
)";
  CHECK(steps(text) == "a to all, all to others");
}

TEST_CASE("what is written again before anybody reads it is not moved") {
  CHECK(merged(std::string(kCopies) + R"(
body 0
  phase 1 "e to c"
  execute 2 "changes d"
  phase 8 "c to a"
  phase 3 "f to a"
)") == without_indentation(R"(exchange 0 parts 2 "e to c + f to a"
0:4+0 -> 2:2+0 x 16
1:5+0 -> 0:0+0 x 16
body 0
execute 2 "changes d"
phase 0 "e to c + f to a"
)"));
  CHECK(steps_of("phase 8 \"c to a\"\nsync 2 \"Sync\"\nphase 3 \"f to a\"\nphase 1 \"e to c\"") ==
        "c to a, Sync, f to a + e to c");
  CHECK(steps(R"(
exchange 0 "to a buffer that nobody reads"
  0:0+0 -> 3:6+0 x 16
exchange 1 "e to c"
  0:4+0 -> 2:2+0 x 16
body 0
  phase 0 "to a buffer"
  phase 1 "e to c"
)") == "to a buffer + e to c");
}

TEST_CASE("equal rows of steps share their merged exchange, and what nothing uses any more goes") {
  const ir::Program program = compiler::merge_phases(ir::read(kHead + (kCopies + std::string(R"(
body 0
  phase 0 "a to b"
  phase 1 "e to c"
  sync 2 "Sync"
  phase 0 "a to b"
  phase 1 "e to c"
)"))));
  CHECK(program.exchanges.size() == 1);
  CHECK(program.bodies[0][0].index == program.bodies[0][2].index);
}
