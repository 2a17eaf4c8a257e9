// Random small graphs: what the compiled program leaves is what the interpreter says, bit for bit.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "tb/random/random.h"
#include "tb/tier.h"
#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/generate.h"
#include "tests/compiler/random_graphs/judge.h"

using namespace tessera::test;

namespace {

// How often each construct was in a recipe; of steps and codelets, whether they were executed.
class Coverage {
 public:
  void add(Recipe& recipe) {
    std::set<std::string> all = interpret(recipe).reached;
    for (const View* view : views(recipe))
      for (const ViewOp& op : view->ops) all.insert("view operation " + std::to_string(static_cast<int>(op.is)));
    for (const Variable& variable : recipe.variables) {
      all.insert(std::string("variable ") + info(variable.kind).api);
      if (variable.constant) all.insert("constant");
      if (variable.values.empty()) all.insert("undefined variable");
      if (count(variable.shape) > 60) all.insert("large variable");
    }
    all.insert(recipe.machine);
    if (!recipe.initials.empty()) all.insert("initial values of a part");
    for (const HostAction& action : recipe.actions)
      all.insert("host action " + std::to_string(static_cast<int>(action.is)));
    for (const std::string& what : all) ++times_[what];
  }

  // What was seen less often than that.
  std::string below(unsigned least) const {
    std::vector<std::string> wanted = {"Copy",
                                       "Execute",
                                       "Execute with a predicate",
                                       "Copy from a stream",
                                       "Copy to a stream",
                                       "WriteUndef",
                                       "Sync",
                                       "Call",
                                       "Repeat",
                                       "RepeatWhileTrue",
                                       "RepeatWhileFalse",
                                       "If",
                                       "Switch",
                                       "a case of a Switch",
                                       "the default of a Switch",
                                       "Sequence",
                                       "constant",
                                       "undefined variable",
                                       "large variable",
                                       "initial values of a part",
                                       "AbortOnCondition",
                                       "mk2-4",
                                       "mk2-16",
                                       "mk1-4",
                                       "small-4"};
    for (int action = 0; action <= static_cast<int>(HostAction::Is::kLoad); ++action)
      wanted.push_back("host action " + std::to_string(action));
    for (const Instance& instance : instances()) wanted.push_back(vertex_name(instance));
    for (int op = 0; op <= static_cast<int>(ViewOp::Is::kReinterpret); ++op)
      wanted.push_back("view operation " + std::to_string(op));
    for (unsigned kind = 0; kind < kNumKinds; ++kind)
      wanted.push_back(std::string("variable ") + info(static_cast<Kind>(kind)).api);
    std::string text;
    for (const std::string& what : wanted) {
      const auto found = times_.find(what);
      const unsigned times = found == times_.end() ? 0 : found->second;
      if (times < least) text += what + ": " + std::to_string(times) + "\n";
    }
    return text;
  }

 private:
  std::map<std::string, unsigned> times_;
};

}  // namespace

// TESSERA_SEED chooses the first graph; graph n of a run has seed TESSERA_SEED + n, so that the seed which a failure
// names, with TESSERA_PROGRAMS=1, repeats it alone.
TEST_CASE("compiled random graphs leave what an interpreter of the graph says, bit for bit") {
  const std::uint64_t seed = seed_from_environment(1);
  const char* limit = std::getenv("TESSERA_PROGRAMS");
  const std::uint64_t graphs = limit != nullptr ? std::strtoull(limit, nullptr, 0) : in_tier(1'000, 10'000);
  std::cout << "TESSERA_SEED=" << seed << ", " << graphs << " graphs" << std::endl;

  // Code that is checked complains of undefined elements that are read, and of nothing else here.
  const char* check = std::getenv("TESSERA_CHECK");
  const bool checked = check != nullptr && std::string(check) == "1";

  std::vector<Judge> judges;
  for (const OptionSet& options : option_sets()) judges.emplace_back(options);
  Coverage coverage;
  for (std::uint64_t n = 0; n < graphs; ++n) {
    Recipe recipe = random_recipe(seed + n);
    if (checked && interpret(recipe).reads_undefined) continue;
    coverage.add(recipe);
    // With all passes, and with each of the other sets by turns.
    std::set<std::size_t> with = {0};
    if (judges.size() > 1) with.insert(1 + n % (judges.size() - 1));
    for (const std::size_t which : with) {
      const auto failure = judges[which].judge(recipe);
      if (!failure) continue;
      const Report shrunk = report(judges[which], recipe, *failure);
      std::ofstream("random_graph.cpp") << shrunk.cpp;
      std::cout << shrunk.cpp << std::endl;
      FAIL("TESSERA_SEED=" << seed + n << ", options " << judges[which].options().name << ": " << shrunk.text
                           << "\nabove, and in random_graph.cpp of the folder where the test ran");
    }
  }
  if (limit != nullptr) return;
  INFO("in fewer than 5 of " << graphs << " graphs:");
  CHECK(coverage.below(5) == "");
}
