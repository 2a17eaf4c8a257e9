// What a recipe leaves, worked out from the recipe alone: nothing of the compiler is asked.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/compiler/random_graphs/recipe.h"

namespace tessera::test {

// Nobody knows what an element holds that was never written, or is undefined by WriteUndef.
struct Element {
  std::uint64_t bits = 0;
  bool known = false;
};

// What the host sees: a handle that it read, a variable at the end, or all that came from a stream.
struct Observation {
  std::string what;  // "h2 in action 1", "v3", "s0"
  Kind kind;
  std::vector<Element> elements;
};

struct Interpretation {
  std::vector<Observation> seen;  // actions in order, variables, streams
  std::set<std::string> reached;  // kinds of steps and codelets that were executed
  bool reads_undefined = false;   // some step read what nobody knows
};

// Throws Invalid if the recipe is not legal, if control flow follows an element that nobody knows, or if it takes more
// than some hundreds of steps.
Interpretation interpret(const Recipe& recipe);

// Throws Invalid if Poplar would refuse the recipe: also what is never executed is checked.
void check(const Recipe& recipe);
void check_compute_set(const Recipe& recipe, const ComputeSet& set);

// What a stream to the host holds behind the last transfer.
constexpr std::uint8_t kNeverWritten = 0xa5;

}  // namespace tessera::test
