// A failing random program made small: what it does not need in order to fail is taken away, again and again, until no
// single instruction can go.
#pragma once

#include <functional>
#include <string>

#include "program_generator.h"

namespace tessera::test {

struct Shrunk {
  RandomProgram program;
  unsigned instructions = 0;  // that are left
  unsigned runs = 0;          // programs tried
};

// `fails` runs a program from power-up and says whether it still fails in the way that matters. The program given must
// fail. Stops early, with what it has, after `most_runs` tries.
//
// Instructions are taken away by putting `nop` in their place, so that branches and addresses stay; entry points and
// data by leaving them out.
Shrunk shrink(const RandomProgram&, const std::function<bool(const RandomProgram&)>& fails, unsigned most_runs);

// Entry points and instructions, without the nops; one line each.
std::string listing(const RandomProgram&);

}  // namespace tessera::test
