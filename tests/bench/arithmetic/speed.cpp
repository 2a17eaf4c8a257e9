// How fast the verilated tile simulates arithmetic: evaluated tile-cycles a second as a ratio to the calibration core
// in the same run, best of three each; and what the arithmetic costs a program that does not use it: the tile against
// one whose units are empty modules.
#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

#include "Vtile_plain.h"
#include "chip/chip_engine.h"
#include "chip/rtl_tile.h"
#include "figure.h"
#include "kernel_run.h"
#include "matmul.h"
#include "rtl/spec/machine.h"

using namespace tessera;
using bench::KernelRun;

namespace {

constexpr uint64_t kCycles = 1'500'000;
constexpr uint32_t kFloats = 0x80000;

// Cycles per second of the calibration core; 0 when it gives another result than everywhere else.
double calibrate() {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("cd " CALIBRATE_FOLDER " && ./obj_dir/Vcalibrate", "r"), pclose);
  std::array<char, 512> line{};
  if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
    throw std::runtime_error("the calibration core does not run");
  const auto figure = nlohmann::json::parse(line.data());
  return figure["result"] == "e228842b" ? figure["value"].get<double>() : 0.0;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    const uint64_t before = run_->evaluated();
    const auto start = std::chrono::steady_clock::now();
    run_->go_on(kCycles);
    return static_cast<double>(run_->evaluated() - before) / seconds_since(start);
  }

 private:
  std::unique_ptr<KernelRun> run_;
};

// The matrix product of the AMP loop figure, again and again: all but 3 % of its cycles hold a step.
class AmpLoop {
 public:
  AmpLoop() : product_(bench::Element::kF16, 1512, 32, 16) { run_.run("matmul_supervisor", product_.image(run_)); }
  double rate() {
    const uint64_t before = run_.evaluated();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 80; ++i) run_.run_again("matmul_supervisor");
    return static_cast<double>(run_.evaluated() - before) / seconds_since(start);
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

}  // namespace

int main() try {
  Loop fma(whole(), "fma_loop"), packed(whole(), "packed_fma_loop"), integer(whole(), "integer_loop"),
      integer_plain(plain(), "integer_loop");
  AmpLoop amp;
  double core = 0, fma_rate = 0, packed_rate = 0, amp_rate = 0, integer_rate = 0, plain_rate = 0;
  for (int i = 0; i < 3; ++i) {
    core = std::max(core, calibrate());
    fma_rate = std::max(fma_rate, fma.rate());
    packed_rate = std::max(packed_rate, packed.rate());
    amp_rate = std::max(amp_rate, amp.rate());
    integer_rate = std::max(integer_rate, integer.rate());
    plain_rate = std::max(plain_rate, integer_plain.rate());
  }
  const auto speed = [&](const char* name, double rate, double goal) {
    return print_figure(name, rate / core, "of the calibration core", Goal::kAtLeast, goal,
                        {{"tile-cycles/s", rate}, {"calibration cycles/s", core}});
  };
  bool ok = speed("rtl-speed-f32-fma-loop", fma_rate, 0.06);
  ok &= speed("rtl-speed-amp-loop", amp_rate, 0.03);
  speed("rtl-speed-packed-f16-fma-loop", packed_rate, 0);
  speed("rtl-speed-integer-loop", integer_rate, 0);
  ok &= print_figure("idle-cost", integer_rate / plain_rate, "of the speed without the arithmetic units",
                     Goal::kAtLeast, 0.9, {{"tile-cycles/s", integer_rate}, {"without", plain_rate}});
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_arithmetic_speed: " << error.what() << "\n";
  return 1;
}
