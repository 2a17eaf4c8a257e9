// How fast the verilated tile simulates arithmetic: evaluated tile-cycles a second as a ratio to the calibration core
// in the same run, short pieces in turn until none gets better (turns.h), in copies of this program (program_copy.h);
// and what the arithmetic costs a program that does not use it: the tile against one whose units are empty modules.
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "Vtile_plain_state.h"
#include "endless_loops.h"
#include "rtl/spec/machine.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/rtl_tile.h"
#include "tests/bench/calibration.h"
#include "tests/bench/figure.h"
#include "tests/bench/program_copy.h"
#include "tests/bench/turns.h"

using namespace tessera;
using bench::AmpLoop;
using bench::Loop;

namespace {

constexpr uint64_t kCycles = 500'000;
constexpr unsigned kProducts = 25;

std::unique_ptr<chip::Chip> whole() { return chip::make_chip(chip::Backend::kRtl, spec::load_machine("mk2-4")); }
std::unique_ptr<chip::Chip> plain() {
  return std::make_unique<chip::ChipEngine<chip::RtlTile<Vtile_plain>>>(spec::load_machine("mk2-4"));
}

struct Rates {
  double fma = 0, packed = 0, integer = 0, plain = 0, amp = 0;
};

// What a copy of this program prints.
int print_rates() {
  for (const double rate : {Loop(whole(), "fma_loop").rate(kCycles), Loop(whole(), "packed_fma_loop").rate(kCycles),
                            Loop(whole(), "integer_loop").rate(kCycles), Loop(plain(), "integer_loop").rate(kCycles),
                            AmpLoop(whole()).rate(kProducts)})
    std::printf("%f\n", rate);
  return 0;
}

Rates rates_of_copy() {
  const ProgramCopy copy(std::filesystem::read_symlink("/proc/self/exe"));
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("'" + copy.path() + "' rates").c_str(), "r"), pclose);
  Rates r;
  if (!pipe || std::fscanf(pipe.get(), "%lf %lf %lf %lf %lf", &r.fma, &r.packed, &r.integer, &r.plain, &r.amp) != 5)
    throw std::runtime_error("a copy of this program does not run");
  return r;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string(argv[1]) == "rates") return print_rates();
  Best core, fma, packed, integer, plain, amp;
  const int turns = turns_until_steady({&core, &fma, &packed, &integer, &plain, &amp}, [&] {
    core.take(calibrate());
    const Rates one = rates_of_copy();
    fma.take(one.fma);
    packed.take(one.packed);
    integer.take(one.integer);
    plain.take(one.plain);
    amp.take(one.amp);
  });
  const auto speed = [&](const char* name, const Best& rate, double goal) {
    return print_figure(name, rate.value() / core.value(), "of the calibration core", Goal::kAtLeast, goal,
                        {{"tile-cycles/s", rate.value()}, {"calibration cycles/s", core.value()}, {"turns", turns}});
  };
  bool ok = speed("rtl-speed-f32-fma-loop", fma, 0.06);
  ok &= speed("rtl-speed-amp-loop", amp, 0.03);
  speed("rtl-speed-packed-f16-fma-loop", packed, 0);
  speed("rtl-speed-integer-loop", integer, 0);
  ok &= print_figure("idle-cost", integer.value() / plain.value(), "of the speed without the arithmetic units",
                     Goal::kAtLeast, 0.9, {{"tile-cycles/s", integer.value()}, {"without", plain.value()}});
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_arithmetic_speed: " << error.what() << "\n";
  return 1;
}
