// What a step reads and writes: the spans of blocks, for passes that move steps or ask what is still needed.
//
// Vertices reach states and the vectors in them (kVertex) by themselves: these are nobody else's, and not listed.
#pragma once

#include <vector>

#include "compiler/ir/program.h"

namespace tessera::ir {

// Each list is sorted by block and offset; neighbours are joined, nothing is empty.
struct Accesses {
  std::vector<Span> reads;
  std::vector<Span> writes;     // all of it, whatever happens
  std::vector<Span> may_write;  // perhaps, or in part
  bool fence = false;           // the host sees it, or it is a sync of its own: nothing moves over it
};

Accesses accesses(const Exchange& exchange);
Accesses accesses(const Program& program, const Compute& compute);

// Of a step without the bodies that it enters.
Accesses own_accesses(const Program& program, const Step& step);

// By body: all that its steps and the bodies they enter may do.
std::vector<Accesses> accesses_of_bodies(const Program& program);

// Of a step with the bodies that it enters.
Accesses accesses(const Program& program, const Step& step, const std::vector<Accesses>& bodies);

}  // namespace tessera::ir
