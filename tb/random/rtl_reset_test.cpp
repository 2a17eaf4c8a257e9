// Reset (docs/reference/tile.md): a verilated tile whose every register and memory word begins with random bits, and
// that is reset in a random cycle of a random program, runs programs as the model does that begins as the page says.
#include <verilated.h>

#include <catch2/catch.hpp>
#include <iostream>
#include <memory>

#include "Vtile_state.h"
#include "pair_run.h"
#include "rtl/spec/machine.h"
#include "sim/engine/rtl_tile.h"
#include "sim/model/tile.h"
#include "tb/tier.h"

using namespace tessera;

namespace {

constexpr unsigned kTile = 3, kSegments = 4;
using Rtl = chip::RtlTile<Vtile>;

// As the pins say: all that a tile keeps, and its memory. Assertions hold from then on.
void reset_by_pins(Rtl& tile, const spec::Machine& machine) {
  tile.top().contextp()->assertOn(false);
  tile.top().clear_memory_i = 1;
  // One more: what tells a simulation whether the clock rises or falls (edge_q of tile.sv) begins at random, too.
  reset_tile(tile.top(), 1 + std::max(spec::kResetCycles, spec::reset_memory_cycles(machine.element_bytes)));
  tile.top().clear_memory_i = 0;
  tile.top().contextp()->assertOn(true);
}

}  // namespace

TEST_CASE("Whatever a tile holds at power-up, and wherever a program is when it is reset, the next one runs as ever") {
  const uint64_t seed = test::seed_from_environment(1), times = test::in_tier(25, 500);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine("mk2-16");
  uint64_t cycles = 0;
  for (uint64_t n = 0; n < times; ++n) {
    auto context = std::make_shared<VerilatedContext>();
    context->randReset(2);
    context->randSeed(static_cast<int>(seed + n));
    Rtl rtl(machine, kTile, context);
    model::ModelTile model(machine, kTile);
    test::PairRun<Rtl, model::ModelTile> pair(rtl, model, kTile);
    test::Random random(seed + n);
    const auto program = test::random_program(seed + n, kSegments);
    INFO("TESSERA_SEED=" << seed + n);
    reset_by_pins(rtl, machine);
    pair.limit_cycles(1 + random.below(20000));
    if (!pair.run(program)) FAIL("after power-up: " << pair.report());
    reset_by_pins(rtl, machine);
    pair.limit_cycles(~uint64_t{0});
    if (!pair.run(program)) FAIL("after a reset in a cycle of a program: " << pair.report());
    cycles += pair.cycles();
  }
  std::cout << times << " resets of programs, " << cycles << " cycles, 0 mismatches\n";
}
