#include "compiler/passes/memory/program_points.h"

#include <algorithm>
#include <utility>

namespace tessera::compiler {
namespace {

class Placement {
 public:
  explicit Placement(const ir::Program& program) : program_(program), placed_(program.bodies.size()) {
    all_.bodies.resize(program.bodies.size());
    all_.step_of_point.push_back(ir::kNone);
    number_steps();
    find_what_stands_alone();
  }

  ProgramPoints run() {
    for (const ir::Entry& entry : program_.entries) place_alone(entry.body);
    for (std::uint32_t body = 0; body < all_.bodies.size(); ++body)
      if (!all_.bodies[body].inside) place_alone(body);
    all_.points = static_cast<std::uint32_t>(all_.step_of_point.size());
    return std::move(all_);
  }

 private:
  void number_steps() {
    std::uint32_t number = 0;
    for (std::uint32_t body = 0; body < program_.bodies.size(); ++body) {
      all_.first_step.push_back(number);
      for (std::uint32_t i = 0; i < program_.bodies[body].size(); ++i, ++number) {
        all_.steps.push_back({.body = body, .index = i});
        for (const std::uint32_t entered : entered_by(program_, program_.bodies[body][i]))
          all_.bodies[entered].sites.push_back(number);
      }
    }
  }

  void find_what_stands_alone() {
    for (BodyPlace& body : all_.bodies) body.inside = body.sites.size() == 1;
    for (const ir::Entry& entry : program_.entries) all_.bodies[entry.body].inside = false;
    for (const std::uint32_t body : program_.functions)
      if (body != ir::kNone) all_.bodies[body].inside = false;
  }

  // Those that it enters and that stand alone too come before it.
  void place_alone(std::uint32_t body) {
    if (placed_[body]) return;
    placed_[body] = true;
    enter_alone(body);
    place_steps(body);
  }

  void enter_alone(std::uint32_t body) {
    for (const ir::Step& step : program_.bodies[body])
      for (const std::uint32_t entered : entered_by(program_, step)) {
        if (all_.bodies[entered].inside)
          enter_alone(entered);
        else
          place_alone(entered);
      }
  }

  void place_steps(std::uint32_t body) {
    BodyPlace& place = all_.bodies[body];
    place.first = next();
    for (std::uint32_t i = 0; i < program_.bodies[body].size(); ++i)
      place_step(all_.first_step[body] + i, program_.bodies[body][i]);
    place.end = next();
    place.rank = static_cast<std::uint32_t>(all_.by_rank.size());
    all_.by_rank.push_back(body);
  }

  void place_step(std::uint32_t number, const ir::Step& step) {
    StepPlace& place = all_.steps[number];
    place.first = next();
    const bool condition_first = step.kind == ir::StepKind::kWhile;
    if (condition_first) place_inside(step.bodies[0]);
    place.own = next();
    all_.step_of_point.push_back(number);
    for (std::size_t i = condition_first ? 1 : 0; i < step.bodies.size(); ++i) place_inside(step.bodies[i]);
    place.end = next();
  }

  void place_inside(std::uint32_t body) {
    if (all_.bodies[body].inside) place_steps(body);
  }

  std::uint32_t next() const { return static_cast<std::uint32_t>(all_.step_of_point.size()); }

  const ir::Program& program_;
  ProgramPoints all_;
  std::vector<bool> placed_;
};

}  // namespace

std::vector<std::uint32_t> entered_by(const ir::Program& program, const ir::Step& step) {
  std::vector<std::uint32_t> bodies = step.bodies;
  if (step.kind == ir::StepKind::kCall) bodies.push_back(program.functions[step.index]);
  return bodies;
}

ProgramPoints program_points(const ir::Program& program) { return Placement(program).run(); }

}  // namespace tessera::compiler
