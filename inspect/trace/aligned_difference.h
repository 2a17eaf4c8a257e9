// What differs between two runs of a program, or of a program before and after a change, in the program's terms: values
// by element, cycles by superstep, codelet and vertex. Supersteps are those with the same steps.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inspect/trace/program_story.h"

namespace tessera::inspect::trace {

// An element whose last value in a superstep is another, or that only one has written. -1: not written.
struct ValueDifference {
  uint64_t superstep = 0;  // in the first run
  uint32_t tile = 0;
  std::string part, element;
  struct Side {
    std::vector<int> bytes;  // from the element's first one on
    uint64_t cycle = 0;      // of the last write
    uint8_t lane = 0;
  };
  std::optional<Side> first, second;
};

struct CyclePair {
  uint64_t first = 0, second = 0;              // cycles
  uint64_t first_times = 0, second_times = 0;  // how often it ran
  int64_t more() const { return static_cast<int64_t>(second - first); }
};
struct SuperstepPair {
  std::optional<uint64_t> first, second;  // their indices; none: the other run has no such superstep
  CyclePair cycles;
  std::string steps;
};

struct AlignedDifference {
  uint64_t values = 0;                        // elements written in a superstep, that are the same
  uint64_t values_differ = 0;                 // others
  std::vector<ValueDifference> first_values;  // the first ones in the order of time
  std::vector<SuperstepPair> supersteps;      // those whose cycles differ, or that only one has
  CyclePair all;
  std::map<std::string, CyclePair> codelets;  // all of them
  struct Vertex {
    uint32_t tile = 0;
    std::string name;
    CyclePair cycles;
  };
  std::vector<Vertex> vertices;  // those that differ, the largest difference first
  bool equal() const { return values_differ == 0 && supersteps.empty() && vertices.empty(); }
};

// Of a run of each. `same_program`: addresses that the program does not name are compared too. At most `most` values
// are kept.
AlignedDifference compare_by_program(TraceReader& first, TraceReader& second, size_t run, const Selection&,
                                     bool same_program, size_t most);

// Pairs of places in both lists that hold the same steps, ascending in both.
std::vector<std::pair<size_t, size_t>> align(const std::vector<SuperstepOutline>&,
                                             const std::vector<SuperstepOutline>&);

}  // namespace tessera::inspect::trace
