#include "systemc/model/debug_access.h"

#include "systemc/model/csr.h"

namespace tessera::model {
namespace {

using chip::DebugSpace;

uint32_t status(const TileState& tile, uint64_t cycle) {
  const auto& e = tile.exception;
  return e.cause | static_cast<uint32_t>(e.context) << 4 | static_cast<uint32_t>(tile.is_held(kSupervisor)) << 8 |
         static_cast<uint32_t>(tile.excepted()) << 9 | static_cast<uint32_t>(tile.sync.requests_in(cycle)) << 10 |
         static_cast<uint32_t>(tile.sync.wait == Wait::kHsend) << 11 | static_cast<uint32_t>(tile.idle_in(cycle)) << 12;
}

uint32_t read_control(const TileState& tile, unsigned context, uint32_t number, uint64_t cycle) {
  switch (static_cast<DebugControl>(number)) {
    case DebugControl::kPc:
      return next_pc(tile, context);
    case DebugControl::kStatus:
      return status(tile, cycle);
    case DebugControl::kExceptionPc:
      return tile.exception.pc;
    case DebugControl::kExceptionValue:
      return tile.exception.value;
    case DebugControl::kCycleLow:
      return static_cast<uint32_t>(tile.exception.cycle);
    case DebugControl::kCycleHigh:
      return static_cast<uint32_t>(tile.exception.cycle >> 32);
    case DebugControl::kActive:
      return tile.workers.active();
    default:
      return 0;
  }
}

void set_pc(TileState& tile, unsigned context, uint32_t pc, uint64_t cycle) {
  tile.contexts[context].pc = pc;
  tile.contexts[context].pass = 0;
  if (context != kSupervisor) return;
  tile.supervisor.full = false;
  tile.supervisor.refetch = cycle + 1;
}

void start(TileState& tile, uint32_t pc, uint64_t cycle) {
  tile.exception = {};
  tile.sync.wait = Wait::kNothing;
  tile.packets.stop();
  tile.sequencer.stop();
  const bool consensus = tile.workers.consensus();
  tile.workers.stop_all();
  tile.workers.set_consensus(consensus);
  for (auto& issued : tile.pipeline) issued.valid = false;
  tile.held = 0;
  tile.stepping = 0;
  set_pc(tile, kSupervisor, pc, cycle);
}

void write_control(TileState& tile, unsigned context, uint32_t number, uint32_t value, uint64_t cycle) {
  const auto bit = static_cast<uint8_t>(1u << context);
  switch (static_cast<DebugControl>(number)) {
    case DebugControl::kStart:
      start(tile, value, cycle);
      break;
    case DebugControl::kHalt:
      tile.held |= bit;
      break;
    case DebugControl::kStep:
      tile.stepping |= bit;
      [[fallthrough]];
    case DebugControl::kResume:
      tile.held &= static_cast<uint8_t>(~bit);
      tile.exception = {};
      break;
    case DebugControl::kPc:
      set_pc(tile, context, value, cycle);
      break;
    default:
      break;
  }
}

}  // namespace

uint32_t debug_read(const TileState& tile, const chip::TileInputs& in) {
  const unsigned context = in.debug_context % kContexts;
  const uint32_t address = in.debug_address;
  switch (in.debug_space) {
    case DebugSpace::kMemory:
      return Memory::contains(address) ? tile.memory.read_word(address) : 0;
    case DebugSpace::kInteger:
      return tile.contexts[context].x[address & 31];
    case DebugSpace::kFloat:
      return static_cast<uint32_t>(tile.floats[context].f[address >> 1 & 31] >> (32 * (address & 1)));
    case DebugSpace::kCsr:
      return csr_read(tile, context, address & 0xfff, in.cycle);
    case DebugSpace::kControl:
      return read_control(tile, context, address, in.cycle);
  }
  return 0;
}

void debug_write(TileState& tile, const chip::TileInputs& in) {
  const unsigned context = in.debug_context % kContexts;
  const uint32_t address = in.debug_address;
  switch (in.debug_space) {
    case DebugSpace::kMemory:
      if (Memory::contains(address)) tile.memory.write_word(address & ~3u, in.debug_wdata);
      break;
    case DebugSpace::kInteger:
      if ((address & 31) != 0) tile.contexts[context].x[address & 31] = in.debug_wdata;
      break;
    case DebugSpace::kFloat: {
      auto& f = tile.floats[context].f[address >> 1 & 31];
      const unsigned shift = 32 * (address & 1);
      f = (f & ~(uint64_t{0xffffffff} << shift)) | uint64_t{in.debug_wdata} << shift;
      break;
    }
    case DebugSpace::kCsr:
      csr_write(tile, context, address & 0xfff, in.debug_wdata);
      break;
    case DebugSpace::kControl:
      write_control(tile, context, address, in.debug_wdata, in.cycle);
      break;
  }
}

}  // namespace tessera::model
