// How long phases are: merged ones against their parts, and those of a tile that many need something of.
#include <catch2/catch.hpp>

#include "compiler/passes/exchange/plan_exchange.h"
#include "compiler/passes/exchange/schedule_exchange.h"
#include "compiler/passes/phases/port_loads.h"
#include "tb/random/random.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr std::uint32_t kTiles = 16, kVariable = 4096;

struct RandomProgram {
  Random random;
  ir::Program program;

  explicit RandomProgram(std::uint64_t seed) : random(seed) {
    program.tiles = kTiles;
    // The first half of a tile's bytes is read, the second written.
    for (std::uint32_t tile = 0; tile < kTiles; ++tile)
      program.blocks.push_back({.tile = tile, .bytes = 2 * kVariable});
  }

  ir::Exchange exchange(std::vector<std::uint32_t>& written) {
    ir::Exchange made;
    const std::uint32_t moves = 1 + random.below(200), most = 1 + random.below(64);
    for (std::uint32_t n = 0; n < moves; ++n) {
      const std::uint32_t bytes = 4 * (1 + random.below(most)), target = random.below(kTiles);
      if (written[target] + bytes > kVariable) continue;
      made.moves.push_back({{random.below(kTiles), 4 * random.below((kVariable - bytes) / 4)},
                            {target, kVariable + written[target]},
                            bytes});
      written[target] += bytes;
    }
    return made;
  }
  std::uint32_t cycles(const ir::Exchange& exchange) const {
    static const spec::Machine machine = spec::load_machine("mk2-16");
    ir::Blocks blocks = program.blocks;
    return compiler::schedule_exchange(compiler::plan_exchange(exchange, blocks).traffic, machine).cycles;
  }
};

}  // namespace

TEST_CASE("a merged phase is at most as long as its parts one after the other") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomProgram random(seed);
    std::vector<std::uint32_t> written(kTiles);
    const ir::Exchange first = random.exchange(written), second = random.exchange(written);
    ir::Exchange both = first;
    both.moves.insert(both.moves.end(), second.moves.begin(), second.moves.end());
    INFO("seed " << seed);
    CHECK(random.cycles(both) <= random.cycles(first) + random.cycles(second));
  }
}

TEST_CASE("a merged phase packs no pieces that its parts send as they are") {
  RandomProgram random(1);
  const auto words = [](std::uint32_t first) {
    ir::Exchange exchange;
    for (std::uint32_t n = 0; n < 40; ++n) exchange.moves.push_back({{0, 8 * (first + n)}, {1, 12 * (first + n)}, 4});
    return exchange;
  };
  ir::Exchange both = words(0);
  for (const ir::Move& m : words(40).moves) both.moves.push_back(m);
  const auto packs = [&](const ir::Exchange& exchange) {
    ir::Blocks blocks = random.program.blocks;
    return !compiler::plan_exchange(exchange, blocks).before.copies.empty();
  };
  CHECK_FALSE(packs(words(0)));
  CHECK(packs(both));
  both.parts = 2;
  CHECK_FALSE(packs(both));
}

TEST_CASE("a busy tile that sends pieces which overlap is done before it could have sent each of them") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomProgram random(seed);
    ir::Exchange shares;
    for (std::uint32_t tile = 1; tile < kTiles; ++tile) {
      const std::uint32_t bytes = 4 * (256 + random.random.below(512));
      shares.moves.push_back({{0, 4 * random.random.below((kVariable - bytes) / 4)}, {tile, kVariable}, bytes});
    }
    INFO("seed " << seed);
    CHECK(random.cycles(shares) < compiler::port_loads(random.program.blocks, shares.moves).sent.at(0) / 4);
  }
}
