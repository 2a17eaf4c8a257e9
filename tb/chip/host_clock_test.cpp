// The flat top with a host whose clock has any ratio and phase to the chip's: a program is loaded, run, looked at,
// answered and run to its end through the host port, and all that can be read is the same as with one clock for both.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "chip_programs.h"
#include "flat_chip.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;

namespace {

constexpr uint64_t kLimit = 4'000'000;
constexpr uint16_t kMark = 0x2a5c;

struct Seen {
  std::vector<uint32_t> at_sync, at_end;  // what the debugger read
  uint64_t packets = 0;                   // calls of the host's memory
  bool operator==(const Seen&) const = default;
};

void look(FlatChip& chip, const spec::Machine& m, std::vector<uint32_t>& seen) {
  for (unsigned t = 0; t < m.tiles(); ++t) {
    for (const uint32_t base : {kSent, kReceived, kResult})
      for (uint32_t i = 0; i < 6; ++i) seen.push_back(chip.debug_read(t, DebugSpace::kMemory, 0, base + 4 * i));
    for (unsigned r = 1; r < 8; ++r) seen.push_back(chip.debug_read(t, DebugSpace::kInteger, 0, r));
    for (const spec::Csr csr : {spec::Csr::Xmark, spec::Csr::Xgc})
      seen.push_back(chip.debug_read(t, DebugSpace::kCsr, 0, static_cast<uint32_t>(csr)));
    for (const uint32_t number :
         {spec::DebugControl::kPc, spec::DebugControl::kStatus, spec::DebugControl::kExceptionPc})
      seen.push_back(chip.debug_read(t, DebugSpace::kControl, 0, number));
  }
}

Seen session(const spec::Machine& m, const ChipProgram& program, std::optional<FlatChip::HostClock> clock) {
  FlatChip chip(m, clock);
  HostMemory host(m);
  chip.attach(&host);
  load_and_start(chip, program);
  Seen seen;
  REQUIRE(chip.run(kLimit));
  look(chip, m, seen.at_sync);
  chip.mark(chip.cycle(), kMark);
  if (clock) {
    // The host looks when all tiles stand: no exception comes behind.
    unsigned looks = 0;
    for (;;) {
      const auto status = spec::HostStatus::decode(chip.read_register(spec::kRegStatus));
      if (!status.running && status.exception) break;
      REQUIRE(++looks < 100000);
    }
    CHECK(chip.read_register(spec::kRegExceptionTile) == 0);
    CHECK(chip.read_register(spec::kRegMark) == 0);
  } else {
    chip.run(chip.cycle() + 20000);
  }
  look(chip, m, seen.at_end);
  seen.packets = host.cycles().size();
  return seen;
}

}  // namespace

TEST_CASE("boot and debug sessions give the same at any ratio and phase of the host's clock") {
  const auto m = spec::load_machine("mk2-4");
  const std::pair<const char*, ChipProgram> programs[] = {{"ring", ring_program(m, 1)},
                                                          {"host memory", host_memory_program(m, 20)},
                                                          {"consensus", consensus_program(m)},
                                                          {"multicast", multicast_program(m, 3)}};
  std::vector<Seen> expected;
  for (const auto& [name, program] : programs) {
    expected.push_back(session(m, program, std::nullopt));
    CHECK(expected.back().at_sync != expected.back().at_end);
  }
  CHECK(expected[1].packets > 0);
  std::mt19937 random(73);
  std::uniform_real_distribution<double> share(0, 1);
  constexpr unsigned kRuns = 200;
  for (unsigned run = 0; run < kRuns; ++run) {
    const double period = std::pow(10.0, 2 * share(random) - 1);
    const FlatChip::HostClock clock{period, period * share(random)};
    INFO(programs[run % 4].first << ", run " << run << ", host period " << period << " of the chip's");
    CHECK((session(m, programs[run % 4].second, clock) == expected[run % 4]));
  }
  std::printf("%u sessions\n", kRuns);
}
