// How many bytes are live in each step of programs as text.
#include "compiler/passes/memory/live_memory.h"

#include <catch2/catch.hpp>

#include "compiler/ir/text.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

std::vector<std::string> live_in(const std::string& text, bool share_memory = true) {
  const ir::Program program = ir::read(text);
  ir::Blocks blocks = program.blocks;
  const Plans plans = plan_exchanges(program, blocks);
  std::vector<std::string> lines;
  for (const image::LiveMemory& live : live_memory(program, blocks, find_lives(program, plans, blocks, share_memory)))
    lines.push_back(live.step + ": " + std::to_string(live.variables) + " + " + std::to_string(live.buffers) + ", " +
                    std::to_string(live.most) + " on " + std::to_string(live.tile));
  return lines;
}

// Tile 0 copies what it is given to a buffer of tile 1, where it goes on to a variable and back.
constexpr const char* kThereAndBack = R"ir(tiles 2
host event 0 bytes 4
block 0 tile 0 variable 16 align 8
block 1 tile 1 buffer 16 align 8
block 2 tile 1 variable 16 align 8
block 3 tile 0 variable 8 align 8
exchange 0 "there"
  0:0+0 -> 1:1+0 x 16
exchange 1 "on"
  1:1+0 -> 1:2+0 x 16
exchange 2 "back"
  1:2+0 -> 0:3+0 x 8
stream 0 to-device "int" elements 4 bytes 16 shape 4 program 0 host 0 16 "in"
  run 0:0+0 0 4
stream 1 from-device "int" elements 2 bytes 8 shape 2 program 0 host 16 8 "out"
  run 0:3+0 16 2
body 0
  transfer 0 "in"
  phase 0 "there"
  phase 1 "on"
  phase 2 "back"
  transfer 1 "out"
entry body 0 "main"
)ir";

}  // namespace

TEST_CASE("a step has what it reads and what it writes, on all tiles and on the fullest") {
  CHECK(live_in(kThereAndBack) == std::vector<std::string>{"in: 16 + 0, 16 on 0", "there: 16 + 16, 16 on 0",
                                                           "on: 16 + 16, 32 on 1", "back: 24 + 0, 16 on 1",
                                                           "out: 8 + 0, 8 on 0"});
}

TEST_CASE("memory that variables do not share is not counted") {
  CHECK(live_in(kThereAndBack, false) == std::vector<std::string>{"there: 0 + 16, 16 on 1", "on: 0 + 16, 16 on 1"});
}
