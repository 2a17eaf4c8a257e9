// What merge_host_phases() makes of a few steps, as text: which copies from and to streams meet, and what keeps them
// apart.
#include <catch2/catch.hpp>

#include "compiler/ir/text.h"
#include "compiler/passes/phases/merge_host_phases.h"

using namespace tessera;

namespace {

// Variables a, b, c, d of 16 bytes on tiles 0 to 3. Streams 0 to 2 bring a, b and c; 3 and 4 take c and d; 5 brings
// the last three bytes of d by way of a buffer; 6 takes d on the handle of 3; 7 prints d, 8 is an abort.
constexpr const char* kHead = R"(
tiles 4
host event 0 bytes 256
block 0 tile 0 variable 16 align 8
block 1 tile 1 variable 16 align 8
block 2 tile 2 variable 16 align 8
block 3 tile 3 variable 16 align 8
block 4 tile 3 buffer 4 align 8
block 5 tile 0 vertex 4 align 8
exchange 0 "a to b"
  0:0+0 -> 1:1+0 x 16
exchange 1 "d to a"
  3:3+0 -> 0:0+0 x 16
compute 0 set 0 "nothing"
stream 0 to-device "int" elements 4 bytes 16 shape 4 program 0 host 64 16 "in a"
  run 0:0+0 64 4
stream 1 to-device "int" elements 4 bytes 16 shape 4 program 0 host 80 16 "in b"
  run 1:1+0 80 4
stream 2 to-device "int" elements 4 bytes 16 shape 4 program 0 host 96 16 "in c"
  run 2:2+0 96 4
stream 3 from-device "int" elements 4 bytes 16 shape 4 program 0 host 112 16 "out c"
  run 2:2+0 112 4
stream 4 from-device "int" elements 4 bytes 16 shape 4 program 0 host 128 16 "out d"
  run 3:3+0 128 4
stream 5 to-device "char" elements 3 bytes 3 shape 3 program 0 host 144 4 "in part"
  run 3:4+0 144 1
  after 3:4+1 -> 3:3+13 x 3
stream 6 from-device "int" elements 4 bytes 16 shape 4 program 0 host 160 16 "out c"
  run 3:3+0 160 4
stream 7 print "int" elements 4 bytes 16 shape 4 program 0 host 176 16 "d"
  format 1000 3 75 4 auto 44 91 93
  run 3:3+0 176 4
stream 8 abort "float" elements 0 bytes 0 shape program 0 host 192 0 "over"
body 0
)";

// The steps of body 0 after the pass.
std::string steps(const std::string& before) {
  const std::string text = ir::print(compiler::merge_host_phases(ir::read(kHead + before + "entry body 0 \"main\"\n")));
  const std::size_t first = text.find("body 0\n") + 7;
  return text.substr(first, text.find("entry") - first);
}

}  // namespace

TEST_CASE("copies from and to streams that stand side by side are one host phase, in their order") {
  const std::string row = R"ir(
  transfer 0 "Copy(in, a)"
  transfer 4 "Copy(d, out)"
  transfer 1 "Copy(in, b)"
  transfer 2 "Copy(in, c)"
)ir";
  CHECK(steps(row) == "  transfer 0 4 1 2 \"Copy(in, a) + Copy(d, out) + Copy(in, b) + Copy(in, c)\"\n");
}

TEST_CASE("what leaves the device may be overwritten by what comes to it in the same phase, not the other way round") {
  CHECK(steps("transfer 3 \"out\"\ntransfer 2 \"in\"\n") == "  transfer 3 2 \"out + in\"\n");
  CHECK(steps("transfer 2 \"in\"\ntransfer 3 \"out\"\n") == "  transfer 2 \"in\"\n  transfer 3 \"out\"\n");
}

TEST_CASE("by bytes, also of what arrives in a buffer") {
  CHECK(steps("transfer 5 \"in\"\ntransfer 4 \"out\"\n") == "  transfer 5 \"in\"\n  transfer 4 \"out\"\n");
  CHECK(steps("transfer 5 \"in\"\ntransfer 3 \"out\"\n") == "  transfer 5 3 \"in + out\"\n");
}

TEST_CASE("a stream has one part in a phase") {
  CHECK(steps("transfer 0 \"in\"\ntransfer 0 \"in\"\n") == "  transfer 0 \"in\"\n  transfer 0 \"in\"\n");
  CHECK(steps("transfer 3 \"c\"\ntransfer 6 \"d\"\n") == "  transfer 3 \"c\"\n  transfer 6 \"d\"\n");
}

TEST_CASE("a transfer moves over copies that have nothing to do with it") {
  CHECK(steps("transfer 0 \"in a\"\nphase 0 \"a to b\"\ntransfer 2 \"in c\"\n") ==
        "  transfer 0 2 \"in a + in c\"\n  phase 0 \"a to b\"\n");
  // It writes what the copy writes, writes what the copy reads, reads what the copy writes.
  for (const char* row : {"  transfer 2 \"first\"\n  phase 0 \"a to b\"\n  transfer 1 \"second\"\n",
                          "  transfer 2 \"first\"\n  phase 0 \"a to b\"\n  transfer 0 \"second\"\n",
                          "  transfer 1 \"first\"\n  undef 3:3+12 x 4 \"undef\"\n  transfer 4 \"second\"\n"})
    CHECK(steps(row) == row);
  // Both only read.
  CHECK(steps("transfer 2 \"in c\"\nphase 1 \"d to a\"\ntransfer 4 \"out d\"\n") ==
        "  transfer 2 4 \"in c + out d\"\n  phase 1 \"d to a\"\n");
}

TEST_CASE("behind what ends a phase the next begins") {
  CHECK(steps("transfer 2 \"in c\"\ntransfer 3 \"out c\"\ntransfer 0 \"in a\"\n") ==
        "  transfer 2 \"in c\"\n  transfer 3 0 \"out c + in a\"\n");
  for (const char* fence : {"execute 0 \"compute\"", "transfer 7 \"PrintTensor\"", "transfer 8 \"Abort\"",
                            "sync 2 \"Sync\"", "repeat 2 bodies 1 \"Repeat\""}) {
    INFO(fence);
    const std::string row = std::string("  transfer 0 \"in a\"\n  ") + fence + "\n";
    CHECK(steps(row + "transfer 1 \"in b\"\ntransfer 2 \"in c\"\nbody 1\n") ==
          row + "  transfer 1 2 \"in b + in c\"\nbody 1\n");
  }
}
