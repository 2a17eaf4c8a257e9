// A tile that plays a script: what the chip engine's tests put in place of RTL and model. Times follow
// docs/reference/{exchange,edge}.md; everything that arrives is logged with the cycle in which it is in
// the tile's register, one behind the port.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/port/chip.h"

namespace tessera::test {

struct Action {
  enum Kind { kCompute, kSync, kPacket, kAwait, kExcept, kHalt, kLoop } kind = kHalt;
  uint64_t cycles = 0;               // kCompute
  uint8_t zone = 2;                  // kSync
  bool value = true;                 // kSync
  std::vector<uint32_t> words = {};  // kPacket
  unsigned awaited = 0;              // kAwait: total words received so far that must be reached
};

struct Transfer {  // of one phase; at most one send and one receive
  unsigned send_delay = 0, send_count = 0;
  unsigned receive_delay = 0, receive_count = 0, source = 0;
};

struct Arrival {
  uint64_t cycle;
  bool valid;
  uint32_t data;
  bool operator==(const Arrival&) const = default;
};

class MockTile {
 public:
  MockTile(const spec::Machine& machine, unsigned id) : id_(id), way_(1 + machine.select_latency(id)) {}

  std::vector<Action> script;
  std::vector<Transfer> phases;  // consumed one by one at internal acknowledgements
  std::vector<Arrival> received, packets;
  std::vector<uint64_t> acks, starts;  // cycle of acknowledgements; issue cycle of each action
  std::vector<uint16_t> marks;
  std::vector<bool> consensus;

  void reset() {}

  void step(const chip::TileInputs& in, chip::TileOutputs& out) {
    const uint64_t t = in.cycle, next = t + 1;
    if (in.debug_valid && in.debug_write && in.debug_space == chip::DebugSpace::kControl) {
      running_ = true;
      ready_ = next;
    }
    if (in.debug_valid && !in.debug_write) debug_at_ = t + 4, debug_ = in.debug_address ^ id_;
    if (in.sync_ack) acknowledge(in);
    if (in.packet_grant) {
      grant_ = t;
      sending_ = script[at_ - 1].words;
      ready_ = t + 1 + sending_.size();
      waiting_ = false;
    }
    if (in.packet_valid) packets.push_back({next, in.packet_first, in.packet_data});
    if (transfer_.receive_count && next >= receive_ + way_ && next < receive_ + way_ + transfer_.receive_count)
      received.push_back({next, in.exchange_valid, in.exchange_data});
    issue(t);
    ports(next, out);
  }

  uint64_t run_alone(uint64_t from, uint64_t to, chip::Observer*, unsigned, chip::TileOutputs& out) {
    const bool requested = out.sync_request;
    while (from < to) {
      chip::TileInputs in;
      in.cycle = from++;
      step(in, out);
      if (out.idle || out.sync_request != requested || out.packet_request) break;
    }
    return from;
  }

  const chip::Retire& retire() const { return retire_; }
  const chip::PortWrites& port_writes() const { return writes_; }
  chip::ExceptionStatus exception() const { return {static_cast<uint8_t>(excepted_ ? 2 : 0), 0, 0, id_, 0}; }
  chip::TileWait wait() const { return {}; }
  uint64_t peek(uint32_t) const { return 0; }
  void poke(uint32_t, uint64_t) {}
  uint8_t bad_bytes(uint32_t) const { return 0; }
  void spoil(uint32_t, uint8_t) {}
  using Snapshot = std::shared_ptr<const MockTile>;
  Snapshot snapshot(size_t&) const { return std::make_shared<MockTile>(*this); }
  void restore(const Snapshot& snapshot) { *this = *snapshot; }

 private:
  void acknowledge(const chip::TileInputs& in) {
    acks.push_back(in.cycle);
    marks.push_back(in.sync_mark);
    consensus.push_back(in.sync_consensus);
    ready_ = in.cycle + 1;
    waiting_ = false;
    request_ = ~0ull;
    if (script[at_ - 1].zone == 2 && phase_ < phases.size()) {
      transfer_ = phases[phase_++];
      start_ = ready_;
      send_ = ready_ + transfer_.send_delay;
      receive_ = ready_ + transfer_.receive_delay;
      done_ = 0;
      if (transfer_.send_count) done_ = send_ + transfer_.send_count;
      if (transfer_.receive_count) done_ = std::max(done_, receive_ + way_ + transfer_.receive_count);
    }
  }

  unsigned arrived(uint64_t t) const {
    return static_cast<unsigned>(std::ranges::count_if(packets, [t](const Arrival& word) { return word.cycle <= t; }));
  }

  void issue(uint64_t t) {
    if (!running_ || waiting_ || excepted_ || t < ready_ || at_ >= script.size()) return;
    const Action& a = script[at_];
    if (a.kind == Action::kLoop || (a.kind == Action::kAwait && arrived(t) < a.awaited)) return;
    ++at_;
    starts.push_back(t);
    if (a.kind == Action::kCompute) ready_ = t + a.cycles;
    if (a.kind == Action::kSync || a.kind == Action::kPacket) {
      request_ = t + 6;
      waiting_ = true;
    }
    if (a.kind == Action::kExcept) excepted_ = true;
    if (a.kind == Action::kHalt) running_ = false;
  }

  void ports(uint64_t c, chip::TileOutputs& out) {
    out = chip::TileOutputs();
    const Action* a = at_ > 0 ? &script[at_ - 1] : nullptr;
    const bool wait = waiting_ && c >= request_;
    out.sync_request = wait && a->kind == Action::kSync;
    if (out.sync_request) out.sync_zone = a->zone, out.sync_value = a->value;
    out.packet_request = wait && a->kind == Action::kPacket;
    const auto inside = [c](uint64_t from, uint64_t count) { return c >= from && c < from + count; };
    out.exchange_valid = inside(send_ + 2, transfer_.send_count);
    if (out.exchange_valid) out.exchange_data = id_ << 16 | static_cast<uint32_t>(c - send_ - 2);
    if (inside(receive_ + 1, transfer_.receive_count)) out.exchange_select = transfer_.source;
    out.exchanging = c >= start_ && c < done_;
    if (inside(grant_ + 3, sending_.size())) {
      out.packet_valid = true;
      out.packet_data = sending_[c - grant_ - 3];
      out.packet_last = c == grant_ + 2 + sending_.size();
    }
    if (debug_at_ == c) out.debug_data = debug_;
    out.exception = excepted_;
    const bool still = !running_ || excepted_ || wait;
    out.idle = still && !out.exchanging && !out.exchange_valid && !out.packet_valid && c >= debug_at_;
  }

  unsigned id_, way_;  // way_: cycles from a receive event to its first word
  size_t at_ = 0, phase_ = 0;
  bool running_ = false, waiting_ = false, excepted_ = false;
  uint64_t ready_ = 0, request_ = ~0ull, grant_ = 0, start_ = 0, done_ = 0, send_ = 0, receive_ = 0, debug_at_ = 0;
  uint32_t debug_ = 0;
  Transfer transfer_;
  std::vector<uint32_t> sending_;
  chip::Retire retire_;
  chip::PortWrites writes_;
};

}  // namespace tessera::test
