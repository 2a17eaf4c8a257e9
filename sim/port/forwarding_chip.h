// A chip that is another chip in everything that a derived class does not change: the base of whatever stands between a
// chip and its user (faults, a recorded past, two chips in lockstep, chips that watch themselves in tests).
#pragma once

#include <memory>
#include <utility>

#include "sim/port/checkpoint.h"
#include "sim/port/chip.h"

namespace tessera::chip {

// Of the chip inside; a derived class adds what it needs beside it.
struct ForwardingSnapshot : Snapshot {
  explicit ForwardingSnapshot(std::shared_ptr<const Snapshot> inside) : inner(std::move(inside)) {}
  uint64_t cycle() const override { return inner->cycle(); }
  uint64_t superstep() const override { return inner->superstep(); }
  size_t bytes() const override { return inner->bytes(); }

  const std::shared_ptr<const Snapshot> inner;
};

class ForwardingChip : public Chip {
 public:
  const spec::Machine& machine() const override { return chip_->machine(); }
  uint64_t cycle() const override { return chip_->cycle(); }
  void attach(HostBus* bus) override { chip_->attach(bus); }
  void observe(Observer* observer) override { chip_->observe(observer); }
  Stop run(uint64_t limit, uint64_t budget) override { return chip_->run(limit, budget); }
  void mark(uint64_t cycle, uint16_t value) override { chip_->mark(cycle, value); }
  void debug_write(unsigned tile, DebugSpace space, unsigned context, uint32_t address, uint32_t data) override {
    chip_->debug_write(tile, space, context, address, data);
  }
  uint32_t debug_read(unsigned tile, DebugSpace space, unsigned context, uint32_t address) override {
    return chip_->debug_read(tile, space, context, address);
  }
  bool access_refused() const override { return chip_->access_refused(); }
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override {
    chip_->load(tile, address, words);
  }
  ExceptionStatus exception(unsigned tile) const override { return chip_->exception(tile); }
  std::vector<TileWait> waits() const override { return chip_->waits(); }
  Counters counters() const override { return chip_->counters(); }
  uint64_t memory_hash() const override { return chip_->memory_hash(); }
  void reset() override { chip_->reset(); }
  void stop_at_superstep(uint64_t index) override { chip_->stop_at_superstep(index); }
  std::shared_ptr<const Snapshot> snapshot() const override { return chip_->snapshot(); }
  void restore(const Snapshot& snapshot) override { chip_->restore(snapshot); }
  Checkpoint checkpoint() override { return chip_->checkpoint(); }
  void put(const Checkpoint& checkpoint) override { chip_->put(checkpoint); }
  void close_files() override { chip_->close_files(); }
  void flip(const Flip& flip) override { chip_->flip(flip); }
  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) override {
    chip_->join(chip, tables, grouped);
  }
  void group_answer(uint64_t cycle, bool consensus) override { chip_->group_answer(cycle, consensus); }
  void link_in(const LinkEvent& event) override { chip_->link_in(event); }
  std::vector<LinkEvent> link_out() override { return chip_->link_out(); }
  void expect_links(uint64_t known) override { chip_->expect_links(known); }
  bool may_send() const override { return chip_->may_send(); }

 protected:
  explicit ForwardingChip(std::unique_ptr<Chip> chip) : chip_(std::move(chip)) {}

  std::unique_ptr<Chip> chip_;  // never null
};

}  // namespace tessera::chip
