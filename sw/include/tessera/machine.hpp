// Tessera's own questions to the machine behind a device, beside Poplar's API: cycles by phase, hashes of memory,
// supersteps. They read the simulator and take no chip time. All throw poplar_error if the device holds no running
// machine or it is lost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <poplar/Device.hpp>

namespace tessera {

// Since the last Engine::load. Cycles are chip cycles, each in one of the phases: computing; waiting for a sync;
// exchanging between tiles; transferring words to or from the host; waiting for the host.
struct MachineCounters {
  std::uint64_t cycles;
  std::uint64_t compute, sync, exchange, transfer, host;  // they add up to `cycles`
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

// Looking inside. All of it works on RTL, model and both in lockstep, and changes neither results nor cycles. What the
// variable TESSERA_INSPECT says wins over what is asked here. All throw poplar_error that names what is wrong.

// Options as text, "key=value;..." (docs/reference/inspection.md), over those asked for before. Before Engine::load
// any; while a program is on the device waves, trace and gdb can be turned on and off.
void setInspection(const poplar::Device& device, const std::string& options);

// Leaves an FST of some tiles over some supersteps (superstep 0 ends at the first internal acknowledgement), and a save
// file for GTKWave beside it. `allSignals`: every signal of the RTL, not the architectural ones only; RTL only, and
// before Engine::load. The files are complete after finishFiles, or when the device is detached or gone.
void leaveWaves(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles,
                std::uint64_t fromSuperstep, std::uint64_t supersteps, bool allSignals = false);
// Leaves a trace of some tiles, or all ({}), for `tessera trace`.
void leaveTrace(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles = {});
// Lets gdb connect (docs/user/debugging.md), at any free port for 0; returns the port. `halt`: the program stands
// before its first instruction until the debugger lets it go.
unsigned startDebugger(const poplar::Device& device, unsigned port = 0, bool halt = false);
// The program found its results wrong: what the last supersteps were on these tiles (none: on all), told as a failure
// of the machine is, and left in the folder of the option on-failure.
std::string failedCheck(const poplar::Device& device, const std::string& what, const std::vector<unsigned>& tiles = {});
// Closes the files of waves and trace.
void finishFiles(const poplar::Device& device);

}  // namespace tessera
