#include "tests/compiler/random_graphs/judge.h"

#include <fmt/format.h>

#include "tests/compiler/random_graphs/print_cpp.h"
#include "tests/compiler/random_graphs/shrink_recipe.h"

namespace tessera::test {
namespace {

constexpr unsigned kMostTries = 4000;

std::optional<Failure> compare(const std::vector<Observation>& found, const std::vector<Observation>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Kind kind = wanted[i].kind;
    for (std::size_t k = 0; k < wanted[i].elements.size(); ++k) {
      const Element& right = wanted[i].elements[k];
      const std::uint64_t bits = found[i].elements.at(k).bits;
      if (!right.known || bits == right.bits) continue;
      return Failure{"wrong value", fmt::format("{}: element {} is {}, not {}", wanted[i].what, k, literal(kind, bits),
                                                literal(kind, right.bits))};
    }
  }
  return std::nullopt;
}

std::string without_numbers(const std::string& text) {
  std::string rest;
  for (const char c : text.substr(0, 60))
    if (c < '0' || c > '9') rest += c;
  return rest;
}

}  // namespace

std::optional<Failure> Judge::judge(const Recipe& recipe) {
  const Interpretation wanted = interpret(recipe);
  std::vector<Observation> found;
  try {
    found = machines_.run(miscompile_ ? miscompile_(recipe) : recipe, wanted, options_);
  } catch (const Invalid&) {
    throw;
  } catch (const std::exception& error) {
    return Failure{without_numbers(error.what()), std::string("exception: ") + error.what()};
  }
  return compare(found, wanted.seen);
}

Report report(Judge& judge, const Recipe& recipe, const Failure& failure) {
  unsigned tries = 0;
  const auto fails = [&](const Recipe& smaller) {
    if (++tries > kMostTries) return false;
    try {
      const auto again = judge.judge(smaller);
      return again && again->sort == failure.sort;
    } catch (const Invalid&) {
      return false;
    }
  };
  Report result;
  result.smallest = shrink(recipe, fails);
  result.cpp = print_cpp(result.smallest, interpret(result.smallest), judge.options());
  const auto left = judge.judge(result.smallest);
  result.text = fmt::format("{}\nshrunk in {} tries to what fails with: {}", failure.text, tries,
                            left ? left->text : "nothing: it does not fail always");
  return result;
}

}  // namespace tessera::test
