#include "sim/engine/switch_chip.h"

#include <algorithm>
#include <stdexcept>

#include "sim/port/checkpoint.h"

namespace tessera::chip {
namespace {

struct Stored : Snapshot {
  uint64_t cycle() const override { return inner->cycle(); }
  uint64_t superstep() const override { return inner->superstep(); }
  size_t bytes() const override { return inner->bytes(); }

  std::shared_ptr<const Snapshot> inner;
  bool on_second = false;
  uint64_t next_switch = 0, stood_at = 0;
};

class SwitchChip : public Chip {
 public:
  SwitchChip(std::unique_ptr<Chip> first, std::function<std::unique_ptr<Chip>()> make_second, uint64_t from,
             uint64_t count)
      : first_(std::move(first)),
        make_second_(std::move(make_second)),
        from_(from),
        end_(count > kNoSuperstep - from ? kNoSuperstep : from + count) {
    begin();
  }

  const spec::Machine& machine() const override { return first_->machine(); }
  uint64_t cycle() const override { return active().cycle(); }
  void attach(HostBus* bus) override {
    bus_ = bus;
    active().attach(bus);
  }
  void observe(Observer* observer) override {
    observer_ = observer;
    active().observe(observer);
  }

  Stop run(uint64_t limit, uint64_t budget) override {
    for (;;) {
      const uint64_t begun = active().counters().supersteps;
      const bool asked = stop_at_ > begun && stop_at_ != stood_at_;
      active().stop_at_superstep(asked ? std::min(stop_at_, next_switch_) : next_switch_);
      const Stop stop = active().run(limit, budget);
      if (stop.reason != StopReason::kSuperstep) return stop;
      const uint64_t index = begins();
      if (index == next_switch_) change(index);
      if (!asked || index != stop_at_) continue;
      stood_at_ = index;
      return stop;
    }
  }
  void mark(uint64_t cycle, uint16_t value) override { active().mark(cycle, value); }
  void debug_write(unsigned tile, DebugSpace space, unsigned context, uint32_t address, uint32_t data) override {
    active().debug_write(tile, space, context, address, data);
  }
  uint32_t debug_read(unsigned tile, DebugSpace space, unsigned context, uint32_t address) override {
    return active().debug_read(tile, space, context, address);
  }
  void load(unsigned tile, uint32_t address, std::span<const uint32_t> words) override {
    active().load(tile, address, words);
  }
  ExceptionStatus exception(unsigned tile) const override { return active().exception(tile); }
  std::vector<TileWait> waits() const override { return active().waits(); }
  Counters counters() const override { return active().counters(); }
  uint64_t memory_hash() const override { return active().memory_hash(); }
  void flip(const Flip& flip) override { active().flip(flip); }
  void reset() override {
    second_.reset();
    first_->reset();
    begin();
  }

  void stop_at_superstep(uint64_t index) override { stop_at_ = index; }
  std::shared_ptr<const Snapshot> snapshot() const override {
    auto stored = std::make_shared<Stored>();
    stored->inner = active().snapshot();
    stored->on_second = second_ != nullptr;
    stored->next_switch = next_switch_;
    stored->stood_at = stood_at_;
    return stored;
  }
  void restore(const Snapshot& snapshot) override {
    const auto* stored = dynamic_cast<const Stored*>(&snapshot);
    if (stored == nullptr) throw std::logic_error("restore: the snapshot is of another kind of chip");
    if (stored->on_second != (second_ != nullptr)) use(stored->on_second);
    active().restore(*stored->inner);
    next_switch_ = stored->next_switch;
    stood_at_ = stored->stood_at;
  }
  Checkpoint checkpoint() override { return active().checkpoint(); }
  void put(const Checkpoint& checkpoint) override {
    const uint64_t superstep = checkpoint.course.supersteps_ + (checkpoint.course.notified_ ? 0 : 1);
    use(superstep >= from_ && superstep < end_);
    active().put(checkpoint);
    next_switch_ = second_ ? end_ : superstep < from_ ? from_ : kNoSuperstep;
    stood_at_ = checkpoint.course.stood_at_;
  }

 private:
  Chip& active() const { return second_ ? *second_ : *first_; }
  uint64_t begins() const { return active().counters().supersteps + 1; }

  void begin() {
    next_switch_ = from_;
    stood_at_ = 0;
    if (from_ != 0) return;
    use(end_ > 0);
    next_switch_ = second_ ? end_ : kNoSuperstep;
  }
  // The other chip becomes the active one, in whatever state it is.
  void use(bool second) {
    active().observe(nullptr);
    active().attach(nullptr);
    second_ = second ? make_second_() : nullptr;
    active().attach(bus_);
    active().observe(observer_);
  }
  void change(uint64_t index) {
    const bool to_second = second_ == nullptr;
    std::unique_ptr<Checkpoint> checkpoint;
    try {
      checkpoint = std::make_unique<Checkpoint>(active().checkpoint());
    } catch (const std::logic_error&) {
      next_switch_ = index + 1;
      return;
    }
    use(to_second);
    active().put(*checkpoint);
    next_switch_ = to_second ? std::max(end_, index + 1) : kNoSuperstep;
  }

  std::unique_ptr<Chip> first_, second_;  // second_: while it is the active one
  const std::function<std::unique_ptr<Chip>()> make_second_;
  const uint64_t from_, end_;
  uint64_t next_switch_ = 0;
  uint64_t stop_at_ = kNoSuperstep, stood_at_ = 0;
  HostBus* bus_ = nullptr;
  Observer* observer_ = nullptr;
};

}  // namespace

std::unique_ptr<Chip> make_switch_chip(std::unique_ptr<Chip> first, std::function<std::unique_ptr<Chip>()> make_second,
                                       uint64_t from, uint64_t count) {
  return std::make_unique<SwitchChip>(std::move(first), std::move(make_second), from, count);
}

}  // namespace tessera::chip
