#include "sim/model/burst.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/model/alu.h"
#include "sim/model/execute.h"
#include "sim/model/float/fp_fma_nearest.h"
#include "sim/model/float_unit.h"
#include "sim/model/issue.h"
#include "sim/model/stream_access.h"

namespace tessera::model {
namespace {

using spec::Opcode;
using spec::Unit;

constexpr unsigned kStackPointer = 2;

// No port moves, nobody is held or looks, and nothing changes who issues: until an instruction does, which is none of
// those that a burst runs.
bool is_calm(const TileState& tile, uint64_t cycle) {
  if (cycle < tile.pipeline.size()) return false;
  const bool quiet_ports = !tile.sequencer.busy() && !tile.packets.sending() && !tile.words.packet_valid &&
                           !tile.words.exchange_valid && !tile.words.pair_valid;
  const bool free = (tile.held | tile.stepping | tile.stopping) == 0 && !tile.triggers.any();
  if (!quiet_ports || !free || tile.excepted() || tile.memory.damaged() || tile.parity.due >= cycle) return false;
  for (uint64_t age = 1; age <= kToM; ++age) {
    const Issued& issued = tile.pipeline[(cycle - age) & 7];
    if (issued.valid && (issued.context == kSupervisor || issued.fetch_fault)) return false;
  }
  if (tile.workers.active() == 0 || tile.workers.changing() || !tile.sync.no_automatic()) return false;
  if (tile.workers.all_active()) return true;
  // A slot of the supervisor stays empty: what it waits for can only come from outside, or from a worker's exit.
  return tile.sync.wait != Wait::kNothing && cycle >= tile.sync.from && !tile.wait_is_over(cycle);
}

// Where a worker fetches: mostly from the same page as before.
class Text {
 public:
  // Null: nothing to execute is there.
  const Decoded* fetch(Memory& memory, uint32_t pc) {
    const uint32_t place = std::rotr(pc, 2);  // a pc that is not a word's has another page
    if (place / kEntries == page_) {
      const Decoded& d = first_[place % kEntries];
      if (!(d.traits & Decoded::kStale)) return &d;
    }
    if (!memory.executable(pc)) return nullptr;
    const Decoded& d = memory.fetch(pc);
    page_ = place / kEntries;
    first_ = &d - place % kEntries;
    return &d;
  }

 private:
  static constexpr uint32_t kEntries = Memory::kDecodedBytes / 4;
  const Decoded* first_ = nullptr;
  uint32_t page_ = ~uint32_t{0};
};

// A worker, and its instruction between issue and M. It issues again behind that: so there is one at most.
struct Worker {
  bool active = false;
  Context* context = nullptr;
  FloatContext* floats = nullptr;
  Text text;
  const Decoded* d = nullptr;  // null: none is under way
  uint32_t pc = 0;
  uint8_t number = 0;          // of its context
  uint64_t passed = 0;         // the last cycle in which it made a pass before the last
  uint64_t loads_weights = 0;  // in which it issued a load of weights
};

// Who is told what is written to memory.
struct Nobody {
  static void stored(uint32_t /*address*/, uint64_t /*data*/, uint8_t /*strobe*/) {}
};
struct Told {
  void stored(uint32_t address, uint64_t data, uint8_t strobe) const { observer->stored(tile, address, data, strobe); }
  chip::Observer* observer;
  unsigned tile;
};

// Any instruction that changes nothing but registers and memory. False: it excepts, or writes
// text that has been decoded.
[[gnu::noinline]] bool run_other(TileState& tile, const Worker& worker, uint32_t fetched, uint64_t cycle,
                                 Execution& execution) {
  Issued issued;
  issued.valid = true;
  issued.context = worker.number;
  issued.active = tile.workers.active();
  issued.pc = worker.pc;
  issued.cycle = cycle - kToM;
  issued.d = *worker.d;
  if (tile.weights.pending()) tile.weights.settle(issued.cycle);
  execute(tile, issued, fetched, execution);
  if (execution.cause != spec::Cause::None) return false;
  if (execution.record.mem_write && tile.memory.plain_word(execution.record.mem_address) == nullptr) return false;
  commit(tile, issued, execution);
  return true;
}

// The instruction in M. Each function does all that its instruction does, or nothing and says false: it excepts, or
// needs more than is known here.
template <class Watcher>
class Instruction {
 public:
  // `fetched`: the address fetched in `cycle`, 0: none.
  Instruction(TileState& tile, const Worker& worker, uint32_t fetched, uint64_t cycle, Execution& execution,
              const Watcher& watcher)
      : tile_(tile),
        memory_(tile.memory),
        worker_(worker),
        context_(*worker.context),
        floats_(*worker.floats),
        d_(*worker.d),
        execution_(execution),
        watcher_(watcher),
        cycle_(cycle),
        pc_(worker.pc),
        fetched_(fetched) {}

  bool run() {
    switch (d_.unit) {
      case Unit::Alu:
      case Unit::Multiply:
        return compute();
      case Unit::Branch:
        return branch();
      case Unit::Load:
        return load();
      case Unit::Store:
        return store();
      case Unit::FpFma:
        return multiply_add();
      case Unit::Amp:
        return apart();
      case Unit::System:
      case Unit::Fence:
        return false;
      default:
        return other();
    }
  }

  bool run_engine() { return d_.opcode == Opcode::F16v4hihov4amppace ? paced_step() : other(); }

 private:
  // Away from the loop, whose instructions it would take registers from.
  bool apart() const;

  uint32_t x(unsigned n) const { return context_.x[n]; }
  // The stack pointer has a limit.
  bool is_plain_target() const { return d_.rd != kStackPointer; }
  void write(uint32_t value) {
    context_.x[d_.rd] = value;
    context_.x[0] = 0;
  }
  bool done() {
    uint32_t next = pc_ + 4;
    if (auto& repeat = floats_.repeat; repeat.left != 0 && pc_ == repeat.last) {
      if (repeat.left > 1) next = repeat.first;
      --repeat.left;
    }
    context_.pc = next;
    return true;
  }

  bool compute() {
    if (!is_plain_target() || (d_.traits & Decoded::kNotWorker)) return false;
    const uint32_t b = d_.traits & Decoded::kReadsX2 ? x(d_.rs2) : static_cast<uint32_t>(d_.imm);
    write(alu_result(d_.opcode, x(d_.rs1), b, pc_));
    return done();
  }

  bool branch() {
    if (floats_.repeat.left != 0) return false;
    const bool links = d_.traits & Decoded::kWritesX;
    if (links && !is_plain_target()) return false;
    const uint32_t a = x(d_.rs1);
    uint32_t next = pc_ + 4;
    if (branch_taken(d_.opcode, a, x(d_.rs2)))
      next =
          d_.opcode == Opcode::Jalr ? (a + static_cast<uint32_t>(d_.imm)) & ~1u : pc_ + static_cast<uint32_t>(d_.imm);
    if (links) write(pc_ + 4);
    context_.pc = next;
    return true;
  }

  bool accepts(uint32_t address, unsigned bytes) const {
    return memory_.contains(address) && (address & (bytes - 1)) == 0 && !memory_.same_element(address, fetched_);
  }

  template <class Value>
  bool load_as(uint32_t address, Value& value) const {
    if (!accepts(address, sizeof(Value))) return false;
    const uint64_t bits = memory_.read(address) >> (8 * (address & 7));
    value = static_cast<Value>(bits);
    return true;
  }
  template <class Value>
  bool load_integer(uint32_t address) {
    Value value;
    if (!load_as(address, value)) return false;
    write(static_cast<uint32_t>(static_cast<int32_t>(value)));
    return done();
  }
  template <class Value>
  bool load_float(uint32_t address) {
    Value value;
    if (!load_as(address, value)) return false;
    floats_.f[d_.rd] = sizeof(Value) == 8 ? value : value | ~uint64_t{0} << (8 * sizeof(Value) & 63);
    return done();
  }
  bool load() {
    const uint32_t address = x(d_.rs1) + static_cast<uint32_t>(d_.imm);
    switch (d_.opcode) {
      case Opcode::Lb:
        return load_integer<int8_t>(address);
      case Opcode::Lbu:
        return load_integer<uint8_t>(address);
      case Opcode::Lh:
        return load_integer<int16_t>(address);
      case Opcode::Lhu:
        return load_integer<uint16_t>(address);
      case Opcode::Lw:
        return load_integer<int32_t>(address);
      case Opcode::Flh:
        return load_float<uint16_t>(address);
      case Opcode::Flw:
        return load_float<uint32_t>(address);
      case Opcode::Fld:
        return load_float<uint64_t>(address);
      default:
        return false;
    }
  }

  template <class Value>
  bool store_as(uint32_t address, uint64_t value) {
    if (!accepts(address, sizeof(Value))) return false;
    uint64_t* word = memory_.plain_word(address);
    if (!word) return false;
    const auto bits = static_cast<Value>(value);
    std::memcpy(reinterpret_cast<char*>(word) + (address & 7), &bits, sizeof bits);
    const unsigned lane = address & 7;
    watcher_.stored(address & ~7u, uint64_t{bits} << (8 * lane),
                    static_cast<uint8_t>(((1u << sizeof bits) - 1) << lane));
    return done();
  }
  bool store() {
    const uint32_t address = x(d_.rs1) + static_cast<uint32_t>(d_.imm);
    switch (d_.opcode) {
      case Opcode::Sb:
        return store_as<uint8_t>(address, x(d_.rs2));
      case Opcode::Sh:
        return store_as<uint16_t>(address, x(d_.rs2));
      case Opcode::Sw:
        return store_as<uint32_t>(address, x(d_.rs2));
      case Opcode::Fsh:
        return store_as<uint16_t>(address, floats_.f[d_.rs2]);
      case Opcode::Fsw:
        return store_as<uint32_t>(address, floats_.f[d_.rs2]);
      case Opcode::Fsd:
        return store_as<uint64_t>(address, floats_.f[d_.rs2]);
      default:
        return false;
    }
  }

  static bool is_boxed_f32(uint64_t value) { return value >> 32 == 0xffffffff; }
  bool rounds_to_nearest() const {
    const unsigned rm = spec::rm_of(d_.word);
    return (rm == 7 ? floats_.frm : rm) == 0;
  }
  bool multiply_add_f32(FpOp op) {
    const uint64_t a = floats_.f[d_.rs1], b = floats_.f[d_.rs2], c = floats_.f[d_.rs3];
    const bool three = op != FpOp::FADD && op != FpOp::FSUB && op != FpOp::FMUL;
    if (!is_boxed_f32(three ? a & b & c : a & b) || !rounds_to_nearest()) return other();
    uint32_t result = 0;
    if (!fma_nearest_f32(op, static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c), result,
                         floats_.fflags))
      return other();
    floats_.f[d_.rd] = box_f32(result);
    return done();
  }
  bool multiply_add() {
    switch (d_.opcode) {
      case Opcode::FaddS:
        return multiply_add_f32(FpOp::FADD);
      case Opcode::FsubS:
        return multiply_add_f32(FpOp::FSUB);
      case Opcode::FmulS:
        return multiply_add_f32(FpOp::FMUL);
      case Opcode::FmaddS:
        return multiply_add_f32(FpOp::FMADD);
      case Opcode::FmsubS:
        return multiply_add_f32(FpOp::FMSUB);
      case Opcode::FnmsubS:
        return multiply_add_f32(FpOp::FNMSUB);
      case Opcode::FnmaddS:
        return multiply_add_f32(FpOp::FNMADD);
      default:
        return other();
    }
  }

  // A step whose accesses are good: `x`, `p`, where they load, and `r` where it stores, which is at r_address.
  bool step(const uint32_t* x, const uint32_t* p, uint64_t* r, uint32_t r_address, uint64_t triple) {
    if (tile_.weights.pending()) tile_.weights.settle(cycle_ - kToM);
    const auto phase = static_cast<unsigned>(d_.imm) & 3;
    auto& engine = floats_.engine;
    uint64_t result = 0;
    if (!step_on_host(phase, engine.x, engine.p, tile_.weights.seen_on_host(phase, tile_.host_weights),
                      engine.accumulators, result))
      return other();
    if (x) engine.x = memory_.read(*x);
    if (p) engine.p = memory_.read(*p);
    if (r) *r = engine.r;
    if (r) watcher_.stored(r_address, engine.r, 0xff);
    engine.r = result;
    floats_.f[d_.rs1] = triple;
    return done();
  }

  bool paced_step() {
    if (floats_.stochastic() || (d_.imm & 4) != 0) return other();
    const auto pace = spec::pace_of(d_.word);
    if (pace.load_x && pace.load_p && pace.store_r) {
      // The common one: all three in region 1, where nothing is fetched.
      const uint64_t triple = floats_.f[d_.rs1];
      const uint32_t x = triple_address(triple, 0), p = triple_address(triple, 1), r = triple_address(triple, 2);
      const auto [lowest, highest] = std::minmax({x, p, r});
      if (lowest >= memory_.region1() && highest < memory_.end() && !memory_.same_element(x, p)) {
        uint64_t* word = memory_.plain_word(r);
        if (!word) return false;
        const uint64_t moved = triple_part(x + 8 * stride_of(floats_, pace.select_x), 0) |
                               triple_part(p + 8 * stride_of(floats_, pace.select_p), 1) |
                               triple_part(r + 8 * stride_of(floats_, pace.select_r), 2);
        return step(&x, &p, word, r, moved);
      }
    }
    const auto access = paced_access(floats_, d_);
    uint32_t address = 0;
    if (finds_bad_address(memory_, access, address) || finds_clash(memory_, access, fetched_, address)) return false;
    uint64_t* word = nullptr;
    if (access.uses(2)) {
      word = memory_.plain_word(access.address[2]);
      if (!word) return false;
    }
    return step(access.uses(0) ? &access.address[0] : nullptr, access.uses(1) ? &access.address[1] : nullptr, word,
                access.address[2], access.base);
  }

  bool other() const {
    if (!run_other(tile_, worker_, fetched_, cycle_, execution_)) return false;
    if (const auto& r = execution_.record; r.mem_write) watcher_.stored(r.mem_address, r.mem_data, r.mem_strobe);
    return true;
  }

  TileState& tile_;
  Memory& memory_;
  const Worker& worker_;
  Context& context_;
  FloatContext& floats_;
  const Decoded& d_;
  Execution& execution_;
  [[no_unique_address]] const Watcher watcher_;
  const uint64_t cycle_;
  const uint32_t pc_, fetched_;
};

template <class Watcher>
[[gnu::noinline]] bool run_apart(TileState& tile, const Worker& worker, uint32_t fetched, uint64_t cycle,
                                 Execution& execution, const Watcher& watcher) {
  return Instruction(tile, worker, fetched, cycle, execution, watcher).run_engine();
}
template <class Watcher>
bool Instruction<Watcher>::apart() const {
  return run_apart(tile_, worker_, fetched_, cycle_, execution_, watcher_);
}

// The workers' instructions under way: out of the tile's pipeline, and back into it.
class Workers {
 public:
  // All of the pipeline are of workers.
  Workers(TileState& tile, uint64_t cycle) : tile_(tile), begin_(cycle) {
    for (unsigned n = 0; n < kWorkers; ++n) {
      workers_[n].context = &tile.contexts[n + 1];
      workers_[n].floats = &tile.floats[n + 1];
      workers_[n].number = static_cast<uint8_t>(n + 1);
      workers_[n].active = tile.workers.is_active(n);
    }
    for (uint64_t age = 1; age <= kToM; ++age) {
      Issued& issued = tile.pipeline[(cycle - age) & 7];
      if (!std::exchange(issued.valid, false)) continue;
      const unsigned n = issued.context - 1u;
      before_[n] = issued.d;
      workers_[n].d = &before_[n];
      workers_[n].pc = issued.pc;
    }
  }
  Worker* slot(uint64_t cycle) { return &workers_[cycle % kWorkers]; }
  Worker* next(Worker* worker) { return worker == &workers_.back() ? &workers_.front() : worker + 1; }

  // All cycles before `cycle` have run.
  void put_back(uint64_t cycle) {
    for (uint64_t at = std::max(begin_, cycle - tile_.pipeline.size()); at < cycle; ++at) {
      const Worker& worker = workers_[at % kWorkers];
      if (!worker.active) continue;
      const uint64_t ends = at + (worker.loads_weights == at ? WeightState::kPipeline : kLatency);
      tile_.drained = std::max(tile_.drained, ends);
      if (worker.passed == at) continue;
      Issued& issued = tile_.pipeline[at & 7];
      issued.cycle = at;
      issued.ends = ends;
      issued.context = worker.number;
      issued.active = tile_.workers.active();
      issued.fetch_fault = false;
    }
    for (uint64_t age = 1; age <= kToM; ++age) {
      const Worker& worker = workers_[(cycle - age) % kWorkers];
      if (worker.d == nullptr) continue;
      Issued& issued = tile_.pipeline[(cycle - age) & 7];
      issued.valid = true;
      issued.pc = worker.pc;
      issued.d = *worker.d;
    }
  }

 private:
  TileState& tile_;
  const uint64_t begin_;
  std::array<Worker, kWorkers> workers_{};
  std::array<Decoded, kWorkers> before_{};  // of those that were under way at the beginning
};

template <class Watcher>
uint64_t run(TileState& tile, Execution& execution, uint64_t cycle, uint64_t end, const Watcher& watcher) {
  Workers workers(tile, cycle);
  Worker* issuing = workers.slot(cycle);
  Worker* in_m = workers.slot(cycle - kToM);
  for (; cycle < end; ++cycle, issuing = workers.next(issuing), in_m = workers.next(in_m)) {
    uint32_t pc = 0;
    const Decoded* next = nullptr;
    if (issuing->active) {
      pc = issuing->context->pc;
      next = issuing->text.fetch(tile.memory, pc);
      if (next == nullptr) break;
    }
    if (in_m->d != nullptr) {
      if (!Instruction(tile, *in_m, pc, cycle, execution, watcher).run()) break;
      in_m->d = nullptr;
    }
    if (next == nullptr) continue;
    if (next->slots > 1 && !(next->traits & Decoded::kNotWorker) && passes_on(*issuing->context, *next)) {
      issuing->passed = cycle;
      continue;
    }
    if (next->unit == Unit::Weights) issuing->loads_weights = cycle;
    issuing->d = next;
    issuing->pc = pc;
  }
  workers.put_back(cycle);
  return cycle;
}

}  // namespace

uint64_t run_burst(TileState& tile, Execution& execution, uint64_t cycle, uint64_t end, chip::Observer* stores) {
  if (!is_calm(tile, cycle)) return cycle;
  if (stores != nullptr) return run(tile, execution, cycle, end, Told{stores, tile.site.tile_id});
  return run(tile, execution, cycle, end, Nobody{});
}

}  // namespace tessera::model
