// Programs as text, one line a thing, and back:
//
//   tiles 4                               "chips 2" behind it: of two chips; "replicas 2": for two replicas
//   host event 0 bytes 320                 memory of the host: the event word, all of it
//   block 0 tile 0 variable 64 align 8 copied variable 2
//   block 5 tile 1 buffer 16 align 8 interleaved
//   content 0:0+4 01020304
//   differs 0:0+4 00000000 01000000        contents by replica
//   exchange 0 "Copy(x, y)"                "parts 2" before the name: made of two; "from 1 0": between replicas
//     0:0+0 -> 1:3+0 x 16                  places are tile:block+offset, sizes are bytes
//   compute 0 set 0 "add"
//     vertex 7 tile 1 codelet 2 worker state 1:4+0 cost 12 regions 0 1
//   region 0 field 1 entry 0 input 1:3+0 x 4 of 4 variable 2 element 8    "given" before the variable
//   stream 0 to-device "float" elements 4 bytes 16 shape 2 2 program 0 host 64 64 "in"
//     piece 0 64 16                        offset in the stream, in host memory, bytes
//     run 1:3+0 64 4                       place, host memory, words
//     after 1:6+1 -> 1:3+1 x 3
//   body 0
//     phase 0 "Copy(x, y)"                 of exchange 0; packets 0: of exchange 0, between chips
//     transfer 0 1 "Copy(in, x)"           of streams 0 and 1; execute 0: of compute 0
//     if flag 1:3+0 "bool" bodies 1 2 "If"
//     undef 1:3+0 x 16 "WriteUndef"
//   function 0 body 2
//   entry body 0 "main"
//
// Lines of a thing follow its head; indentation means nothing. What stands after # is not read.
#pragma once

#include <stdexcept>
#include <string>

#include "compiler/ir/program.h"

namespace tessera::ir {

std::string print(const Program& program);

// what() names the line, or the thing that names another which is not there.
class BadText : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// read(print(p)) is p. Throws BadText.
Program read(const std::string& text);

// tile:block+offset
std::string print(const Place& place, const Blocks& blocks);

}  // namespace tessera::ir
