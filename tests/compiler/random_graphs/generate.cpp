#include "tests/compiler/random_graphs/generate.h"

#include <memory>

#include "tests/compiler/random_graphs/generate_vertices.h"
#include "tests/compiler/random_graphs/interpreter.h"
#include "tests/compiler/random_graphs/unused.h"

namespace tessera::test {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    recipe_.machine = random_.pick({"mk2-4", "mk2-4", "mk2-4", "mk2-4", "mk2-16", "mk2-16", "mk1-4", "small-4"});
    recipe_.tiles = recipe_.machine == "mk2-16" ? 16 : 4;
    views_ = std::make_unique<ViewGenerator>(random_, recipe_);
    vertices_ = std::make_unique<VertexGenerator>(random_, recipe_, *views_);
    // Few kinds, so that they meet; int for what control flow follows.
    kinds_ = {Kind::kInt, random_.pick({Kind::kFloat, Kind::kHalf, Kind::kInt, Kind::kFloat, Kind::kUnsignedChar}),
              static_cast<Kind>(random_.below(kNumKinds))};
  }

  Recipe make() {
    for (std::uint32_t n = 3 + random_.below(4); n > 0; --n) views_->add_variable(kind());
    for (std::uint32_t n = random_.below(3); n > 0; --n) add_function();
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) {
      budget_ = 3 + random_.below(10);
      recipe_.programs.push_back(body(0));
    }
    if (random_.one_in(3)) add_initial();
    for (std::uint32_t n = random_.below(3); n > 0; --n) add_handle(random_.one_in(2));
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) add_run();
    recipe_.programs.push_back({{Is::kExecute, vertices_->add_whole_palette(), {}, {}, {}}});
    remove_unreachable(recipe_);
    return std::move(recipe_);
  }

 private:
  using Is = Step::Is;

  Kind kind() { return kinds_[random_.below(3)]; }

  void add_function() {
    budget_ = 1 + random_.below(4);
    Body steps = body(1);
    recipe_.functions.push_back(std::move(steps));
  }

  void add_initial() {
    const Kind of = kind();
    const View view = views_->any(of, true);
    recipe_.initials.push_back({view, views_->values(of, views_->elements(view))});
    if (recipe_.initials.back().values.empty()) recipe_.initials.pop_back();
  }

  void add_handle(bool write) {
    const View view = views_->any(kind(), write);
    if (views_->elements(view) > 0) recipe_.handles.push_back({write, view});
  }

  void add_run() {
    if (!recipe_.actions.empty() && random_.one_in(6)) recipe_.actions.push_back({HostAction::Is::kLoad, 0, {}});
    for (unsigned h = 0; h < recipe_.handles.size(); ++h) {
      if (random_.one_in(3)) continue;
      if (!recipe_.handles[h].write) {
        recipe_.actions.push_back({HostAction::Is::kRead, h, {}});
        continue;
      }
      const Shown shown = show(recipe_, recipe_.handles[h].view);
      recipe_.actions.push_back({HostAction::Is::kWrite, h, views_->values(shown.kind, shown.elements.size())});
    }
    const auto program = random_.below(static_cast<std::uint32_t>(recipe_.programs.size()));
    recipe_.actions.push_back({HostAction::Is::kRun, program, {}});
  }

  Body body(unsigned depth) {
    Body steps;
    const std::uint32_t most = depth == 0 ? 12 : 4;
    for (std::uint32_t n = 1 + random_.below(most); n > 0 && budget_ > 0; --n) {
      --budget_;
      add_step(steps, depth);
    }
    return steps;
  }

  void add_step(Body& steps, unsigned depth) {
    switch (random_.below(depth < 3 ? 24 : 16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        return add_copy(steps);
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
        return add_execute(steps);
      case 11:
      case 12:
        return add_transfers(steps);
      case 13:
        if (!recipe_.functions.empty())
          steps.push_back({Is::kCall, random_.below(static_cast<std::uint32_t>(recipe_.functions.size())), {}, {}, {}});
        return;
      case 14:
        if (random_.one_in(2)) steps.push_back({Is::kSync, random_.below(3), {}, {}, {}});
        if (random_.one_in(6)) steps.push_back({Is::kAbortIf, 0, {views_->vector(Kind::kBool, false, 1)}, {}, {}});
        return;
      case 15:
        if (random_.one_in(2)) steps.push_back({Is::kWriteUndef, 0, {views_->any(kinds_[1], true)}, {}, {}});
        return;
      case 16:
      case 17:
        steps.push_back({Is::kRepeat, random_.below(5), {}, {body(depth + 1)}, {}});
        return;
      case 18:
      case 19:
        return add_while(steps, depth);
      case 20:
      case 21: {
        const Kind of = random_.pick({Kind::kBool, Kind::kInt, kind()});
        if (is_floating(of) || info(of).bytes > 4) return;
        const View predicate = views_->vector(of, false, 1);
        steps.push_back({Is::kIf, 0, {predicate}, {body(depth + 1), body(depth + 1)}, {}});
        return;
      }
      case 22:
        return add_switch(steps, depth);
      default:
        steps.push_back({Is::kSequence, 0, {}, {body(depth + 1)}, {}});
    }
  }

  void add_copy(Body& steps) {
    const Kind of = kind();
    for (unsigned tries = 0; tries < 4; ++tries) {
      const View to = views_->any(of, true);
      const std::size_t n = views_->elements(to);
      if (n == 0 && !random_.one_in(4)) continue;
      const View from = views_->vector(of, false, n);
      if (overlap(show(recipe_, from), show(recipe_, to))) continue;
      steps.push_back({Is::kCopy, 0, {from, to}, {}, {}});
      return;
    }
  }

  void add_execute(Body& steps) {
    const auto sets = static_cast<std::uint32_t>(recipe_.compute_sets.size());
    Step step{Is::kExecute, 0, {}, {}, {}};
    step.number = sets > 0 && random_.one_in(4) ? random_.below(sets) : vertices_->add_compute_set();
    for (const Vertex& vertex : recipe_.compute_sets[step.number].vertices)
      if (vertex.codelet == "CountDown") return;  // a loop's, which may not be disturbed
    if (random_.one_in(5)) step.views.push_back(views_->vector(random_.pick({Kind::kBool, Kind::kInt}), true, 1));
    steps.push_back(std::move(step));
  }

  // One alone, or some side by side or with copies between them.
  void add_transfers(Body& steps) {
    do {
      add_transfer(steps, random_.one_in(2));
      if (random_.one_in(6)) add_copy(steps);
    } while (random_.one_in(2));
  }

  void add_transfer(Body& steps, bool to_device) {
    const Kind of = kind();
    const View view = views_->any(of, to_device);
    const std::size_t n = views_->elements(view);
    if (n == 0) return;
    unsigned number = 0;  // a stream of this size that is there, or a new one
    while (number < recipe_.streams.size() &&
           (recipe_.streams[number].to_device != to_device || recipe_.streams[number].kind != of ||
            recipe_.streams[number].elements != n))
      ++number;
    if (number == recipe_.streams.size()) {
      const std::size_t transfers = to_device ? 1 + random_.below(3) : 0;
      recipe_.streams.push_back({to_device, of, n, views_->values(of, transfers * n)});
    }
    steps.push_back({to_device ? Is::kFromStream : Is::kToStream, number, {view}, {}, {}});
  }

  // A new variable that a loop alone writes; the view is one element of it.
  View reserved(Kind of) {
    const std::size_t size = 1 + random_.below(3);
    View view{views_->add_variable(of, {size}), {}};
    recipe_.variables[view.variable].constant = false;
    views_->reserve(view.variable);
    view.ops.push_back({ViewOp::Is::kIndex, {random_.below(static_cast<std::uint32_t>(size))}, {}});
    return view;
  }

  void add_while(Body& steps, unsigned depth) {
    const View left = reserved(Kind::kInt), more = reserved(Kind::kBool), done = reserved(Kind::kBool);
    const unsigned times = views_->add_variable(Kind::kInt, {1});
    Variable& constant = recipe_.variables[times];
    constant.constant = true;
    constant.read_at_end = false;
    constant.values = {element(Kind::kInt, random_.between(0, 3))};
    steps.push_back({Is::kCopy, 0, {{times, {}}, left}, {}, {}});

    Step turn{Is::kExecute, vertices_->add_count_down(left, more, done), {}, {}, {}};
    const bool until = random_.one_in(3);
    View predicate = until ? done : more;
    if (!until && random_.one_in(2)) {
      predicate = reserved(random_.pick({Kind::kBool, Kind::kInt}));
      turn.views.push_back(predicate);
    }
    Body condition;
    if (random_.one_in(3)) add_copy(condition);
    condition.push_back(std::move(turn));
    steps.push_back({until ? Is::kWhileFalse : Is::kWhileTrue, 0, {predicate}, {condition, body(depth + 1)}, {}});
  }

  void add_switch(Body& steps, unsigned depth) {
    Step step{Is::kSwitch, 0, {views_->vector(random_.one_in(3) ? Kind::kUnsigned : Kind::kInt, false, 1)}, {}, {}};
    for (std::int32_t value = -2; value < 6; ++value)
      if (random_.one_in(2)) step.cases.push_back(value);
    for (std::size_t i = 0; i <= step.cases.size(); ++i)
      step.bodies.push_back(random_.one_in(3) ? body(depth + 1) : body(3));
    steps.push_back(std::move(step));
  }

  Random random_;
  Recipe recipe_;
  std::unique_ptr<ViewGenerator> views_;
  std::unique_ptr<VertexGenerator> vertices_;
  std::vector<Kind> kinds_;
  unsigned budget_ = 0;  // steps
};

}  // namespace

Recipe random_recipe(std::uint64_t seed) {
  // What is not legal, or follows what nobody knows, is made anew from another part of the same stream.
  for (std::uint64_t attempt = 0;; ++attempt) {
    Recipe recipe = Generator(seed + (attempt << 40)).make();
    try {
      interpret(recipe);
      return recipe;
    } catch (const Invalid&) {
    }
  }
}

}  // namespace tessera::test
