// What a program takes on a device of Tessera.
#pragma once

#include <cstdint>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <tessera/machine.hpp>

// Cycles of one run, less those of an empty program.
inline std::uint64_t cycles_of_program(const poplar::Device& device, const poplar::Graph& graph,
                                       const poplar::program::Program& program) {
  poplar::Engine engine(graph, {poplar::program::Sequence(), program});
  engine.load(device);
  std::uint64_t taken[2];
  for (const unsigned number : {0u, 1u}) {
    const std::uint64_t before = tessera::machineCounters(device).cycles;
    engine.run(number);
    taken[number] = tessera::machineCounters(device).cycles - before;
  }
  return taken[1] - taken[0];
}
