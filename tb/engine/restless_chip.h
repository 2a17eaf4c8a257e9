// A chip that at every so many cycles looks ahead, comes back and looks ahead again before it goes on: whoever uses it
// must not notice, and both looks must tell the same.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "sim/port/forwarding_chip.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

namespace tessera::test {

class RestlessChip : public chip::ForwardingChip {
 public:
  // Stops after up to `step` cycles, looks up to `ahead` cycles ahead.
  RestlessChip(std::unique_ptr<chip::Chip> chip, uint64_t step, uint64_t ahead, unsigned seed)
      : ForwardingChip(std::move(chip)), step_(step), ahead_(ahead), random_(seed) {}

  size_t stops() const { return stops_; }
  size_t told() const { return told_; }

  void attach(chip::HostBus* bus) override {
    host_ = dynamic_cast<HostMemory*>(bus);
    chip_->attach(bus);
  }
  void observe(chip::Observer* observer) override {
    observer_ = observer;
    chip_->observe(observer);
  }
  chip::Stop run(uint64_t limit, uint64_t budget) override {
    for (;;) {
      const auto stop = chip_->run(std::min(limit, cycle() + 1 + random_() % step_), budget);
      if (stop.reason != chip::StopReason::kLimit || cycle() >= limit) return stop;
      look_ahead();
    }
  }

 private:
  void look_ahead() {
    HostMemory copy = *host_;
    const auto snapshot = chip_->snapshot();
    const uint64_t end = cycle() + 1 + random_() % ahead_;
    EventList first(machine().tiles()), second(machine().tiles());
    uint64_t reached[2];
    for (EventList* events : {&first, &second}) {
      chip_->attach(&copy);
      chip_->observe(events);
      chip::Stop stop{chip::StopReason::kLimit, 0, 0};
      const uint64_t cut = events == &first ? ahead_ : 1 + random_() % 60;
      while (stop.reason == chip::StopReason::kLimit && cycle() < end)
        stop = chip_->run(std::min(end, cycle() + cut), 0);
      reached[events == &second] = cycle();
      chip_->restore(*snapshot);
      copy = *host_;
    }
    chip_->attach(host_);
    chip_->observe(observer_);
    REQUIRE(reached[0] == reached[1]);
    REQUIRE(first.difference(second) == "");
    ++stops_;
    told_ += first.size();
  }

  const uint64_t step_, ahead_;
  std::mt19937 random_;
  HostMemory* host_ = nullptr;
  chip::Observer* observer_ = nullptr;
  size_t stops_ = 0, told_ = 0;
};

}  // namespace tessera::test
