#include "tests/compiler/random_graphs/unused.h"

#include <algorithm>

namespace tessera::test {
namespace {

using Numbers = std::vector<unsigned*>;

// `users`: every number of an entry of the list that stands elsewhere in the recipe, asked for anew each time.
template <class T, class Users>
void remove_unused(std::vector<T>& list, const Users& users) {
  for (std::size_t at = list.size(); at-- > 0;) {
    const Numbers numbers = users();
    if (std::any_of(numbers.begin(), numbers.end(), [at](const unsigned* number) { return *number == at; })) continue;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    for (unsigned* number : users())
      if (*number > at) --*number;
  }
}

Numbers numbers_of(Recipe& recipe, std::initializer_list<Step::Is> steps) {
  Numbers numbers;
  for (Body* body : bodies(recipe))
    for (Step& step : *body)
      if (std::count(steps.begin(), steps.end(), step.is) > 0) numbers.push_back(&step.number);
  return numbers;
}

}  // namespace

void remove_unreachable(Recipe& recipe) {
  remove_unused(recipe.functions, [&] { return numbers_of(recipe, {Step::Is::kCall}); });
  remove_unused(recipe.streams, [&] { return numbers_of(recipe, {Step::Is::kFromStream, Step::Is::kToStream}); });
}

void remove_unused(Recipe& recipe) {
  remove_unreachable(recipe);
  remove_unused(recipe.compute_sets, [&] { return numbers_of(recipe, {Step::Is::kExecute}); });
  remove_unused(recipe.handles, [&] {
    Numbers numbers;
    for (HostAction& action : recipe.actions)
      if (action.is == HostAction::Is::kWrite || action.is == HostAction::Is::kRead) numbers.push_back(&action.number);
    return numbers;
  });
  std::vector<unsigned> seen_at_end;  // these stay, whoever else uses them
  for (unsigned v = 0; v < recipe.variables.size(); ++v)
    if (recipe.variables[v].read_at_end) seen_at_end.push_back(v);
  remove_unused(recipe.variables, [&] {
    Numbers numbers;
    for (View* view : views(recipe)) numbers.push_back(&view->variable);
    for (unsigned& v : seen_at_end) numbers.push_back(&v);
    return numbers;
  });
}

}  // namespace tessera::test
