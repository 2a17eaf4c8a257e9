// Shrinks a program in which two tiles differ.
#pragma once

#include "pair_run.h"
#include "shrink.h"

namespace tessera::test {

struct SmallFailure {
  Shrunk shrunk;
  uint64_t cycle = 0;  // in which the shrunk program fails
  std::string report;  // how it does, and what is left of it
};

// `failed` has just run the program and found a difference. The small program fails in the same instruction, or
// likewise in none.
template <class Left, class Right>
SmallFailure shrink_failure(Left& left, Right& right, unsigned tile, const RandomProgram& program,
                            const PairRun<Left, Right>& failed, unsigned most_runs = 3000) {
  constexpr uint64_t kSlack = 2000;  // cycles
  const auto run = [&](const RandomProgram& candidate, SmallFailure* failure) {
    PairRun<Left, Right> pair(left, right, tile);
    pair.limit_cycles(failed.cycle() + kSlack);
    const bool fails = !pair.run(candidate) && pair.failing() == failed.failing();
    if (failure) {
      failure->cycle = pair.cycle();
      failure->report = pair.report();
    }
    return fails;
  };
  SmallFailure failure;
  failure.shrunk = shrink(program, [&run](const RandomProgram& p) { return run(p, nullptr); }, most_runs);
  run(failure.shrunk.program, &failure);
  failure.report +=
      fmt::format("shrunk to {} instructions in {} runs:\n", failure.shrunk.instructions, failure.shrunk.runs) +
      listing(failure.shrunk.program);
  return failure;
}

}  // namespace tessera::test
