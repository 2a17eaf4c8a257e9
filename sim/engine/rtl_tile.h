// The verilated tile as the chip engine's tile. `Verilated`: Vtile, or Vtile_trace for waves (both made from
// rtl/tile/tile.sv; ports as in tile_port.h).
//
// Exception and program counters are read through the tile's own debug port while it is idle, which leaves no trace in
// its state. Memory is reached where Verilator keeps it (rtl_state.h): 156 thousand debug reads take half a second.
// Whoever makes one includes Vtile_state.h, which the build generates beside the verilated class.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/engine/rtl_state.h"
#include "sim/engine/verilated_pages.h"
#include "sim/port/chip.h"

namespace tessera::chip {

template <class Verilated>
class RtlTile {
 public:
  static constexpr unsigned kNanoseconds = 500;  // that a step takes, roughly

  // `context`: of tiles that are traced together; none: Verilator's own.
  RtlTile(const spec::Machine& machine, unsigned id, std::shared_ptr<VerilatedContext> context = nullptr)
      : machine_(machine), id_(id), context_(std::move(context)) {
    top_.reset(new Verilated(context_ ? context_.get() : ::Verilated::defaultContextp(),
                             ("tile" + std::to_string(id_)).c_str()));
    ::Verilated::threadContextp(::Verilated::defaultContextp());
    storage_ = tile_storage(*top_);
    check_memory(storage_, machine_);
    clear_rtl_memory(storage_);
  }
  ~RtlTile() { top_->final(); }

  void reset();
  // Gives all signals the values of the cycle that step() with these inputs is about to end.
  void settle(const TileInputs& in) {
    set_inputs(in);
    settle_tile(*top_);
    changed_ = true;
  }
  void step(const TileInputs& in, TileOutputs& out);
  const Retire& retire() const { return retire_; }
  const PortWrites& port_writes() const { return port_writes_; }
  uint64_t run_alone(uint64_t from, uint64_t to, Observer* observer, unsigned tile, TileOutputs& out);

  ExceptionStatus exception();
  TileWait wait();
  uint64_t peek(uint32_t address);
  void poke(uint32_t address, uint64_t data);
  uint8_t bad_bytes(uint32_t address) const { return rtl_memory_row(storage_, machine_, address).bad_bytes(); }
  void spoil(uint32_t address, uint8_t bytes);
  void load(uint32_t address, std::span<const uint32_t> words);
  void flip(const Flip&);

 private:
  struct Stored {
    VerilatedPages::Pages pages;
    bool used = false;
    uint64_t last_cycle = 0;
  };

 public:
  // Between two steps. What the last step retired or wrote is not part of it.
  using Snapshot = std::shared_ptr<const Stored>;
  Snapshot snapshot(size_t& bytes);  // adds to `bytes` what it alone holds
  void restore(const Snapshot&);

  Verilated& top() { return *top_; }

 private:
  static constexpr unsigned kDebugLatency = 4;
  // How long before the end of a run alone the records are looked at for the pcs of a tile that does not stop.
  static constexpr unsigned kTail = 12;

  // A scope takes itself off the list of the thread's context, whichever that is.
  struct Removal {
    void operator()(Verilated* top) const {
      ::Verilated::threadContextp(top->contextp());
      delete top;
      ::Verilated::threadContextp(::Verilated::defaultContextp());
    }
  };

  void set_inputs(const TileInputs& in);
  void get_outputs(TileOutputs& out) const;
  void get_records(uint64_t cycle);
  uint32_t debug_control(unsigned context, uint32_t number);

  const spec::Machine machine_;
  const unsigned id_;
  const std::shared_ptr<VerilatedContext> context_;
  std::unique_ptr<Verilated, Removal> top_;
  spec::TileStorage storage_;  // in top_
  Retire retire_;
  PortWrites port_writes_;
  bool used_ = false;  // since it was made or reset
  uint64_t last_cycle_ = 0;
  Snapshot stored_ = std::make_shared<Stored>();  // the last one taken or restored
  bool changed_ = true;                           // since
};

template <class Verilated>
void RtlTile<Verilated>::reset() {
  const bool used = std::exchange(used_, false);
  last_cycle_ = 0;
  changed_ = true;
  retire_ = Retire();
  port_writes_ = PortWrites();
  set_inputs(TileInputs());
  top_->site_i = machine_.site(id_).encode();
  top_->clear_memory_i = 0;
  reset_tile(*top_, used ? spec::kResetCycles : spec::kFirstResetCycles);
  clear_rtl_memory(storage_);  // as clear_memory_i would in the cycles that it takes
}

template <class Verilated>
void RtlTile<Verilated>::set_inputs(const TileInputs& in) {
  Verilated& t = *top_;
  t.cycle_i = in.cycle;
  t.slot_i = in.cycle % 6;
  t.sync_i =
      spec::SyncAnswer{
          .mark = in.sync_mark, .consensus = in.sync_consensus, .zone = in.sync_ack_zone, .ack = in.sync_ack}
          .encode();
  t.exchange_valid_i = in.exchange_valid;
  t.exchange_data_i = in.exchange_data;
  t.pair_valid_i = in.pair_valid;
  t.pair_data_i = in.pair_data;
  t.packet_grant_i = in.packet_grant;
  t.packet_valid_i = in.packet_valid;
  t.packet_first_i = in.packet_first;
  t.packet_data_i = in.packet_data;
  t.debug_valid_i = in.debug_valid;
  t.debug_write_i = in.debug_write;
  t.debug_space_i = static_cast<uint8_t>(in.debug_space);
  t.debug_context_i = in.debug_context;
  t.debug_address_i = in.debug_address;
  t.debug_wdata_i = in.debug_wdata;
}

template <class Verilated>
void RtlTile<Verilated>::get_outputs(TileOutputs& out) const {
  const Verilated& t = *top_;
  const auto sync = spec::SyncRequest::decode(t.sync_o);
  out.sync_request = sync.valid;
  out.sync_zone = sync.zone;
  out.sync_value = sync.value;
  out.exchange_valid = t.exchange_valid_o;
  out.exchange_data = t.exchange_data_o;
  out.exchange_select = t.exchange_select_o;
  out.pair_valid = t.pair_valid_o;
  out.pair_data = t.pair_data_o;
  out.paired = t.paired_o;
  out.packet_request = t.packet_request_o;
  out.packet_valid = t.packet_valid_o;
  out.packet_last = t.packet_last_o;
  out.packet_data = t.packet_data_o;
  out.debug_data = t.debug_data_o;
  out.debug_refused = t.debug_refused_o;
  out.exception = t.exception_o;
  out.idle = t.idle_o;
  out.exchanging = t.exchanging_o;
}

// The records after the step of `cycle`.
template <class Verilated>
void RtlTile<Verilated>::get_records(uint64_t cycle) {
  using Layout = spec::Observe::Layout;
  const uint32_t* words = &top_->observe_o[0];
  retire_.valid = Layout::retire_valid.take(words) != 0;
  auto& [received, high, packet] = port_writes_;
  received.valid = Layout::receive_valid.take(words) != 0;
  high.valid = false;
  packet.valid = Layout::packet_valid.take(words) != 0;
  if (!retire_.valid && !port_writes_.any()) return;
  const auto o = spec::Observe::decode(words);
  if (retire_.valid) {
    retire_.cycle = cycle - 4;
    retire_.reg_write = o.reg_write;
    retire_.reg_float = o.reg_float;
    retire_.mem_write = o.mem_write;
    retire_.context = static_cast<uint8_t>(o.context_id);
    retire_.reg = static_cast<uint8_t>(o.reg_number);
    retire_.flags = static_cast<uint8_t>(o.flags);
    retire_.exception = static_cast<uint8_t>(o.exception);
    retire_.mem_strobe = static_cast<uint8_t>(o.mem_strobe);
    retire_.pc = o.pc;
    retire_.instruction = o.instruction;
    retire_.reg_data = o.reg_data;
    retire_.mem_address = o.mem_address;
    retire_.mem_data = o.mem_data;
    retire_.pair_write = o.pair_write;
    retire_.base_write = o.base_write;
    retire_.base_float = o.base_float;
    retire_.base = static_cast<uint8_t>(o.base_number);
    retire_.pair_data = o.pair_data;
    retire_.base_data = o.base_data;
  }
  if (received.valid) {
    received = {true, false, cycle, o.receive_address, o.receive_data, o.receive_double != 0};
    if (o.receive_double) high = {true, false, cycle, o.receive_address + 4, o.receive_high, true};
  }
  if (packet.valid) packet = {true, true, cycle, o.packet_address, o.packet_data};
}

template <class Verilated>
void RtlTile<Verilated>::step(const TileInputs& in, TileOutputs& out) {
  set_inputs(in);
  clock_tile(*top_);
  used_ = true;
  last_cycle_ = in.cycle;
  get_outputs(out);
  get_records(in.cycle);
  changed_ = true;
}

template <class Verilated>
uint64_t RtlTile<Verilated>::run_alone(uint64_t from, uint64_t to, Observer* observer, unsigned tile,
                                       TileOutputs& out) {
  set_inputs(TileInputs());
  Verilated& t = *top_;
  unsigned slot = from % 6;
  const auto requests = [&t] { return spec::SyncRequest::decode(t.sync_o).valid; };
  const bool requested = requests();
  const auto cycle = [&] {
    t.cycle_i = from++;
    t.slot_i = slot;
    slot = slot == 5 ? 0 : slot + 1;
    clock_tile(*top_);
    return t.idle_o || requests() != requested || t.packet_request_o;
  };
  bool stopped = false;
  if (observer == nullptr) {
    const uint64_t tail = to - std::min<uint64_t>(to - from, kTail);
    while (!stopped && from < tail) stopped = cycle();
  }
  while (!stopped && from < to) {
    stopped = cycle();
    get_records(from - 1);
    if (observer == nullptr) continue;
    if (retire_.valid) observer->retire(tile, retire_);
    port_writes_.each([&](const PortWrite& write) { observer->port_write(tile, write); });
  }
  used_ = true;
  last_cycle_ = from - 1;
  changed_ = true;
  get_outputs(out);
  return from;
}

template <class Verilated>
uint32_t RtlTile<Verilated>::debug_control(unsigned context, uint32_t number) {
  TileInputs in;
  in.cycle = last_cycle_ + 1;
  in.debug_valid = true;
  in.debug_space = DebugSpace::kControl;
  in.debug_context = static_cast<uint8_t>(context);
  in.debug_address = number;
  set_inputs(in);
  clock_tile(*top_);
  in = TileInputs();
  for (unsigned i = 1; i < kDebugLatency; ++i) {
    in.cycle = last_cycle_ + 1 + i;
    set_inputs(in);
    clock_tile(*top_);
  }
  return top_->debug_data_o;
}

template <class Verilated>
ExceptionStatus RtlTile<Verilated>::exception() {
  ExceptionStatus status;
  if (!top_->exception_o) return status;
  const auto word = spec::TileStatus::decode(debug_control(0, spec::DebugControl::kStatus));
  status.cause = static_cast<uint8_t>(word.cause);
  status.context = static_cast<uint8_t>(word.context_id);
  status.pc = debug_control(0, spec::DebugControl::kExceptionPc);
  status.value = debug_control(0, spec::DebugControl::kExceptionValue);
  status.cycle = debug_control(0, spec::DebugControl::kExceptionCycleLow) |
                 uint64_t{debug_control(0, spec::DebugControl::kExceptionCycleHigh)} << 32;
  return status;
}

template <class Verilated>
TileWait RtlTile<Verilated>::wait() {
  using spec::TileState;
  TileWait wait;
  wait.active_workers = static_cast<uint8_t>(rtl_state(storage_, TileState::ActiveWorkers));
  wait.supervisor_pc = static_cast<uint32_t>(rtl_state(storage_, TileState::SupervisorPc));
  for (unsigned w = 0; w < 6; ++w)
    wait.worker_pc[w] = static_cast<uint32_t>(rtl_state(storage_, TileState::WorkerPc, w + 1));
  if (rtl_state(storage_, TileState::SupervisorWait) == spec::SyncZone::kReceive)
    wait.awaited = static_cast<uint16_t>(rtl_state(storage_, TileState::AwaitedWords));
  return wait;
}

template <class Verilated>
uint64_t RtlTile<Verilated>::peek(uint32_t address) {
  if (!top_->idle_o) throw std::logic_error("tile " + std::to_string(id_) + " runs: its memory cannot be read");
  return rtl_memory_row(storage_, machine_, address).word;
}

template <class Verilated>
typename RtlTile<Verilated>::Snapshot RtlTile<Verilated>::snapshot(size_t& bytes) {
  if (!changed_) return stored_;
  auto stored = std::make_shared<Stored>();
  stored->pages = VerilatedPages::save(*top_, stored_->pages, bytes);
  stored->used = used_;
  stored->last_cycle = last_cycle_;
  bytes += sizeof(Stored);
  stored_ = std::move(stored);
  changed_ = false;
  return stored_;
}

template <class Verilated>
void RtlTile<Verilated>::restore(const Snapshot& snapshot) {
  if (!changed_ && snapshot == stored_) return;
  VerilatedPages::load(*top_, snapshot->pages);
  used_ = snapshot->used;
  last_cycle_ = snapshot->last_cycle;
  retire_ = Retire();
  port_writes_ = PortWrites();
  stored_ = snapshot;
  changed_ = false;
}

template <class Verilated>
void RtlTile<Verilated>::poke(uint32_t address, uint64_t data) {
  rtl_memory_row(storage_, machine_, address).write(data);
  used_ = true;
  changed_ = true;
}

template <class Verilated>
void RtlTile<Verilated>::spoil(uint32_t address, uint8_t bytes) {
  rtl_memory_row(storage_, machine_, address).check ^= bytes;
  used_ = true;
  changed_ = true;
}

template <class Verilated>
void RtlTile<Verilated>::load(uint32_t address, std::span<const uint32_t> words) {
  used_ = true;
  const auto half = [this](uint32_t at, uint32_t word) {
    const unsigned shift = 8 * (at & 4);
    poke(at & ~7u, (peek(at & ~7u) & ~(uint64_t{0xffffffff} << shift)) | uint64_t{word} << shift);
  };
  size_t i = 0;
  if ((address & 4) != 0 && !words.empty()) half(address, words[i++]);
  for (; i + 1 < words.size(); i += 2)
    poke(address + 4 * static_cast<uint32_t>(i), words[i] | uint64_t{words[i + 1]} << 32);
  if (i < words.size()) half(address + 4 * static_cast<uint32_t>(i), words[i]);
}

template <class Verilated>
void RtlTile<Verilated>::flip(const Flip& flip) {
  flip_rtl_state(storage_, machine_, flip);
  used_ = true;
  changed_ = true;
}

}  // namespace tessera::chip
