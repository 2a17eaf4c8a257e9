// Where overlap_remote() puts transfers of remote buffers in a gateway, as text: before the next compute set, together,
// but never out of order with what they need or with others of their buffer.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/remote/overlap_remote.h"
#include "compiler/passes/remote/row_owners.h"

using namespace tessera;

namespace {

// Variables a, b, c of 16 bytes on tiles 0 to 2, rows' numbers on tile 0. Stream 0 reads remote buffer x into a, 1
// writes a to x, 2 writes b to y, 3 writes b to x, 4 reads y into c.
constexpr const char* kHead = R"(
tiles 4
host event 0 bytes 4
block 0 tile 0 variable 16 align 8
block 1 tile 1 variable 16 align 8
block 2 tile 2 variable 16 align 8
block 3 tile 0 buffer 4 align 8
exchange 0 "number"
  1:1+0 -> 0:3+0 x 4
exchange 1 "a to c"
  0:0+0 -> 2:2+0 x 16
exchange 2 "b to c"
  1:1+0 -> 2:2+0 x 16
compute 0 set 0 "nothing"
remote 0 row 16 rows 8 stride 32 base 0 "x"
remote 1 row 16 rows 8 stride 32 base 256 "y"
stream 0 remote-read "int" elements 4 bytes 16 shape 4 program 0 host 0 0 "x"
  rows of 0
  numbers 0:3+0 x 4
  run 0:0+0 0 4 row 0
stream 1 remote-write "int" elements 4 bytes 16 shape 4 program 0 host 0 0 "x"
  rows of 0
  run 0:0+0 0 4 row 0
stream 2 remote-write "int" elements 4 bytes 16 shape 4 program 0 host 0 0 "y"
  rows of 1
  run 1:1+0 0 4 row 0
stream 3 remote-write "int" elements 4 bytes 16 shape 4 program 0 host 0 0 "x"
  rows of 0
  run 1:1+0 0 4 row 0
stream 4 remote-read "int" elements 4 bytes 16 shape 4 program 0 host 0 0 "y"
  rows of 1
  run 2:2+0 0 4 row 0
body 0
)";

// The steps of body 0 after the pass.
std::string overlapped(const std::string& steps) {
  const std::string text = ir::print(compiler::overlap_remote(ir::read(kHead + steps + "entry body 0 \"main\"\n")));
  const std::size_t begin = text.find("body 0\n") + 7;
  return text.substr(begin, text.find("entry") - begin);
}

TEST_CASE("transfers are text that reads back") {
  const std::string text = ir::print(ir::read(std::string(kHead) + "  remote 0 \"read x\"\n"));
  CHECK(ir::print(ir::read(text)) == text);
  CHECK_THROWS_WITH(ir::read("tiles 1\nremote 0 row 16 rows 8 stride 32 base 0 1 \"x\"\n"),
                    Catch::Matchers::ContainsText("a base for 2 replicas instead of 1"));
}

TEST_CASE("a transfer goes behind copies that do not need it, up to the next compute set") {
  CHECK(overlapped("  remote 2 \"write y\"\n  phase 1 \"a to c\"\n  execute 0 \"e\"\n") ==
        "  phase 1 \"a to c\"\n  remote 2 \"write y\"\n  execute 0 \"e\"\n");
}

TEST_CASE("a copy of what a transfer brings, or writes over what it takes or needs, stays behind it") {
  for (const char* steps :
       {"  remote 0 \"read x\"\n  phase 1 \"a to c\"\n", "  remote 0 \"read x\"\n  phase 0 \"number\"\n",
        "  remote 4 \"read y\"\n  phase 2 \"b to c\"\n"})
    CHECK(overlapped(steps) == steps);
}

TEST_CASE("transfers of different buffers are one step, in their order") {
  CHECK(overlapped("  remote 0 \"read x\"\n  phase 2 \"b to c\"\n  remote 2 \"write y\"\n  execute 0 \"e\"\n") ==
        "  phase 2 \"b to c\"\n  remote 0 2 \"read x + write y\"\n  execute 0 \"e\"\n");
}

TEST_CASE("transfers of one buffer are one step only where a word of a row has one tile in both") {
  CHECK(overlapped("  remote 1 \"from a\"\n  remote 3 \"from b\"\n") ==
        "  remote 1 \"from a\"\n  remote 3 \"from b\"\n");
  CHECK(overlapped("  remote 1 \"from a\"\n  remote 1 \"again\"\n") == "  remote 1 1 \"from a + again\"\n");
}

TEST_CASE("what reads what another brings is a step of its own") {
  const char* steps = "  remote 0 \"read x\"\n  remote 1 \"write x\"\n";
  CHECK(overlapped(steps) == steps);
}

TEST_CASE("tiles wait for what they have written where another exchange block reads it") {
  const auto confirmed = [](std::uint32_t tiles_of_block) {
    ir::Program program = ir::read(kHead);
    compiler::confirm_writes(program, tiles_of_block);
    std::vector<bool> of;
    for (const ir::HostTransfer& transfer : program.host_transfers) of.push_back(transfer.remote.confirmed);
    return of;
  };
  CHECK(confirmed(1) == std::vector<bool>{false, true, true, true, false});    // a, b and c are of three blocks
  CHECK(confirmed(2) == std::vector<bool>{false, false, true, false, false});  // a and b of one
  CHECK(confirmed(4) == std::vector<bool>(5));
}

}  // namespace
