// Work without an end for a tile, or all tiles, of a chip of mk2's tiles, of which the speed is measured.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "kernel_run.h"
#include "matmul.h"
#include "tests/bench/calibration.h"

namespace tessera::bench {

// Evaluated tile-cycles a second of processor time while `work` runs.
template <class Work>
double rate_of(const KernelRun& run, Work work) {
  const uint64_t before = run.evaluated();
  const double start = processor_seconds(RUSAGE_SELF);
  work();
  return static_cast<double>(run.evaluated() - before) / (processor_seconds(RUSAGE_SELF) - start);
}

// A loop of loops.S on six workers, each with its own factors.
class Loop {
 public:
  Loop(std::unique_ptr<chip::Chip> chip, const char* entry, unsigned tile = 0) : run_(std::move(chip), tile) {
    constexpr uint32_t kFloats = 0x80000;
    Image image;
    image.word(kParameters, run_.entry(entry));
    image.word(kParameters + 4, kFloats);
    for (uint32_t w = 0; w < 6; ++w)
      for (uint32_t i = 0; i < 16; ++i) {
        // Lane 1 of packed halves is the upper half of an f32 below 1: both are below 1 in magnitude.
        const uint32_t fraction = 0x9e3779b9u * (16 * w + i + 1);
        image.word(kFloats + 64 * w + 4 * i, (i % 2 ? 0xb8000000u : 0x38000000u) | (fraction >> 9 & 0x3ff3ff));
      }
    run_.start("loop_supervisor", image);
    run_.go_on(1000);
  }
  double rate(uint64_t cycles) {
    return rate_of(run_, [&] { run_.go_on(cycles); });
  }
  void go_on(uint64_t cycles) { run_.go_on(cycles); }

 private:
  KernelRun run_;
};

// The matrix product of the AMP loop figure, again and again: all but 3 % of its cycles hold a step.
class AmpLoop {
 public:
  explicit AmpLoop(std::unique_ptr<chip::Chip> chip) : product_(Element::kF16, 1512, 32, 16), run_(std::move(chip)) {
    run_.run("matmul_supervisor", product_.image(run_));
  }
  double rate(unsigned products) {
    return rate_of(run_, [&] {
      for (unsigned i = 0; i < products; ++i) run_.run_again("matmul_supervisor");
    });
  }

 private:
  Matmul product_;
  KernelRun run_;
};

}  // namespace tessera::bench
