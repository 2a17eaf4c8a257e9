// What kernels on one tile reach: matrix products, reading, copying and adding with six workers, on the model and on
// the RTL, which must take the same cycles and leave the same memory. Results are compared with the host's.
#include <iostream>

#include "kernel_run.h"
#include "matmul.h"
#include "rtl/spec/machine.h"
#include "tests/bench/figure.h"

using namespace tessera::bench;
using tessera::chip::Backend;
using tessera::spec::load_machine;

namespace {

constexpr uint32_t kStates = kParameters + 0x40;

struct Both {
  KernelRun model{make_chip(Backend::kModel, load_machine("mk2-4"))};
  std::unique_ptr<KernelRun> rtl;  // none: the model alone
  bool equal = true;

  // Runs the kernel on both; `check` counts wrong results on one. The model's cycles.
  template <class Check>
  uint64_t run(const std::string& supervisor, const Image& image, Check check, unsigned& wrong) {
    const uint64_t cycles = model.run(supervisor, image);
    wrong = check(model);
    if (rtl) equal = equal && rtl->run(supervisor, image) == cycles && rtl->memory_hash() == model.memory_hash();
    return cycles;
  }
};

// A figure counts only when the results are right and the RTL took the same cycles: else it misses every goal.
bool figure(Both& both, const std::string& name, double value, const char* unit, Goal kind, double goal,
            uint64_t cycles, unsigned wrong) {
  const bool counts = wrong == 0 && both.equal;
  return print_figure(name,
                      counts                   ? value
                      : kind == Goal::kAtLeast ? 0
                                               : 1e9,
                      unit, kind, goal,
                      {{"cycles", cycles},
                       {"wrong results", wrong},
                       {"rtl equals model", both.rtl ? nlohmann::json(both.equal) : nlohmann::json("not run")}});
}

bool matmul(Both& both, Element type, unsigned rows, unsigned inner, unsigned columns, const char* name, double goal) {
  const Matmul product(type, rows, inner, columns);
  unsigned wrong = 0;
  const uint64_t cycles = both.run(
      "matmul_supervisor", product.image(both.model), [&](KernelRun& run) { return product.differences(run); }, wrong);
  return figure(both, name, product.products() / product.products_per_cycle() / static_cast<double>(cycles),
                "of the engine's products per cycle", Goal::kAtLeast, goal, cycles, wrong);
}

uint32_t pattern(uint32_t i) { return i * 0x9e3779b9u ^ i << 7; }

void streams_parameters(Image& image, uint32_t entry) {
  image.word(kParameters, entry);
  image.word(kParameters + 4, kStates);
}

bool read_128(Both& both) {
  constexpr uint32_t each = 0x8000;  // bytes a worker
  Image image;
  streams_parameters(image, both.model.entry("read_128"));
  for (uint32_t w = 0; w < 6; ++w) {
    const uint32_t begin = kRegion1 + each * w;
    image.word(kStates + 32 * w, begin);
    image.word(kStates + 32 * w + 4, each / 16);
    for (uint32_t i = 0; i < 4; ++i) image.word(begin + each - 16 + 4 * i, pattern(4 * w + i));
  }
  unsigned wrong = 0;
  const auto check = [](KernelRun& run) {
    unsigned count = 0;
    for (unsigned w = 0; w < 6; ++w)
      for (unsigned i = 0; i < 2; ++i)
        count += run.float_register(w + 1, i) != (pattern(4 * w + 2 * i) | uint64_t{pattern(4 * w + 2 * i + 1)} << 32);
    return count;
  };
  const uint64_t cycles = both.run("streams_supervisor", image, check, wrong);
  return figure(both, "read-128-bit", 6.0 * each / static_cast<double>(cycles), "B/cycle, launch included",
                Goal::kAtLeast, 15.2, cycles, wrong);
}

bool copy(Both& both) {
  constexpr uint32_t words = 1024, source = kRegion1, destination = kRegion1 + 2 * kPair;
  Image image;
  streams_parameters(image, both.model.entry("copy_64"));
  for (uint32_t i = 0; i < 2 * words; ++i) image.word(source + 4 * i, pattern(i));
  uint32_t at = 0;
  for (uint32_t w = 0; w < 6; ++w) {
    const uint32_t n = words / 6 + (w < words % 6), state = kStates + 32 * w;
    image.triple(state, source + 8 * at + 8, 0, destination + 8 * at);
    image.word(state + 8, source + 8 * at);
    image.word(state + 12, n - 1);
    at += n;
  }
  unsigned wrong = 0;
  const auto check = [](KernelRun& run) {
    unsigned count = 0;
    for (uint32_t i = 0; i < 2 * words; ++i) count += run.word(destination + 4 * i) != pattern(i);
    return count;
  };
  const uint64_t cycles = both.run("streams_supervisor", image, check, wrong);
  return figure(both, "copy-8-KiB", 8.0 * words / static_cast<double>(cycles), "B/cycle, launch included",
                Goal::kAtLeast, 7.2, cycles, wrong);
}

// Cycles of adding two vectors of `words` * 4 halves: n + m with small whole numbers, which f16 has exactly.
uint64_t add(Both& both, uint32_t words, unsigned& wrong) {
  constexpr uint32_t first = kRegion1, second = kRegion1 + 2 * kPair, sum = kRegion1 + 4 * kPair;
  // Whole numbers 1024 + i: significand i of the binade [1024, 2048); sums stay even or below 2048 ...
  const auto half_of = [](uint32_t value) {  // 0 < value < 2048
    unsigned e = 0;
    while (value >> (e + 1)) ++e;
    return (e + 15) << 10 | ((value << (10 - e)) & 0x3ff);
  };
  const auto left = [](uint32_t i) { return 1 + i % 1000; };
  const auto right = [](uint32_t i) { return 1 + i * 7 % 1000; };
  Image image;
  streams_parameters(image, both.model.entry("add_f16"));
  for (uint32_t i = 0; i < 2 * words; ++i) {
    image.word(first + 4 * i, half_of(left(2 * i)) | half_of(left(2 * i + 1)) << 16);
    image.word(second + 4 * i, half_of(right(2 * i)) | half_of(right(2 * i + 1)) << 16);
  }
  uint32_t at = 0;
  for (uint32_t w = 0; w < 6; ++w) {
    const uint32_t n = words / 6 + (w < words % 6);
    image.triple(kStates + 32 * w, first + 8 * at, second + 8 * at, sum + 8 * at);
    image.word(kStates + 32 * w + 8, n - 1);
    at += n;
  }
  const auto check = [&](KernelRun& run) {
    unsigned count = 0;
    for (uint32_t i = 0; i < 2 * words; ++i)
      count += run.word(sum + 4 * i) !=
               (half_of(left(2 * i) + right(2 * i)) | half_of(left(2 * i + 1) + right(2 * i + 1)) << 16);
    return count;
  };
  return both.run("streams_supervisor", image, check, wrong);
}

bool add_f16(Both& both) {
  constexpr uint32_t small = 600, large = 6000;
  unsigned wrong_small = 0, wrong_large = 0;
  const uint64_t a = add(both, small, wrong_small), b = add(both, large, wrong_large);
  const double slope = static_cast<double>(b - a) / (4.0 * (large - small));
  const unsigned wrong = wrong_small + wrong_large;
  bool ok = figure(both, "add-f16-per-element", slope, "cycles", Goal::kAtMost, 0.55, b, wrong);
  ok &=
      figure(both, "add-f16-fixed", static_cast<double>(a) - slope * 4 * small, "cycles", Goal::kAtMost, 300, a, wrong);
  return ok;
}

}  // namespace

// Argument "model": without the RTL.
int main(int argc, char** argv) try {
  Both both;
  if (argc < 2 || std::string(argv[1]) != "model")
    both.rtl = std::make_unique<KernelRun>(make_chip(Backend::kRtl, load_machine("mk2-4")));
  bool ok = matmul(both, Element::kF16, 1512, 32, 16, "amp-loop-f16-16x16-panels", 0.95);
  ok &= matmul(both, Element::kF16, 244, 128, 64, "matmul-f16-244x128x64", 0.82);
  ok &= matmul(both, Element::kF32, 244, 128, 64, "matmul-f32-244x128x64", 0.82);
  ok &= matmul(both, Element::kF8, 244, 128, 64, "matmul-f8-244x128x64", 0.82);
  ok &= read_128(both);
  ok &= copy(both);
  ok &= add_f16(both);
  return ok ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "bench_arithmetic_kernels: " << error.what() << "\n";
  return 1;
}
