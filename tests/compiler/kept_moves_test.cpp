// What stays on its tile is exchanged with the rest where that saves copies, or else copied.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/exchange/plan_exchange.h"

using namespace tessera;

namespace {

// The plan of the only exchange, as text.
std::string plan(const std::string& moves) {
  const ir::Program program = ir::read(R"(
tiles 3
block 0 tile 0 variable 4096 align 8
block 1 tile 1 variable 4096 align 8
block 2 tile 2 variable 4096 align 8
block 3 tile 0 variable 4096 align 8
exchange 0 "move"
)" + moves);
  ir::Blocks blocks = program.blocks;
  return dump(program, compiler::plan_exchanges(program, blocks), blocks);
}

const std::string kCrossing = "0:0+0 -> 1:1+0 x 64\n";

}  // namespace

TEST_CASE("a few words that stay are sent beside what goes to others") {
  CHECK(plan(kCrossing + "0:0+64 -> 0:3+0 x 512\n") == R"(exchange 0 move
  send 0:0+0 x 16 to 1:1+0
  send 0:0+64 x 128 to 0:3+0
)");
}

TEST_CASE("more words are sent where the phase does not get longer") {
  // Tile 2 receives 512 words.
  const std::string longer = "1:1+64 -> 2:2+0 x 2048\n";
  CHECK(plan(longer + "0:0+64 -> 0:3+0 x 2048\n").find("before") == std::string::npos);
  CHECK(plan(longer + "0:0+64 -> 0:3+0 x 2052\n").find("before 0:0+64 -> 0:3+0 x 2052\n") != std::string::npos);
  CHECK(plan(longer + "0:0+64 -> 0:3+0 x 2048\n" + kCrossing).find("before 0:0+64 -> 0:3+0") != std::string::npos);
}

TEST_CASE("what stays is copied if some of it has to be, or nothing is exchanged") {
  CHECK(plan(kCrossing + "0:0+64 -> 0:3+0 x 516\n1:1+64 -> 1:1+128 x 4\n") == R"(exchange 0 move
  before 0:0+64 -> 0:3+0 x 516
  before 1:1+64 -> 1:1+128 x 4
  send 0:0+0 x 16 to 1:1+0
)");
  CHECK(plan(kCrossing + "0:0+65 -> 0:3+1 x 4\n").find("before 0:0+65 -> 0:3+1 x 4\n") != std::string::npos);
  CHECK(plan("0:0+64 -> 0:3+0 x 4\n") == "exchange 0 move\n  before 0:0+64 -> 0:3+0 x 4\n");
}
