#include "sim/model/debug_access.h"

#include <algorithm>

#include "rtl/spec/words.h"
#include "sim/model/csr.h"

namespace tessera::model {
namespace {

using chip::DebugSpace;
using spec::DebugControl;
using spec::DebugVector;
using spec::kAllContexts;

uint32_t status(const TileState& tile, uint64_t cycle) {
  const auto& e = tile.exception;
  return spec::TileStatus{.cause = e.cause,
                          .context_id = e.context,
                          .halted = tile.is_held(kSupervisor),
                          .excepted = tile.excepted(),
                          .requests = tile.sync.waits_in(cycle),
                          .sends = tile.sync.wait == Wait::kHsend && cycle >= tile.sync.from,
                          .idle = tile.idle_in(cycle),
                          .refused = tile.refused}
      .encode();
}

uint32_t read_control(const TileState& tile, unsigned context, uint32_t number, uint64_t cycle) {
  switch (number) {
    case DebugControl::kPc:
      return context < kContexts ? next_pc(tile, context) : 0;
    case DebugControl::kHalt:
      return tile.held;
    case DebugControl::kStatus:
      return status(tile, cycle + 1);  // looks in the next cycle
    case DebugControl::kExceptionPc:
      return tile.exception.pc;
    case DebugControl::kExceptionValue:
      return tile.exception.value;
    case DebugControl::kExceptionCycleLow:
      return static_cast<uint32_t>(tile.exception.cycle);
    case DebugControl::kExceptionCycleHigh:
      return static_cast<uint32_t>(tile.exception.cycle >> 32);
    case DebugControl::kActive:
      return tile.workers.active();
    case DebugControl::kArmedEvent:
      return tile.sequencer.armed_event();
    case DebugControl::kAutomaticSyncs:
      return tile.sync.automatic;
    case DebugControl::kBreakpoint0:
    case DebugControl::kBreakpoint1:
      return context < kContexts ? tile.triggers.breakpoint(context, number - DebugControl::kBreakpoint0) : 0;
    case DebugControl::kWatchpoint:
      return context < kContexts ? tile.triggers.watchpoint(context) : 0;
    case DebugControl::kTriggered:
      return tile.triggers.triggered();
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
  tile.sync.automatic = 0;
  tile.sync.coming = {};
  tile.packets.stop();
  tile.sequencer.stop();
  const bool consensus = tile.workers.consensus();
  tile.workers.stop_all();
  tile.workers.set_consensus(consensus);
  tile.drained = 0;
  for (auto& issued : tile.pipeline) {
    if (issued.cycle + kToM <= cycle) tile.drained = std::max(tile.drained, issued.ends);
    issued.valid = false;
  }
  tile.supervisor.ready = {};
  tile.supervisor.next_issue = tile.supervisor.serial_from = 0;
  for (auto& floats : tile.floats) floats.repeat = {};
  tile.held = 0;
  tile.stepping = 0;
  tile.triggers.pass_all();
  tile.triggers.go_on(0xff);
  for (auto& context : tile.contexts) context.pass = 0;
  set_pc(tile, kSupervisor, pc, cycle);
}

void write_control(TileState& tile, unsigned context, uint32_t number, uint32_t value, uint64_t cycle) {
  const auto chosen = static_cast<uint8_t>(context == kAllContexts ? (1u << kContexts) - 1 : 1u << context);
  switch (number) {
    case DebugControl::kStart:
      start(tile, value, cycle);
      break;
    case DebugControl::kHalt:
      tile.held |= chosen;
      break;
    case DebugControl::kStep:
      tile.stepping |= chosen;
      tile.triggers.stand_before(chosen);
      [[fallthrough]];
    case DebugControl::kResume:
      tile.triggers.go_on(chosen);
      tile.held &= static_cast<uint8_t>(~chosen);
      tile.exception = {};
      break;
    case DebugControl::kAutomaticSyncs:
      tile.sync.automatic = static_cast<uint8_t>(value);
      break;
    case DebugControl::kPc:
      if (context == kAllContexts) break;
      set_pc(tile, context, value, cycle);
      tile.triggers.pass(chosen);
      break;
    case DebugControl::kBreakpoint0:
    case DebugControl::kBreakpoint1:
      tile.triggers.set_breakpoint(chosen, number - DebugControl::kBreakpoint0, value);
      break;
    case DebugControl::kWatchpoint:
      tile.triggers.set_watchpoint(chosen, value);
      break;
    default:
      break;
  }
}

constexpr uint32_t kVectorNumbers = 128;  // of DebugSpace::kVector

// A word of the vector state of a worker, null when there is none; 64-bit latches by halves.
uint32_t* accumulator(EngineState& engine, uint32_t number) {
  auto& [a, s] = engine.accumulators;
  return number < DebugVector::kSum ? &a[number] : &s[number - DebugVector::kSum];
}
uint64_t* latch(EngineState& engine, uint32_t number) {
  uint64_t* latches[] = {&engine.x, &engine.p, &engine.r};
  return latches[(number - DebugVector::kLatchX) / 2];
}
uint32_t* repeat_word(Repeat& repeat, uint32_t number) {
  switch (number) {
    case DebugVector::kRepeatFirst:
      return &repeat.first;
    case DebugVector::kRepeatLast:
      return &repeat.last;
    case DebugVector::kRepeatLeft:
      return &repeat.left;
    default:
      return nullptr;
  }
}

uint32_t read_vector(const TileState& tile, unsigned context, uint32_t number) {
  if (context == 0) return tile.weights.word(number);
  auto engine = tile.floats[context].engine;
  auto repeat = tile.floats[context].repeat;
  if (number < DebugVector::kLatchX) return *accumulator(engine, number);
  if (number < DebugVector::kRepeatFirst) return static_cast<uint32_t>(*latch(engine, number) >> (32 * (number & 1)));
  const uint32_t* word = repeat_word(repeat, number);
  return word ? *word : 0;
}

void write_half(uint64_t& value, unsigned half, uint32_t word) {
  value = (value & ~(uint64_t{0xffffffff} << (32 * half))) | uint64_t{word} << (32 * half);
}

void write_vector(TileState& tile, unsigned context, uint32_t number, uint32_t value) {
  if (context == 0) return tile.weights.set_word(number, value);
  auto& engine = tile.floats[context].engine;
  if (number < DebugVector::kLatchX)
    *accumulator(engine, number) = value;
  else if (number < DebugVector::kRepeatFirst)
    write_half(*latch(engine, number), number & 1, value);
  else if (uint32_t* word = repeat_word(tile.floats[context].repeat, number))
    *word = value;
}

}  // namespace

bool debug_at_any_time(const chip::TileInputs& in) {
  if (in.debug_space != DebugSpace::kControl) return false;
  return !in.debug_write ||
         (in.debug_address != DebugControl::kPc && in.debug_address != DebugControl::kAutomaticSyncs);
}

uint32_t debug_read(const TileState& tile, const chip::TileInputs& in) {
  const unsigned context = in.debug_context % kContexts;
  const uint32_t address = in.debug_address;
  switch (in.debug_space) {
    case DebugSpace::kMemory:
      return tile.memory.contains(address) ? tile.memory.read_word(address) : 0;
    case DebugSpace::kInteger:
      return tile.contexts[context].x[address & 31];
    case DebugSpace::kFloat:
      return static_cast<uint32_t>(tile.floats[context].f[address >> 1 & 31] >> (32 * (address & 1)));
    case DebugSpace::kCsr:
      return csr_read(tile, context, address & 0xfff, in.cycle);
    case DebugSpace::kControl:
      return read_control(tile, in.debug_context, address, in.cycle);
    case DebugSpace::kVector:
      return read_vector(tile, context, address % kVectorNumbers);
  }
  return 0;
}

void debug_write(TileState& tile, const chip::TileInputs& in) {
  const unsigned context = in.debug_context % kContexts;
  const uint32_t address = in.debug_address;
  switch (in.debug_space) {
    case DebugSpace::kMemory:
      if (tile.memory.contains(address)) tile.memory.write_word(address & ~3u, in.debug_wdata);
      break;
    case DebugSpace::kInteger:
      if ((address & 31) != 0) tile.contexts[context].x[address & 31] = in.debug_wdata;
      break;
    case DebugSpace::kFloat:
      write_half(tile.floats[context].f[address >> 1 & 31], address & 1, in.debug_wdata);
      break;
    case DebugSpace::kCsr:
      csr_write(tile, context, address & 0xfff, in.debug_wdata);
      break;
    case DebugSpace::kControl:
      write_control(tile, in.debug_context, address, in.debug_wdata, in.cycle);
      break;
    case DebugSpace::kVector:
      write_vector(tile, context, address % kVectorNumbers, in.debug_wdata);
      break;
  }
}

}  // namespace tessera::model
