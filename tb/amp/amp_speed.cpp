// Cycles a second of the matrix engine alone: amp_speed [cycles]. A step in every cycle, six workers in turn, on
// numbers of ordinary size; then the same with nothing to do.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "tb/amp/rtl_amp.h"

namespace tessera::tb {
namespace {

// Processor time, so that what else the machine does matters less.
double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

void report(const std::string& name, long cycles, double seconds) {
  std::printf("{\"name\": \"%s\", \"value\": %.0f, \"unit\": \"cycles/s\"}\n", name.c_str(),
              static_cast<double>(cycles) / seconds);
}

uint64_t random_bits() {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state ^ state >> 31;
}

// Halves with magnitudes between 2^-6 and 2^2.
uint64_t ordinary_halves() {
  uint64_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const uint64_t r = random_bits();
    result = result << 16 | (r & 0x8000) | (9 + (r >> 40) % 8) << 10 | (r >> 20 & 0x3ff);
  }
  return result;
}

void measure(spec::Opcode op, unsigned phases, long cycles) {
  RtlAmp rtl;
  for (unsigned n = 0; n < 64; ++n) {
    rtl.load(n, ordinary_halves());
    rtl.cycle();
  }
  static AmpCase cases[4096];
  for (AmpCase& c : cases) {
    c = {};
    c.op = op;
    c.a = ordinary_halves();
    c.b = ordinary_halves();
  }
  rtl.commit(true);
  const auto start = std::clock();
  for (long i = 0; i < cycles; ++i) {
    AmpCase& c = cases[i & 4095];
    c.number = static_cast<unsigned>(i / 6) % phases;
    rtl.issue(1 + static_cast<unsigned>(i % 6), c);
    rtl.cycle();
  }
  report(std::string(spec::info(op).mnemonic), cycles, seconds_since(start));
}

void measure_idle(long cycles) {
  RtlAmp rtl;
  const auto start = std::clock();
  for (long i = 0; i < cycles; ++i) rtl.cycle();
  report("idle", cycles, seconds_since(start));
}

}  // namespace
}  // namespace tessera::tb

int main(int argc, char** argv) {
  const long cycles = argc > 1 ? std::atol(argv[1]) : 3000000;
  tessera::tb::measure(tessera::spec::Opcode::F16v4hihov4amp, 4, cycles);
  tessera::tb::measure(tessera::spec::Opcode::F8v8hihov4amp, 4, cycles);
  tessera::tb::measure(tessera::spec::Opcode::F32sisov2amp, 8, cycles);
  tessera::tb::measure_idle(10 * cycles);
}
