// All state of a model tile, as plain parts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/model/context.h"
#include "sim/model/decode.h"
#include "sim/model/exchange_sequencer.h"
#include "sim/model/memory.h"
#include "sim/model/packet_port.h"
#include "sim/model/port_fault.h"
#include "sim/model/sync_port.h"
#include "sim/model/triggers.h"
#include "sim/model/weight_state.h"
#include "sim/model/worker_control.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

// An instruction between its issue and M. The record belongs to the last pass of one that holds several slots.
struct Issued {
  bool valid = false;
  bool fetch_fault = false;
  uint8_t context = 0;
  uint8_t active = 0;  // workers active in the issue cycle
  uint32_t pc = 0;
  uint64_t cycle = 0;
  uint64_t ends = 0;  // first cycle in which it is in no stage, if not squashed before
  Decoded d;
};
constexpr uint64_t kToM = 4;      // cycles from issue to M
constexpr uint64_t kLatency = 6;  // and to the first that sees its effects

// The supervisor's fetch register and interlock (tile.md, Supervisor).
struct SupervisorIssue {
  bool full = false;
  bool fetch_fault = false;
  uint32_t pc = 0;  // of the instruction in the fetch register
  Decoded d;
  uint64_t refetch = 0;              // first cycle that may fetch into the empty register
  uint64_t next_issue = 0;           // first cycle that may issue, after a serialising instruction
  uint64_t passed = 0;               // last cycle in which a pass before its last issued
  uint64_t serial_from = 0;          // first cycle in which a serialising instruction may issue
  std::array<uint64_t, 32> ready{};  // by register: first cycle that may issue an instruction that names it
};

struct ArithmeticRegisters {
  std::array<FloatContext, kContexts> floats;  // by context; the supervisor's is unused
  WeightState weights;
};

struct ControlRegisters {
  spec::TileSite site;
  std::array<Context, kContexts> contexts;
  WorkerControl workers;
  SupervisorIssue supervisor;
  SyncPort sync;
  ExchangeSequencer sequencer;
  PacketPort packets;
  chip::TileWords words;               // on the inputs in the last cycle that was stepped
  uint32_t initial_float_control = 0;  // CSR xfpictl
  uint16_t initial_f8 = 0;             // CSR xf8i
  chip::ExceptionStatus exception;
  uint8_t held = 1;      // contexts the debugger holds; the supervisor after reset
  uint8_t stepping = 0;  // contexts that are held again after one instruction
  Triggers triggers;
  uint8_t stopping = 0;                      // a context that a breakpoint stops in this very cycle
  bool refused = false;                      // the last debug access
  bool reads = false, refuses_read = false;  // a debug read in the last cycle; it is refused
  ParityFault parity;
  std::array<Issued, 8> pipeline;  // by issue cycle mod 8
  uint64_t drained = 0;            // first cycle with nothing in the pipeline
};

struct TileRegisters : ArithmeticRegisters, ControlRegisters {  // all but memory
  bool excepted() const { return exception.cause != 0; }
  // What the supervisor waits for has come.
  bool wait_is_over(uint64_t cycle) const {
    if (cycle < sync.from) return sync.wait == Wait::kNothing;
    switch (sync.wait) {
      case Wait::kLocal:
        return workers.active() == 0;
      case Wait::kExchange:
        return !sequencer.exchanging();
      case Wait::kInternal:
      case Wait::kExternal:
      case Wait::kHost:
      case Wait::kReplica:
        return sync.acknowledged;
      case Wait::kReceive:
        return packets.awaited() == 0;
      case Wait::kHsend:
        return packets.sent(cycle);
      default:
        return true;
    }
  }
  bool awaits_words(uint64_t cycle) const {
    return sync.wait == Wait::kReceive && cycle >= sync.from && packets.awaited() != 0;
  }
  // The supervisor would issue a sans, but for those before it.
  bool sans_waits(uint64_t cycle) const {
    return sync.many() && supervisor.full && !supervisor.fetch_fault && supervisor.d.opcode == spec::Opcode::Sans &&
           wait_is_over(cycle);
  }
  bool is_held(unsigned context) const { return held >> context & 1; }
  bool all_held() const { return held == (1u << kContexts) - 1; }
  bool between_instructions() const {
    return std::ranges::all_of(contexts, [](const Context& context) { return context.pass == 0; });
  }
  // A breakpoint or a watched access: every context is held, and none steps any more.
  void hold_all() {
    held = (1u << kContexts) - 1;
    stepping = 0;
  }
  // The exchange's and the packets' ports do not use the memory.
  bool ports_rest() const {
    return excepted() || (!sequencer.busy() && !packets.sending() && !packets.receiving(words, site.tile_id));
  }
  // No instruction is under way, and none issues until an input comes: the debugger may look and write (tile.md).
  bool settled_in(uint64_t cycle) const {
    if (excepted()) return true;
    if (cycle < drained || workers.changing() || parity.is_due(cycle)) return false;
    for (unsigned worker = 0; worker < kWorkers; ++worker)
      if (workers.is_active(worker) && (!is_held(worker + 1) || contexts[worker + 1].pass != 0)) return false;
    if (is_held(kSupervisor)) return contexts[kSupervisor].pass == 0;
    const bool waits = sync.wait != Wait::kNothing && !wait_is_over(cycle);
    return waits || workers.active() == 0x3f || packets.requests_in(cycle) ||
           (workers.active() == 0 && sans_waits(cycle));
  }
  // Nothing changes until an input does (tile.md), as the port shows it in `cycle`.
  bool idle_in(uint64_t cycle) const {
    if (excepted()) return true;
    const bool no_worker_issues = workers.active() == 0 || (all_held() && between_instructions());
    return cycle >= drained && !parity.is_due(cycle) && no_worker_issues && !workers.changing() && ports_rest() &&
           ((is_held(kSupervisor) && contexts[kSupervisor].pass == 0) || sync.waits_in(cycle) || awaits_words(cycle) ||
            sans_waits(cycle) || packets.requests_in(cycle));
  }
};

struct TileState : TileRegisters {
  explicit TileState(const spec::TileGeometry& geometry) : memory(geometry) {}

  Memory memory;
  std::array<HostWeights, 4> host_weights{};  // kept for WeightState::seen_on_host
};

// Of the next instruction that the context issues.
inline uint32_t next_pc(const TileState& tile, unsigned context) {
  return context == kSupervisor && tile.supervisor.full ? tile.supervisor.pc : tile.contexts[context].pc;
}

}  // namespace tessera::model
