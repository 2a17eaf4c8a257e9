#include "sim/engine/switch_chip.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "rtl/spec/link_tables.h"
#include "sim/port/forwarding_chip.h"

namespace tessera::chip {
namespace {

struct Stored : ForwardingSnapshot {
  using ForwardingSnapshot::ForwardingSnapshot;
  bool on_second = false;
  uint64_t next_switch = 0, stood_at = 0;
};

// The chip it forwards to is the one that runs: the first, or for a while the second.
class SwitchChip : public ForwardingChip {
 public:
  SwitchChip(std::unique_ptr<Chip> first, std::function<std::unique_ptr<Chip>()> make_second, uint64_t from,
             uint64_t count)
      : ForwardingChip(std::move(first)),
        make_second_(std::move(make_second)),
        from_(from),
        end_(count > kNoSuperstep - from ? kNoSuperstep : from + count) {
    begin();
  }

  void attach(HostBus* bus) override {
    bus_ = bus;
    chip_->attach(bus);
  }
  void observe(Observer* observer) override {
    observer_ = observer;
    chip_->observe(observer);
  }

  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) override {
    place_ = {chip, tables, grouped};
    links_known_ = kNever;
    chip_->join(chip, tables, grouped);
  }
  void expect_links(uint64_t known) override {
    links_known_ = known;
    chip_->expect_links(known);
  }

  Stop run(uint64_t limit, uint64_t budget) override {
    for (;;) {
      const uint64_t begun = chip_->counters().supersteps;
      const bool asked = stop_at_ > begun && stop_at_ != stood_at_;
      chip_->stop_at_superstep(asked ? std::min(stop_at_, next_switch_) : next_switch_);
      const Stop stop = chip_->run(limit, budget);
      if (stop.reason != StopReason::kSuperstep) return stop;
      const uint64_t index = begins();
      if (index == next_switch_) change(index);
      if (!asked || index != stop_at_) continue;
      stood_at_ = index;
      return stop;
    }
  }
  void reset() override {
    use(false);
    chip_->reset();
    begin();
  }

  void stop_at_superstep(uint64_t index) override { stop_at_ = index; }
  std::shared_ptr<const Snapshot> snapshot() const override {
    auto stored = std::make_shared<Stored>(chip_->snapshot());
    stored->on_second = on_second();
    stored->next_switch = next_switch_;
    stored->stood_at = stood_at_;
    return stored;
  }
  void restore(const Snapshot& snapshot) override {
    const auto* stored = dynamic_cast<const Stored*>(&snapshot);
    if (stored == nullptr) throw std::logic_error("restore: the snapshot is of another kind of chip");
    if (stored->on_second != on_second()) use(stored->on_second);
    chip_->restore(*stored->inner);
    next_switch_ = stored->next_switch;
    stood_at_ = stored->stood_at;
  }
  void put(const Checkpoint& checkpoint) override {
    const uint64_t superstep = checkpoint.course.supersteps_ + (checkpoint.course.notified_ ? 0 : 1);
    use(superstep >= from_ && superstep < end_);
    chip_->put(checkpoint);
    next_switch_ = on_second() ? end_ : superstep < from_ ? from_ : kNoSuperstep;
    stood_at_ = checkpoint.course.stood_at_;
  }

 private:
  bool on_second() const { return first_ != nullptr; }
  uint64_t begins() const { return chip_->counters().supersteps + 1; }

  void begin() {
    next_switch_ = from_;
    stood_at_ = 0;
    if (from_ != 0) return;
    use(end_ > 0);
    next_switch_ = on_second() ? end_ : kNoSuperstep;
  }
  // The first chip, in whatever state it is, or a new second one becomes the one that runs.
  void use(bool second) {
    chip_->observe(nullptr);
    chip_->attach(nullptr);
    if (second) {
      auto made = make_second_();
      if (!first_) first_ = std::move(chip_);
      chip_ = std::move(made);
    } else if (first_) {
      chip_->close_files();
      chip_ = std::move(first_);
    }
    chip_->attach(bus_);
    chip_->observe(observer_);
    if (!place_) return;
    chip_->join(place_->chip, place_->tables, place_->grouped);
    chip_->expect_links(links_known_);
  }
  void change(uint64_t index) {
    const bool to_second = !on_second();
    std::unique_ptr<Checkpoint> checkpoint;
    try {
      checkpoint = std::make_unique<Checkpoint>(chip_->checkpoint());
    } catch (const std::logic_error&) {
      next_switch_ = index + 1;
      return;
    }
    use(to_second);
    chip_->put(*checkpoint);
    next_switch_ = to_second ? std::max(end_, index + 1) : kNoSuperstep;
  }

  std::unique_ptr<Chip> first_;  // while the second one runs
  const std::function<std::unique_ptr<Chip>()> make_second_;
  const uint64_t from_, end_;
  uint64_t next_switch_ = 0;
  uint64_t stop_at_ = kNoSuperstep, stood_at_ = 0;
  HostBus* bus_ = nullptr;
  Observer* observer_ = nullptr;
  struct Place {  // in a system of several
    uint32_t chip;
    spec::LinkTables tables;
    Grouped grouped;
  };
  std::optional<Place> place_;
  uint64_t links_known_ = kNever;
};

}  // namespace

std::unique_ptr<Chip> make_switch_chip(std::unique_ptr<Chip> first, std::function<std::unique_ptr<Chip>()> make_second,
                                       uint64_t from, uint64_t count) {
  return std::make_unique<SwitchChip>(std::move(first), std::move(make_second), from, count);
}

}  // namespace tessera::chip
