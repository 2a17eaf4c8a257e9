// The points of a program: what a program does is cut into pieces of which each happens on a tile after the one before,
// and these stand in one row over all bodies.
//
// A body that one step enters stands inside that step; one that several enter, or that is a program or a function,
// stands by itself. Point 0 is the wait for the host between programs.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

struct StepPlace {
  std::uint32_t body = 0;            // that it is a step of
  std::uint32_t index = 0;           // of the body
  std::uint32_t first = 0, end = 0;  // points, with those of the bodies inside
  std::uint32_t own = 0;             // its own point; that of a loop with a condition is the test of its flag
};

struct BodyPlace {
  std::uint32_t first = 0, end = 0;  // points
  bool inside = false;               // a step; else it stands by itself
  std::uint32_t rank = 0;            // higher than those of the bodies that it enters
  std::vector<std::uint32_t> sites;  // numbers of the steps that enter it
};

struct ProgramPoints {
  std::uint32_t points = 1;
  std::vector<std::uint32_t> first_step;  // number of each body's first step: steps are numbered body by body
  std::vector<StepPlace> steps;           // by number
  std::vector<BodyPlace> bodies;
  std::vector<std::uint32_t> by_rank;        // bodies
  std::vector<std::uint32_t> step_of_point;  // numbers; ir::kNone for point 0

  const ir::Step& step(const ir::Program& program, std::uint32_t number) const {
    return program.bodies[steps[number].body][steps[number].index];
  }
};

// The bodies that a step enters, in order, the function of a call among them.
std::vector<std::uint32_t> entered_by(const ir::Program& program, const ir::Step& step);

ProgramPoints program_points(const ir::Program& program);

}  // namespace tessera::compiler
