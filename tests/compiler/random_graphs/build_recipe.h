// Builds a recipe with Poplar's API and runs it.
#pragma once

#include <map>
#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/compiler/random_graphs/interpreter.h"

namespace tessera::test {

// Options of the engine, by name.
struct OptionSet {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};

// The sets that every judged recipe may be run with: all passes on, and, for each pass that an option turns off, that
// one off. The first is what a program gets that asks for nothing.
const std::vector<OptionSet>& option_sets();

// The machines that recipes are for, attached once: the fast model, or what TESSERA_BACKEND says.
class Machines {
 public:
  // As Interpretation::seen, all of it known. `wanted` says how much the streams bring. Whatever goes wrong is thrown.
  std::vector<Observation> run(const Recipe& recipe, const Interpretation& wanted, const OptionSet& options);

 private:
  poplar::Device& named(const std::string& machine);
  std::map<std::string, poplar::Device> devices_;
};

}  // namespace tessera::test
