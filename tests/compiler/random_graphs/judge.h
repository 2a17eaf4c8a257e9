// The judge: runs a recipe and compares, bit for bit, what the host sees with what the interpreter says.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tests/compiler/random_graphs/build_recipe.h"

namespace tessera::test {

struct Failure {
  std::string sort;  // that a shrunk recipe must share: "wrong value", or the exception's text without numbers
  std::string text;
};

// A compiler's mistake, planted: it is this recipe that is built.
using Miscompile = std::function<Recipe(const Recipe&)>;

class Judge {
 public:
  explicit Judge(OptionSet options, Miscompile miscompile = {})
      : options_(std::move(options)), miscompile_(std::move(miscompile)) {}

  // None if all is right. Throws Invalid if the recipe is not legal.
  std::optional<Failure> judge(const Recipe& recipe);
  const OptionSet& options() const { return options_; }

 private:
  OptionSet options_;
  Miscompile miscompile_;
  Machines machines_;
};

// What to show of a recipe that fails: the smallest that still does, as C++ and in words.
struct Report {
  Recipe smallest;
  std::string cpp;
  std::string text;
};
Report report(Judge& judge, const Recipe& recipe, const Failure& failure);

}  // namespace tessera::test
