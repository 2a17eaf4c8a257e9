#include "inspect/waves/tile_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "inspect/function_name.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/numbers.h"

namespace tessera::inspect::waves {
namespace {

constexpr unsigned kTakesEffect = 6;  // cycles from the issue of run, exit and sync (tile.md)

template <class List, class Less>
void sort_unless_sorted(List& list, Less less) {
  if (!std::is_sorted(list.begin(), list.end(), less)) std::stable_sort(list.begin(), list.end(), less);
}

uint32_t low_bits(uint8_t mask) { return static_cast<uint32_t>(std::countr_zero(static_cast<unsigned>(mask))); }

// Bytes of a store that stand in lanes of a 64-bit word, from its first byte on.
uint64_t stored(uint64_t data, unsigned first, unsigned bytes) {
  return bytes == 8 ? data : data >> 8 * first & ((1ull << 8 * bytes) - 1);
}

}  // namespace

TileWaves::TileWaves(Shared& shared, unsigned tile, unsigned place)
    : shared_(shared),
      tile_(tile),
      place_(static_cast<uint16_t>(place)),
      places_(shared.program, tile),
      out_(places_, tile, PacketWords::Direction::kOut),
      in_(places_, tile, PacketWords::Direction::kIn) {
  now_[number_of(TileSignal::Select)] = now_[number_of(TileSignal::ReceivedFrom)] = chip::kNoTile;
  for (unsigned context = 0; context < kContexts; ++context)
    now_[number_of(context, ContextSignal::Register)] = now_[number_of(context, ContextSignal::Base)] = kNoRegister;
}

void TileWaves::stands(const chip::TileWait& wait) {
  active_ = wait.active_workers;
  halted_ = wait.state == "halted";
  excepted_ = wait.state == "stopped by an exception";
  exchanging_ = wait.state == "exchanging";
  sending_ = wait.state == "waits to send a packet";
  automatic_ = wait.sync_zone == spec::SyncZone::kAutomatic;
  zone_ = wait.sync_zone == 0 || automatic_ ? -1 : wait.sync_zone;
  show_state();
  set(TileSignal::ActiveWorkers, active_);
  set(TileSignal::SyncRequest, wait.sync_zone != 0);
  if (wait.sync_zone != 0) set(TileSignal::SyncZone, wait.sync_zone);
}

void TileWaves::flush(uint64_t until, uint64_t begin, uint64_t end, std::vector<Change>& changes) {
  begin_ = begin;
  end_ = end;
  changes_ = &changes;
  sort_unless_sorted(retires_, [](const auto& a, const auto& b) { return a.cycle < b.cycle; });
  sort_unless_sorted(
      ports_, [](const auto& a, const auto& b) { return std::tie(a.cycle, a.port) < std::tie(b.cycle, b.port); });
  size_t port = 0, retired = 0;
  for (;;) {
    const PortEvent* event = port < ports_.size() ? &ports_[port] : nullptr;
    const bool from_later = !later_.empty() && (!event || !Later()(later_.top(), *event));
    if (from_later) event = &later_.top();
    const chip::Retire* record = retired < retires_.size() ? &retires_[retired] : nullptr;
    if (record && event &&
        (event->cycle < record->cycle || (event->cycle == record->cycle && event->port <= Port::kActive)))
      record = nullptr;
    if (!record && !event) break;
    cycle_ = record ? record->cycle : event->cycle;
    if (cycle_ >= until) break;
    if (!begun_ && cycle_ >= begin_) show_all();
    if (record) {
      show(*record);
      ++retired;
    } else if (from_later) {
      const PortEvent taken = *event;
      later_.pop();
      show(taken);
    } else {
      show(*event);
      ++port;
    }
  }
  if (!begun_ && until > begin_) show_all();
  retires_.erase(retires_.begin(), retires_.begin() + static_cast<ptrdiff_t>(retired));
  ports_.erase(ports_.begin(), ports_.begin() + static_cast<ptrdiff_t>(port));
  changes_ = nullptr;
}

void TileWaves::show_all() {
  begun_ = true;
  if (!changes_ || begin_ >= end_) return;
  for (unsigned signal = 0; signal < kSignalsOfTile; ++signal)
    changes_->push_back({begin_, now_[signal], signal, place_, formats_[signal]});
}

void TileWaves::set(unsigned signal, uint64_t value, NumberFormat number) {
  if (now_[signal] == value && formats_[signal] == number) return;
  now_[signal] = value;
  formats_[signal] = number;
  if (changes_ && begun_ && cycle_ < end_) changes_->push_back({cycle_, value, signal, place_, number});
}

void TileWaves::pulse(TileSignal signal, uint64_t value) {
  set(signal, value);
  pulsed_[number_of(signal)] = cycle_ + 1;
  later_.push({cycle_ + 1, number_of(signal), 0, Port::kFalls, 0});
}

void TileWaves::show(const chip::Retire& r) {
  const InstructionNames& names = shared_.instructions.at(r.pc, r.instruction);
  const auto put = [&](ContextSignal signal, uint64_t value) { set(number_of(r.context, signal), value); };
  put(ContextSignal::Pc, r.pc);
  put(ContextSignal::Instruction, names.instruction);
  put(ContextSignal::Function, names.function);
  put(ContextSignal::Line, names.line);
  put(ContextSignal::Flags, r.flags);
  show_vertex(r);
  show_registers(r, names);
  show_store(r);
  show_control(r);
}

void TileWaves::show_vertex(const chip::Retire& r) {
  const auto change = shared_.vertices.retire(tile_, r);
  if (change == trace::VertexTracker::Change::kNone) return;
  std::string text;
  if (change == trace::VertexTracker::Change::kEntered) {
    const auto& running = shared_.vertices.running(tile_, r.context);
    const names::ProgramInfo& program = shared_.program;
    if (running.vertex)
      text = fmt::format("{} #{}", program.name(running.vertex->codelet), running.vertex->id);
    else if (const names::Symbol* symbol = program.symbol_at(running.entry))
      text = function_name(program, *symbol);
  }
  set(number_of(r.context, ContextSignal::Vertex), shared_.texts.add(text));
}

void TileWaves::show_registers(const chip::Retire& r, const InstructionNames& names) {
  const auto put = [&](ContextSignal signal, uint64_t value) { set(number_of(r.context, signal), value); };
  const auto number = [](bool is_float, unsigned reg) { return (is_float ? 32u : 0u) + reg; };
  put(ContextSignal::Register, r.reg_write ? number(r.reg_float, r.reg) : kNoRegister);
  if (r.reg_write) put(ContextSignal::Value, r.reg_data & 0xffffffffu);
  if (r.reg_write && r.reg_float) put(ContextSignal::ValueHigh, r.reg_data >> 32);
  if (r.pair_write) put(ContextSignal::PairValue, r.pair_data);
  put(ContextSignal::Base, r.base_write ? number(r.base_float, r.base) : kNoRegister);
  if (r.base_write) put(ContextSignal::BaseValue, r.base_data);

  NumberFormat& packed = packed_[r.context];
  if (names.result == NumberFormat::kPackedSingles || names.result == NumberFormat::kPackedHalves)
    packed = names.result;
  if (r.reg_write && r.reg_float) {
    // A load's values are what the context last computed with.
    NumberFormat format = names.result != NumberFormat::kNone ? names.result : packed;
    if (format == NumberFormat::kNone) format = NumberFormat::kPackedSingles;
    set(number_of(r.context, ContextSignal::Number), r.reg_data, format);
  } else if (r.reg_write) {
    put(ContextSignal::Number, 0);
  }
}

void TileWaves::show_store(const chip::Retire& r) {
  const auto put = [&](ContextSignal signal, uint64_t value) { set(number_of(r.context, signal), value); };
  const unsigned bytes = r.mem_write ? static_cast<unsigned>(std::popcount(r.mem_strobe)) : 0;
  put(ContextSignal::StoredBytes, bytes);
  if (bytes == 0) return;
  const unsigned first = low_bits(r.mem_strobe);
  put(ContextSignal::StoreAddress, r.mem_address + first);
  put(ContextSignal::StoreData, stored(r.mem_data, first, bytes));
  put(ContextSignal::StoreTensor, place(r.mem_address + first, shared_.vertices.running(tile_, r.context).vertex));
}

void TileWaves::show_control(const chip::Retire& r) {
  if (r.context != 0) {
    const auto worker = static_cast<uint8_t>(1u << (r.context - 1));
    if ((active_ & worker) == 0) set(TileSignal::ActiveWorkers, active_ |= worker);
    if (r.exception == 0 && spec::decode(r.instruction) == spec::Opcode::Exit)
      later_.push({r.cycle + kTakesEffect, worker, 0, Port::kInactive, 0});
    return;
  }
  halted_ = false;
  zone_ = -1;
  supervisor_at_ = r.cycle;
  if (const names::Step* held = shared_.program.step_at(tile_, r.pc))
    places_.in(shared_.program.run_by(*held, shared_.steps.table(tile_)));
  const std::string& step =
      shared_.steps.retire(tile_, r.pc, r.reg_write && !r.reg_float ? r.reg : 0, static_cast<uint32_t>(r.reg_data));
  if (!step.empty()) {
    const uint32_t text = shared_.texts.add(step);
    if (steps_.empty() || steps_.back() != text) steps_.push_back(text);
    set(TileSignal::Step, text);
  }
  if (r.exception == 0) {
    const auto opcode = spec::decode(r.instruction);
    const uint64_t from = r.cycle + kTakesEffect;
    // Lowest inactive worker; those launched or ending meanwhile are in active_, for nothing else issues in between.
    if (opcode == spec::Opcode::Run)
      later_.push({from, static_cast<uint32_t>(~active_ & (active_ + 1)), 0, Port::kActive, 0});
    if (opcode == spec::Opcode::Runall) later_.push({from, 0x3f, 0, Port::kActive, 0});
    if (opcode == spec::Opcode::Sync)
      later_.push({from, spec::sync_operand_of(r.instruction).zone, static_cast<uint32_t>(r.cycle), Port::kWaiting, 0});
  }
  show_state();
}

void TileWaves::show(const PortEvent& e) {
  switch (e.port) {
    case Port::kControl:
      if (e.a == spec::DebugControl::kStart)
        excepted_ = exchanging_ = sending_ = automatic_ = false, zone_ = -1,
        set(TileSignal::ActiveWorkers, active_ = 0);
      if (e.a <= spec::DebugControl::kResume) halted_ = e.a == spec::DebugControl::kHalt;
      break;
    case Port::kSyncAcknowledge:
      pulse(TileSignal::SyncAcknowledge);
      set(TileSignal::SyncZone, e.flag);
      set(TileSignal::SyncConsensus, e.a);
      if (e.b != 0) set(TileSignal::SyncMark, e.b);
      pulsed_[number_of(TileSignal::SyncRequest)] = 0;
      later_.push({cycle_ + 1, number_of(TileSignal::SyncRequest), 0, Port::kFalls, 0});
      if (!std::exchange(automatic_, false)) zone_ = -1;  // else the supervisor goes on as it did
      break;
    case Port::kInactive:
      set(TileSignal::ActiveWorkers, active_ &= static_cast<uint8_t>(~e.a));
      for (const auto signal : {ContextSignal::Vertex, ContextSignal::Function, ContextSignal::Line,
                                ContextSignal::Instruction, ContextSignal::StoredBytes, ContextSignal::Flags})
        set(number_of(low_bits(static_cast<uint8_t>(e.a)) + 1, signal), 0);
      break;
    case Port::kActive:
      set(TileSignal::ActiveWorkers, active_ |= static_cast<uint8_t>(e.a));
      for (unsigned worker = 0; worker < 6; ++worker)
        if (e.a >> worker & 1) packed_[worker + 1] = NumberFormat::kNone;
      break;
    case Port::kSelected:
      set(TileSignal::Select, e.a);
      break;
    case Port::kExchanging:
      set(TileSignal::Exchanging, exchanging_ = e.a != 0);
      break;
    case Port::kSyncRequest:
      set(TileSignal::SyncRequest, 1);
      set(TileSignal::SyncZone, e.a);
      set(TileSignal::SyncValue, e.b);
      automatic_ = e.a == spec::SyncZone::kAutomatic;
      if (!automatic_) zone_ = static_cast<int>(e.a);
      break;
    case Port::kWaiting:
      if (static_cast<uint32_t>(supervisor_at_) == e.b) zone_ = static_cast<int>(e.a);
      break;
    case Port::kPacketRequest:
      set(TileSignal::PacketRequest, 1);
      sending_ = true;
      break;
    case Port::kSent:
      pulse(TileSignal::Sending);
      set(TileSignal::SentWord, e.a);
      break;
    case Port::kReceived:
      source_ = e.a;
      source_at_ = e.cycle;
      break;
    case Port::kWrite:
      if (e.flag) {
        set(TileSignal::PacketAddress, e.a);
        set(TileSignal::PacketTensor, place(e.a));
      } else {
        pulse(TileSignal::Receiving);
        if (source_at_ == e.cycle) set(TileSignal::ReceivedFrom, source_);
        set(TileSignal::ReceivedWord, e.b);
        set(TileSignal::ReceiveAddress, e.a);
        set(TileSignal::ReceiveTensor, place(e.a));
      }
      break;
    case Port::kPacketOut:
      set(TileSignal::PacketRequest, 0);
      pulse(TileSignal::PacketOutValid);
      pulse(TileSignal::PacketOut, shared_.texts.add(out_.next(e.a, first_out_)));
      set(TileSignal::PacketOutWord, e.a);
      first_out_ = e.flag != 0;
      if (first_out_) sending_ = false;
      break;
    case Port::kPacketIn: {
      const std::string text = in_.next(e.a, e.flag != 0);
      if (text.empty()) break;  // another tile's
      pulse(TileSignal::PacketInValid);
      pulse(TileSignal::PacketIn, shared_.texts.add(text));
      set(TileSignal::PacketInWord, e.a);
      break;
    }
    case Port::kExcepted:
      show_exception(exceptions_[e.a]);
      break;
    case Port::kFalls:
      if (pulsed_[e.a] <= cycle_) set(e.a, 0);
      return;
  }
  show_state();
}

void TileWaves::excepted(const chip::ExceptionStatus& status) {
  add({status.cycle, static_cast<uint32_t>(exceptions_.size()), 0, Port::kExcepted, 0});
  exceptions_.push_back(status);
}

void TileWaves::show_exception(const chip::ExceptionStatus& status) {
  set(TileSignal::ExceptionCause, status.cause);
  set(TileSignal::ExceptionContext, status.context);
  set(TileSignal::ExceptionPc, status.pc);
  set(TileSignal::ExceptionValue, status.value);
  excepted_ = true;
}

void TileWaves::show_state() {
  using spec::SyncZone;
  const auto state = [&] {
    if (excepted_) return State::kExcepted;
    if (zone_ == SyncZone::kInternal) return State::kWaitsInternal;
    if (zone_ == SyncZone::kExternal) return State::kWaitsExternal;
    if (zone_ == SyncZone::kHost) return State::kWaitsHost;
    if (zone_ == SyncZone::kReplica) return State::kWaitsReplica;
    if (sending_) return State::kSending;
    if (exchanging_) return State::kExchanging;
    if (zone_ == SyncZone::kLocal) return State::kWaitsLocal;
    if (zone_ == SyncZone::kExchange) return State::kWaitsExchange;
    if (zone_ == SyncZone::kReceive) return State::kWaitsReceive;
    return halted_ ? State::kHalted : State::kComputing;
  }();
  set(TileSignal::State, static_cast<unsigned>(state));
}

}  // namespace tessera::inspect::waves
