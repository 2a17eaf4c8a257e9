// Words that several tiles need leave their tile once, also where the tiles need different pieces.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/exchange/plan_exchange.h"

using namespace tessera;

namespace {

// The plan of the only exchange, as text.
std::string plan(const std::string& moves) {
  const ir::Program program = ir::read(R"(
tiles 4
block 0 tile 0 variable 1024 align 8
block 1 tile 1 variable 1024 align 8
block 2 tile 2 variable 1024 align 8
block 3 tile 3 variable 1024 align 8
exchange 0 "share"
)" + moves);
  ir::Blocks blocks = program.blocks;
  const compiler::Plans plans = compiler::plan_exchanges(program, blocks);
  return dump(program, plans, blocks);
}

}  // namespace

TEST_CASE("a piece inside another one is sent once to both tiles") {
  CHECK(plan("0:0+0 -> 1:1+0 x 512\n0:0+128 -> 2:2+0 x 256\n") == R"(exchange 0 share
  send 0:0+0 x 32 to 1:1+0
  send 0:0+128 x 64 to 1:1+128 2:2+0
  send 0:0+384 x 32 to 1:1+384
)");
}

TEST_CASE("pieces that overlap are sent in parts, and what a tile needs twice is copied there") {
  CHECK(plan("0:0+0 -> 1:1+0 x 256\n0:0+128 -> 2:2+0 x 256\n0:0+0 -> 1:1+512 x 256\n") == R"(exchange 0 share
  send 0:0+0 x 32 to 1:1+0
  send 0:0+128 x 32 to 1:1+128 2:2+0
  send 0:0+256 x 32 to 2:2+128
  after 1:1+0 -> 1:1+512 x 256
)");
}

TEST_CASE("pieces are not cut where the phase would not be shorter, or for few words") {
  // Tile 1 receives as many words as tile 0 sends.
  const std::string received = "0:0+0 -> 1:1+0 x 512\n2:2+512 -> 1:1+512 x 512\n0:0+128 -> 2:2+0 x 256\n";
  CHECK(plan(received).find("send 0:0+0 x 128 to 1:1+0\n  send 0:0+128 x 64 to 2:2+0") != std::string::npos);
  CHECK(plan("0:0+0 -> 1:1+0 x 512\n0:0+0 -> 2:2+0 x 32\n").find("send 0:0+0 x 128 to 1:1+0\n") != std::string::npos);
  CHECK(plan("0:0+0 -> 1:1+0 x 512\n0:0+130 -> 2:2+0 x 250\n").find("send 0:0+0 x 128 to 1:1+0\n") !=
        std::string::npos);
}
