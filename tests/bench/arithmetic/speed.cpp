// How fast the verilated tile simulates arithmetic: evaluated tile-cycles a second as a ratio to the calibration core
// in the same run, short pieces in turn until none gets better (turns.h), in copies of this program (program_copy.h);
// and what the arithmetic costs a program that does not use it: the tile against one whose units are empty modules.
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "Vtile_plain_state.h"
#include "kernel_run.h"
#include "matmul.h"
#include "rtl/spec/machine.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/rtl_tile.h"
#include "tests/bench/figure.h"
#include "tests/bench/program_copy.h"
#include "tests/bench/turns.h"

using namespace tessera;
using bench::KernelRun;

namespace {

constexpr uint64_t kCycles = 500'000;
constexpr int kProducts = 25;
constexpr uint32_t kFloats = 0x80000;

// Processor time, so that what else runs on the machine does not count: of this process, of its finished children.
double processor_seconds(int whose) {
  rusage usage{};
  getrusage(whose, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Cycles per second of the calibration core; 0 when it gives another result than everywhere else.
double calibrate() {
  constexpr double cycles = 5e6;
  const double before = processor_seconds(RUSAGE_CHILDREN);
  std::array<char, 512> line{};
  {
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("cd " CALIBRATE_FOLDER " && ./obj_dir/Vcalibrate", "r"), pclose);
    if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
      throw std::runtime_error("the calibration core does not run");
  }
  const auto figure = nlohmann::json::parse(line.data());
  return figure["result"] == "e228842b" ? cycles / (processor_seconds(RUSAGE_CHILDREN) - before) : 0.0;
}

// Evaluated tile-cycles a second while `work` runs.
template <class Work>
double rate_of(KernelRun& run, Work work) {
  const uint64_t before = run.evaluated();
  const double start = processor_seconds(RUSAGE_SELF);
  work();
  return static_cast<double>(run.evaluated() - before) / (processor_seconds(RUSAGE_SELF) - start);
}

// A loop of loops.S on six workers, each with its own factors.
class Loop {
 public:
  Loop(std::unique_ptr<KernelRun> run, const char* entry) : run_(std::move(run)) {
    bench::Image image;
    image.word(bench::kParameters, run_->entry(entry));
    image.word(bench::kParameters + 4, kFloats);
    for (uint32_t w = 0; w < 6; ++w)
      for (uint32_t i = 0; i < 16; ++i) {
        // Lane 1 of packed halves is the upper half of an f32 below 1: both are below 1 in magnitude.
        const uint32_t fraction = 0x9e3779b9u * (16 * w + i + 1);
        image.word(kFloats + 64 * w + 4 * i, (i % 2 ? 0xb8000000u : 0x38000000u) | (fraction >> 9 & 0x3ff3ff));
      }
    run_->start("loop_supervisor", image);
    run_->go_on(1000);
  }
  double rate() {
    return rate_of(*run_, [&] { run_->go_on(kCycles); });
  }

 private:
  std::unique_ptr<KernelRun> run_;
};

// The matrix product of the AMP loop figure, again and again: all but 3 % of its cycles hold a step.
class AmpLoop {
 public:
  AmpLoop() : product_(bench::Element::kF16, 1512, 32, 16) { run_.run("matmul_supervisor", product_.image(run_)); }
  double rate() {
    return rate_of(run_, [&] {
      for (int i = 0; i < kProducts; ++i) run_.run_again("matmul_supervisor");
    });
  }

 private:
  bench::Matmul product_;
  KernelRun run_{chip::Backend::kRtl};
};

std::unique_ptr<KernelRun> whole() { return std::make_unique<KernelRun>(chip::Backend::kRtl); }
std::unique_ptr<KernelRun> plain() {
  return std::make_unique<KernelRun>(
      std::make_unique<chip::ChipEngine<chip::RtlTile<Vtile_plain>>>(spec::load_machine("mk2-4")));
}

struct Rates {
  double fma = 0, packed = 0, integer = 0, plain = 0, amp = 0;
};

// What a copy of this program prints.
int print_rates() {
  for (const double rate :
       {Loop(whole(), "fma_loop").rate(), Loop(whole(), "packed_fma_loop").rate(), Loop(whole(), "integer_loop").rate(),
        Loop(plain(), "integer_loop").rate(), AmpLoop().rate()})
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
