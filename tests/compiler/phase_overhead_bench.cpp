// Phase overhead as benchmark figures.
#include "tests/bench/figure.h"
#include "tests/compiler/phase_overhead.h"

int main() {
  using namespace tessera;
  const auto print = [](const char* name, const spec::Machine& machine, double goal) {
    return print_figure(name, static_cast<double>(test::phase_overhead(machine)), "cycles", Goal::kAtMost, goal,
                        {{"machine", machine.name}, {"sync latency", machine.sync_request + machine.sync_acknowledge}});
  };
  bool ok = print("phase-overhead", spec::load_machine("mk2-16"), 200);
  ok &= print("phase-overhead-mk2-sync", test::mk2_16_with_mk2_sync(), 240);
  const spec::Machine machine = spec::load_machine("mk2-16");
  const test::SkippedPhase skipped = test::skipped_phase(machine);
  ok &= print_figure("phase-skipped", static_cast<double>(skipped.skipped), "cycles", Goal::kAtMost, 0,
                     {{"machine", machine.name}, {"without opt.enableSkipSyncs", skipped.waited}});
  return ok ? 0 : 1;
}
