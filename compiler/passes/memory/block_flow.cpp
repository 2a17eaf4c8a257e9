#include "compiler/passes/memory/block_flow.h"

#include <algorithm>

namespace tessera::compiler {
namespace {

Life joined(Life life) {
  std::sort(life.begin(), life.end());
  Life result;
  for (const Interval& i : life) {
    if (!result.empty() && i.first <= result.back().last + 1)
      result.back().last = std::max(result.back().last, i.last);
    else
      result.push_back(i);
  }
  return result;
}

}  // namespace

BlockFlow::BlockFlow(const ir::Program& program, const ProgramPoints& points)
    : program_(program), points_(points), relevant_(points.bodies.size()), covered_(points.bodies.size()) {
  for (std::uint32_t number = 0; number < points.steps.size(); ++number)
    for (const std::uint32_t body : entered_by(program, points.step(program, number)))
      if (!points.bodies[body].inside) alone_.push_back({points.steps[number].own, body});
  std::stable_sort(alone_.begin(), alone_.end(), [](const Entered& a, const Entered& b) { return a.point < b.point; });
}

Life BlockFlow::life(const std::vector<PointAccess>& accesses, bool loaded) {
  if (loaded) life_.push_back({0, 0});
  bool reads = false, ends = false;
  for (const PointAccess& a : accesses) reads |= a.reads, ends |= a.ends;
  if (reads && !ends) {
    life_ = {{0, points_.points - 1}};
  } else if (!reads) {
    for (const PointAccess& a : accesses)
      if (a.touches) cover(a.point, a.point + 1);
  } else {
    accesses_ = &accesses;
    find_relevant();
    bool between = false;
    for (const ir::Entry& entry : program_.entries) between |= before(entry.body, false);
    if (between) cover(0, 1);
    for (const ir::Entry& entry : program_.entries) leave_wanted(entry.body, between);
    for (auto rank = ranks_.rbegin(); rank != ranks_.rend(); ++rank) walk(points_.by_rank[*rank]);
    cover_alone();
    forget();
  }
  return joined(std::move(life_));
}

// Bodies from the inside out.
void BlockFlow::find_relevant() {
  for (const PointAccess& access : *accesses_) {
    const std::uint32_t number = points_.step_of_point[access.point];
    const std::uint32_t body = points_.steps[number].body;
    relevant_[body].steps.push_back(number);
    ranks_.insert(points_.bodies[body].rank);
  }
  for (auto rank = ranks_.begin(); rank != ranks_.end(); ++rank) {
    const std::uint32_t body = points_.by_rank[*rank];
    summarise(body);
    for (const std::uint32_t site : points_.bodies[body].sites) {
      const std::uint32_t outer = points_.steps[site].body;
      relevant_[outer].steps.push_back(site);
      ranks_.insert(points_.bodies[outer].rank);
    }
  }
}

void BlockFlow::summarise(std::uint32_t body) {
  Relevant& r = relevant_[body];
  r.is = true;
  std::sort(r.steps.begin(), r.steps.end());
  r.steps.erase(std::unique(r.steps.begin(), r.steps.end()), r.steps.end());
  for (const bool at_end : {false, true}) {
    bool wanted = at_end;
    for (auto step = r.steps.rbegin(); step != r.steps.rend(); ++step) wanted = through(*step, wanted);
    r.wanted_after[at_end] = wanted;
  }
}

// Whether the block is wanted before the body, when it is after it or not.
bool BlockFlow::before(std::uint32_t body, bool wanted) const {
  return relevant_[body].is ? relevant_[body].wanted_after[wanted] : wanted;
}

// What the block's accesses are at a point; null: none.
const PointAccess* BlockFlow::access_at(std::uint32_t point) const {
  const auto at = std::lower_bound(accesses_->begin(), accesses_->end(), point,
                                   [](const PointAccess& a, std::uint32_t p) { return a.point < p; });
  return at != accesses_->end() && at->point == point ? &*at : nullptr;
}

// The same of a step's own point, of a step.
bool BlockFlow::before_point(std::uint32_t number, bool wanted) const {
  const PointAccess* access = access_at(points_.steps[number].own);
  return access == nullptr ? wanted : access->reads || (wanted && !access->ends);
}

bool BlockFlow::through(std::uint32_t number, bool wanted) const {
  const ir::Step& step = points_.step(program_, number);
  if (step.kind == ir::StepKind::kWhile) {
    const auto condition = [&](bool again) {
      return before(step.bodies[0], before_point(number, wanted || before(step.bodies[1], again)));
    };
    return condition(condition(false));
  }
  const std::vector<std::uint32_t> bodies = entered_by(program_, step);
  if (bodies.empty()) return before_point(number, wanted);
  bool any = false;
  for (const std::uint32_t body : bodies) any |= before(body, wanted);
  return before_point(number, any);
}

void BlockFlow::walk(std::uint32_t body) {
  const BodyPlace& place = points_.bodies[body];
  const Relevant& r = relevant_[body];
  bool wanted = r.wanted_at_end;
  std::uint32_t end = place.end;
  for (auto step = r.steps.rbegin(); step != r.steps.rend(); ++step) {
    if (wanted) cover(points_.steps[*step].end, end);
    wanted = visit(*step, wanted);
    end = points_.steps[*step].first;
  }
  if (wanted) cover(place.first, end);
}

bool BlockFlow::visit_point(std::uint32_t number, bool wanted) {
  const std::uint32_t point = points_.steps[number].own;
  const PointAccess* access = access_at(point);
  const bool before = before_point(number, wanted);
  if ((access != nullptr && access->touches) || before) cover(point, point + 1);
  return before;
}

bool BlockFlow::visit(std::uint32_t number, bool wanted) {
  const ir::Step& step = points_.step(program_, number);
  if (step.kind == ir::StepKind::kWhile) {
    const bool again = through(number, wanted);  // at the beginning of the condition
    leave_wanted(step.bodies[1], again);
    const bool at_test = visit_point(number, wanted || before(step.bodies[1], again));
    leave_wanted(step.bodies[0], at_test);
    return again;
  }
  const std::vector<std::uint32_t> bodies = entered_by(program_, step);
  if (bodies.empty()) return visit_point(number, wanted);
  // The end of a repeated body is its beginning too.
  if (step.kind == ir::StepKind::kRepeat) wanted |= before(bodies[0], wanted);
  bool any = false;
  for (const std::uint32_t body : bodies) {
    leave_wanted(body, wanted);
    any |= before(body, wanted);
  }
  return visit_point(number, any);
}

void BlockFlow::leave_wanted(std::uint32_t body, bool wanted) {
  if (!wanted) return;
  const BodyPlace& place = points_.bodies[body];
  if (relevant_[body].is) {
    relevant_[body].wanted_at_end = true;
  } else if (place.inside) {
    cover(place.first, place.end);
  } else if (!covered_[body]) {
    covered_[body] = true;
    covered_list_.push_back(body);
    cover(place.first, place.end);
  }
}

void BlockFlow::cover(std::uint32_t begin, std::uint32_t end) {
  if (begin < end) life_.push_back({begin, end - 1});
}

// What is wanted across a call is so in all that the function does.
void BlockFlow::cover_alone() {
  for (std::size_t i = 0; i < life_.size(); ++i) {
    const Interval within = life_[i];
    auto at = std::lower_bound(alone_.begin(), alone_.end(), within.first,
                               [](const Entered& e, std::uint32_t point) { return e.point < point; });
    for (; at != alone_.end() && at->point <= within.last; ++at)
      if (!relevant_[at->body].is) leave_wanted(at->body, true);
  }
}

void BlockFlow::forget() {
  for (const std::uint32_t rank : ranks_) relevant_[points_.by_rank[rank]] = {};
  for (const std::uint32_t body : covered_list_) covered_[body] = false;
  ranks_.clear();
  covered_list_.clear();
}

}  // namespace tessera::compiler
