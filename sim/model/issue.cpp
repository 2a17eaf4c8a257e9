#include "sim/model/issue.h"

#include <algorithm>

namespace tessera::model {
namespace {

// The debugger's step of a context, or its stand before a breakpoint, is over with an issue: of the supervisor in that
// cycle, of a worker in the next, when it is known to be a last pass.
void step_done(TileState& tile, unsigned context) {
  const auto bit = static_cast<uint8_t>(1u << context);
  tile.triggers.pass(bit);
  if (!(tile.stepping & bit)) return;
  tile.stepping &= static_cast<uint8_t>(~bit);
  tile.held |= bit;
}

void enter_pipeline(TileState& tile, uint64_t cycle, unsigned context, uint32_t pc, const Decoded& d, bool fault) {
  auto& slot = tile.pipeline[cycle & 7];
  slot.valid = true;
  slot.fetch_fault = fault;
  slot.context = static_cast<uint8_t>(context);
  slot.active = tile.workers.active();
  slot.pc = pc;
  slot.cycle = cycle;
  slot.d = d;
  const uint64_t latency = d.unit == spec::Unit::Weights ? WeightState::kPipeline : kLatency;
  slot.ends = cycle + latency;
  tile.drained = std::max(tile.drained, slot.ends);
  if (context == kSupervisor) step_done(tile, kSupervisor);
}

const Decoded& no_instruction() {
  static const Decoded none = [] {
    Decoded d;
    d.traits = Decoded::kNotSupervisor | Decoded::kNotWorker;
    return d;
  }();
  return none;
}

uint32_t issue_worker(TileState& tile, uint64_t cycle, unsigned number) {
  auto& context = tile.contexts[number];
  const uint32_t pc = context.pc;
  if (context.pass == 0 && tile.triggers.stops(number, pc)) {
    tile.stopping = static_cast<uint8_t>(1u << number);
    return 0;
  }
  if (!tile.memory.executable(pc)) {
    enter_pipeline(tile, cycle, number, pc, no_instruction(), true);
    return 0;
  }
  const Decoded& d = tile.memory.fetch(pc);
  if (d.slots > 1 && !(d.traits & Decoded::kNotWorker) && passes_on(context, d)) {
    tile.drained = std::max(tile.drained, cycle + kLatency);
    return pc;
  }
  enter_pipeline(tile, cycle, number, pc, d, false);
  return pc;
}

uint32_t fetch_supervisor(TileState& tile) {
  auto& s = tile.supervisor;
  auto& pc = tile.contexts[kSupervisor].pc;
  s.full = true;
  s.pc = pc;
  s.fetch_fault = !tile.memory.executable(pc);
  s.d = s.fetch_fault ? no_instruction() : tile.memory.fetch(pc);
  pc += 4;
  return s.fetch_fault ? 0 : s.pc;
}

bool interlocked(const SupervisorIssue& s, uint64_t cycle) {
  const auto& d = s.d;
  if (cycle < s.next_issue) return true;
  if (d.traits & Decoded::kNotSupervisor) return false;  // excepts: names no register
  if ((d.traits & Decoded::kSerialising) && cycle < s.serial_from) return true;
  return ((d.traits & Decoded::kReadsX1) && cycle < s.ready[d.rs1]) ||
         ((d.traits & Decoded::kReadsX2) && cycle < s.ready[d.rs2]) ||
         ((d.traits & Decoded::kWritesX) && cycle < s.ready[d.rd]);
}

void begin_wait(TileState& tile, const Decoded& d, uint64_t cycle) {
  if (d.opcode == spec::Opcode::Sync) {
    const uint32_t zone = spec::SyncOperand::decode(static_cast<uint32_t>(d.imm)).zone;
    if (!spec::is_waited_for(zone)) return;  // excepts in M
    tile.sync.wait = static_cast<Wait>(zone);
  } else if (d.opcode == spec::Opcode::Hsend) {
    tile.sync.wait = Wait::kHsend;
  } else {
    return;
  }
  tile.sync.from = cycle + kLatency;
  tile.sync.acknowledged = false;
}

uint32_t issue_supervisor(TileState& tile, uint64_t cycle) {
  auto& s = tile.supervisor;
  if (tile.sync.wait != Wait::kNothing) {
    if (!tile.wait_is_over(cycle)) return 0;
    tile.sync.wait = Wait::kNothing;
  }
  if (!s.full) return cycle >= s.refetch ? fetch_supervisor(tile) : 0;
  if (interlocked(s, cycle) || tile.sans_waits(cycle)) return 0;
  if (tile.contexts[kSupervisor].pass == 0 && tile.triggers.stops(kSupervisor, s.pc)) {
    tile.stopping = 1u << kSupervisor;
    return 0;
  }

  const bool legal = !(s.d.traits & Decoded::kNotSupervisor);
  s.serial_from = cycle + kLatency;
  if (legal) {
    if (s.d.traits & Decoded::kSerialising) s.next_issue = cycle + kLatency;
    if (s.d.slots > 1 && passes_on(tile.contexts[kSupervisor], s.d)) {
      s.passed = cycle;
      tile.drained = std::max(tile.drained, cycle + kLatency);
      return 0;
    }
    if ((s.d.traits & Decoded::kWritesX) && s.d.rd != 0) s.ready[s.d.rd] = cycle + kLatency;
    begin_wait(tile, s.d, cycle);
  }
  enter_pipeline(tile, cycle, kSupervisor, s.pc, s.d, s.fetch_fault);
  if (legal && (s.d.traits & Decoded::kRedirects)) {
    s.full = false;
    s.refetch = cycle + kLatency - 1;
    return 0;
  }
  return fetch_supervisor(tile);
}

// The debugger holds a context between instructions, not between the passes of one.
bool may_issue(const TileState& tile, unsigned context) {
  return !tile.is_held(context) || tile.contexts[context].pass != 0;
}

}  // namespace

uint32_t issue(TileState& tile, uint64_t cycle, unsigned slot) {
  if (tile.stepping || tile.triggers.any_before()) {
    const auto& last = tile.pipeline[(cycle - 1) & 7];
    if (last.valid && last.context != kSupervisor) step_done(tile, last.context);
  }
  if (tile.workers.is_active(slot)) return may_issue(tile, slot + 1) ? issue_worker(tile, cycle, slot + 1) : 0;
  return may_issue(tile, kSupervisor) ? issue_supervisor(tile, cycle) : 0;
}

}  // namespace tessera::model
