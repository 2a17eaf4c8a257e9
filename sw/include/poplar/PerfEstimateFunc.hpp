// What a vertex is expected to cost, and functions that say it for all vertices of a type.
#pragma once

#include <cstdint>
#include <functional>

#include <poplar/StandardHeaders.hpp>
#include <poplar/Target.hpp>

namespace poplar {

class VertexIntrospector;

// Cycles of its worker and floating-point operations; converts from a number of cycles.
struct VertexPerfEstimate {
  std::uint64_t cycles;
  std::uint64_t flops;
  VertexPerfEstimate() : cycles(0), flops(0) {}
  VertexPerfEstimate(std::uint64_t cycles, std::uint64_t flops = 0) : cycles(cycles), flops(flops) {}
};

// Called when an Engine or Executable is made, one vertex after another in one thread; what it throws is handed on.
using PerfEstimateFunc = std::function<VertexPerfEstimate(const VertexIntrospector& vertex, const Target& target)>;
using CycleEstimateFunc = PerfEstimateFunc;  // its older name

}  // namespace poplar
