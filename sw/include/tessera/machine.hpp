// Tessera's own questions to the machine behind a device, beside Poplar's API: cycles by phase, hashes of memory,
// supersteps. They read the simulator and take no chip time. All throw poplar_error if the device holds no running
// machine or it is lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <poplar/Device.hpp>

namespace tessera {

// Since the last Engine::load. Cycles are chip cycles; compute, sync, exchange and host add up to `cycles`.
struct MachineCounters {
  std::uint64_t cycles;
  std::uint64_t compute, sync, exchange, host;
  std::uint64_t supersteps;
  std::uint64_t evaluated;  // tile-cycles that the simulator evaluated
  std::uint64_t skipped;    // tile-cycles of tiles that waited and were not
};

// At a superstep's start: the chip cycle and the hash of the contents of all tile memories.
struct Superstep {
  std::uint64_t index, cycle, hash;
};

// Name of the machine description, such as "mk2-16".
std::string machineName(const poplar::Device& device);
// "rtl", "model" or "lockstep".
std::string machineBackend(const poplar::Device& device);

MachineCounters machineCounters(const poplar::Device& device);
// Of the contents of all tile memories; equal for equal contents on every backend.
std::uint64_t memoryHash(const poplar::Device& device);

// Records supersteps from now on, or stops to; turn on before Engine::load. Makes the simulation slower.
void recordSupersteps(const poplar::Device& device, bool on);
// The supersteps recorded since the last call.
std::vector<Superstep> takeSupersteps(const poplar::Device& device);

// Leaves an FST of some tiles over some supersteps (0 ends at the first internal acknowledgement). Starts the machine
// anew: call before Engine::load. The file is complete when the device is detached or gone. Throws poplar_error if the
// device is not run by the RTL.
void leaveWaves(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles,
                std::uint64_t fromSuperstep, std::uint64_t supersteps);

}  // namespace tessera
