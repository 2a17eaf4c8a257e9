// A recipe as a C++ program against Poplar's API: one file, which is the codelets' source too. It runs the recipe,
// says what differs from what it should leave, and returns 1 if anything does.
#pragma once

#include <string>

#include "tests/compiler/random_graphs/build_recipe.h"
#include "tests/compiler/random_graphs/interpreter.h"

namespace tessera::test {

// `wanted`: of the recipe, by the interpreter.
std::string print_cpp(const Recipe& recipe, const Interpretation& wanted, const OptionSet& options);
// The lines of it that make graph and programs.
std::string print_graph(const Recipe& recipe);
// "v3.slice(0, 4, 1).reverse(0)"
std::string print(const View& view);

}  // namespace tessera::test
