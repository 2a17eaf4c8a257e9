// What crosses chips is taken out of exchanges, as packets before them.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/phases/merge_phases.h"
#include "compiler/passes/phases/split_chips.h"

using namespace tessera;

namespace {

std::string split(const std::string& text) {
  const std::string all = ir::print(compiler::split_chips(ir::read(text)));
  return all.substr(all.find("exchange"));
}

const std::string kBlocks = R"(tiles 8 chips 2
host event 0 bytes 4
block 0 tile 0 variable 64 align 8
block 1 tile 1 variable 64 align 8
block 2 tile 4 variable 64 align 8
block 3 tile 5 variable 64 align 8
block 4 tile 6 variable 64 align 8
)";

}  // namespace

TEST_CASE("moves inside a chip stay, others become packets before them") {
  CHECK(split(kBlocks + R"(exchange 0 "x"
  0:0+0 -> 1:1+0 x 8
  0:0+8 -> 4:2+4 x 12
body 0
  phase 0 "x"
  phase 0 "x"
)") == R"(exchange 0 "x"
  0:0+0 -> 1:1+0 x 8
exchange 1 "x"
  0:0+8 -> 4:2+4 x 12
body 0
  packets 1 "x"
  phase 0 "x"
  packets 1 "x"
  phase 0 "x"
)");
}

TEST_CASE("a copy that only crosses is packets alone") {
  CHECK(split(kBlocks + "exchange 0 \"x\"\n  0:0+0 -> 4:2+0 x 8\nbody 0\n  phase 0 \"x\"\n") ==
        "exchange 0 \"x\"\nexchange 1 \"x\"\n  0:0+0 -> 4:2+0 x 8\nbody 0\n  packets 1 \"x\"\n");
}

TEST_CASE("what several tiles of a chip get comes to one of them and goes on from there") {
  CHECK(split(kBlocks + R"(exchange 0 "x"
  0:0+0 -> 4:2+0 x 8
  0:0+0 -> 5:3+0 x 8
  0:0+0 -> 6:4+0 x 12
  0:0+0 -> 6:4+16 x 8
body 0
  phase 0 "x"
)") == R"(exchange 0 "x"
  4:2+0 -> 5:3+0 x 8
  4:2+0 -> 6:4+16 x 8
exchange 1 "x"
  0:0+0 -> 4:2+0 x 8
  0:0+0 -> 6:4+0 x 12
body 0
  packets 1 "x"
  phase 0 "x"
)");
}

TEST_CASE("a copy of what came from another chip is not made to cross again") {
  const std::string text = ir::print(compiler::merge_phases(ir::read(kBlocks + R"(exchange 0 "x"
  0:0+0 -> 4:2+0 x 8
exchange 1 "y"
  4:2+0 -> 5:3+0 x 8
body 0
  phase 0 "x"
  phase 1 "y"
)")));
  CHECK(text.find("4:2+0 -> 5:3+0 x 8") != std::string::npos);
  CHECK(text.find("0:0+0 -> 5:3+0") == std::string::npos);
}

TEST_CASE("a program of one chip is left as it is") {
  const std::string text = "exchange 0 \"x\"\n  0:0+0 -> 4:2+0 x 8\nbody 0\n  phase 0 \"x\"\n";
  std::string one = kBlocks + text;
  one.replace(one.find(" chips 2"), 8, "");
  CHECK(split(one) == text);
}
