// A verilated tile that is the plain build unless it is asked to be traced: only traced tiles pay for it.
#pragma once

#include <memory>
#include <stdexcept>

#include "sim/engine/rtl_tile.h"

namespace tessera::chip {

template <class Plain, class Traced>
class TraceableTile {
 public:
  TraceableTile(const spec::Machine& machine, unsigned id)
      : machine_(machine), id_(id), plain_(std::make_unique<RtlTile<Plain>>(machine, id)) {}

  // Before the first step.
  Traced& trace(std::shared_ptr<VerilatedContext> context) {
    traced_ = std::make_unique<RtlTile<Traced>>(machine_, id_, std::move(context));
    plain_.reset();
    traced_->reset();
    return traced_->top();
  }
  bool traced() const { return traced_ != nullptr; }
  Traced& top() { return traced_->top(); }

  void reset() {
    with([](auto& tile) { tile.reset(); });
  }
  void settle(const TileInputs& in) {
    with([&](auto& tile) { tile.settle(in); });
  }
  void step(const TileInputs& in, TileOutputs& out) {
    with([&](auto& tile) { tile.step(in, out); });
  }
  const Retire& retire() const { return traced_ ? traced_->retire() : plain_->retire(); }
  const PortWrites& port_writes() const { return traced_ ? traced_->port_writes() : plain_->port_writes(); }
  uint64_t run_alone(uint64_t from, uint64_t to, Observer* observer, unsigned tile, TileOutputs& out) {
    return with([&](auto& inner) { return inner.run_alone(from, to, observer, tile, out); });
  }
  ExceptionStatus exception() {
    return with([](auto& tile) { return tile.exception(); });
  }
  TileWait wait() {
    return with([](auto& tile) { return tile.wait(); });
  }
  uint64_t peek(uint32_t address) {
    return with([&](auto& tile) { return tile.peek(address); });
  }
  void poke(uint32_t address, uint64_t data) {
    with([&](auto& tile) { tile.poke(address, data); });
  }
  uint8_t bad_bytes(uint32_t address) {
    return with([&](auto& tile) { return tile.bad_bytes(address); });
  }
  void spoil(uint32_t address, uint8_t bytes) {
    with([&](auto& tile) { tile.spoil(address, bytes); });
  }
  void load(uint32_t address, std::span<const uint32_t> words) {
    with([&](auto& tile) { tile.load(address, words); });
  }
  void flip(const Flip& flip) {
    with([&](auto& tile) { tile.flip(flip); });
  }

  struct Snapshot {
    typename RtlTile<Plain>::Snapshot plain;
    typename RtlTile<Traced>::Snapshot traced;
  };
  Snapshot snapshot(size_t& bytes) {
    Snapshot snapshot;
    if (traced_)
      snapshot.traced = traced_->snapshot(bytes);
    else
      snapshot.plain = plain_->snapshot(bytes);
    return snapshot;
  }
  void restore(const Snapshot& snapshot) {
    if ((snapshot.traced != nullptr) != traced()) throw std::logic_error("restore: other tiles were traced");
    if (traced_)
      traced_->restore(snapshot.traced);
    else
      plain_->restore(snapshot.plain);
  }

 private:
  template <class Function>
  auto with(Function function) {
    return traced_ ? function(*traced_) : function(*plain_);
  }

  const spec::Machine machine_;
  const unsigned id_;
  std::unique_ptr<RtlTile<Plain>> plain_;  // one of the two
  std::unique_ptr<RtlTile<Traced>> traced_;
};

}  // namespace tessera::chip
