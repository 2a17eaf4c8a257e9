#include "sw/poplar/worker_start.h"

#include "rtl/spec/instructions.h"
#include "rtl/spec/registers.h"

namespace tessera::runtime {
namespace {

constexpr uint32_t kAllFloatTraps = WorkerStart::kTrapInvalid | WorkerStart::kTrapDivision | WorkerStart::kTrapOverflow;
constexpr uint32_t kWorkersOfATile = 8;  // room for them in the numbering: the same for every machine

// splitmix64, Sebastiano Vigna: the way to seed generators of the xoroshiro family.
uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

}  // namespace

uint32_t WorkerStart::float_control() const {
  return (trap_floats ? kAllFloatTraps : 0) | (stochastic_rounding ? kStochastic : 0) |
         static_cast<uint32_t>(half_overflow) << kHalfOverflowShift;
}

std::array<uint32_t, 4> generator_state(uint64_t seed, uint32_t tile, uint32_t worker) {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15;
  const uint64_t number = uint64_t{tile} * kWorkersOfATile + worker;
  const uint64_t s0 = mixed(mixed(seed) + (2 * number + 1) * kStep), s1 = mixed(mixed(seed) + (2 * number + 2) * kStep);
  const auto low = [](uint64_t s) { return static_cast<uint32_t>(s); };
  const auto high = [](uint64_t s) { return static_cast<uint32_t>(s >> 32); };
  return {low(s0), high(s0), low(s1), high(s1)};
}

void write_worker_start(card::Client::Writes& writes, const WorkerStart& start, uint32_t tiles, uint32_t first) {
  if (const uint32_t control = start.float_control(); control != 0)
    writes.debug_write(chip::kNoTile, chip::DebugSpace::kCsr, 0, static_cast<uint32_t>(spec::Csr::Xfpictl), control);
  if (!start.seed) return;
  constexpr auto kFirst = static_cast<uint32_t>(spec::Csr::Xprng0);
  for (uint32_t tile = 0; tile < tiles; ++tile) {
    for (uint32_t worker = 0; worker < start.workers; ++worker) {
      const auto words = generator_state(*start.seed, first + tile, worker);
      writes.debug_write(tile, chip::DebugSpace::kCsr, worker + 1, kFirst, words);
    }
  }
}

}  // namespace tessera::runtime
