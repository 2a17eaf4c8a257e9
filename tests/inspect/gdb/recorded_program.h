// A random chip program on a recorded run, and a part that gets the run when the program has come to its end.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "inspect/recorded_run.h"
#include "tb/random/run_chip_program.h"

namespace tessera::test {

struct AtEnd : inspect::Part {
  std::function<void(inspect::Run&, const chip::Stop&)> look;
  chip::Observer* watcher = nullptr;
  chip::Observer* observer() override { return watcher; }
  Needs needs() const override { return {true, 1000, 1000}; }
  void at_boundary(inspect::Run& run, const chip::Stop& stop) override {
    if (stop.reason == chip::StopReason::kException && look) std::exchange(look, nullptr)(run, stop);
  }
};

inline void run_recorded(chip::Backend backend, const char* machine_name, uint64_t seed, unsigned supersteps,
                         chip::Observer* watcher, std::function<void(inspect::Run&, const chip::Stop&)> look) {
  const auto machine = spec::load_machine(machine_name);
  inspect::RecordedRun run(chip::make_chip(backend, machine), "",
                           [&](inspect::PartKind kind, const inspect::Options&) -> std::unique_ptr<inspect::Part> {
                             if (kind != inspect::PartKind::kGdb) return nullptr;
                             auto part = std::make_unique<AtEnd>();
                             part->look = look;
                             part->watcher = watcher;
                             return part;
                           });
  run_chip_program(run, random_chip_program(seed, machine, supersteps));
}

}  // namespace tessera::test
