// How fast the model runs one tile's code on one thread: tile-cycles a second as a ratio to the calibration core in the
// same run, in turns until none gets better (turns.h). With the name of a loop of loops.S and a number of cycles, or
// `amp` and a number of matrix products, it runs this alone: for whoever counts instructions, from the difference of
// two runs.
#include <iostream>
#include <string>

#include "endless_loops.h"
#include "rtl/spec/machine.h"
#include "sim/engine/model_chip.h"
#include "tests/bench/calibration.h"
#include "tests/bench/figure.h"
#include "tests/bench/turns.h"

using namespace tessera;

int main(int argc, char** argv) try {
  constexpr uint64_t kCycles = 20'000'000;
  constexpr unsigned kProducts = 1000;
  const auto chip = [] { return chip::make_model_chip(spec::load_machine("mk2-4")); };
  if (argc == 3) {
    const std::string loop = argv[1];
    const auto count = static_cast<unsigned>(std::stoul(argv[2]));
    const double rate = loop == "amp" ? bench::AmpLoop(chip()).rate(count) : bench::Loop(chip(), argv[1]).rate(count);
    std::cout << rate << " tile-cycles/s\n";
    return 0;
  }
  bench::Loop fma_loop(chip(), "fma_loop"), packed_loop(chip(), "packed_fma_loop"),
      integer_loop(chip(), "integer_loop");
  bench::AmpLoop amp_loop(chip());
  Best core, fma, packed, integer, amp;
  const int turns = turns_until_steady({&core, &fma, &packed, &integer, &amp}, [&] {
    core.take(calibrate());
    fma.take(fma_loop.rate(kCycles));
    packed.take(packed_loop.rate(kCycles));
    integer.take(integer_loop.rate(kCycles));
    amp.take(amp_loop.rate(kProducts));
  });
  const auto speed = [&](const char* name, const Best& rate, double goal) {
    return print_figure(name, rate.value() / core.value(), "of the calibration core", Goal::kAtLeast, goal,
                        {{"tile-cycles/s", rate.value()}, {"calibration cycles/s", core.value()}, {"turns", turns}});
  };
  bool ok = speed("model-speed-integer-loop", integer, 5);
  ok &= speed("model-speed-f32-fma-loop", fma, 5);
  ok &= speed("model-speed-packed-f16-fma-loop", packed, 3);
  ok &= speed("model-speed-amp-loop", amp, 3);
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_speed_model: " << error.what() << "\n";
  return 1;
}
