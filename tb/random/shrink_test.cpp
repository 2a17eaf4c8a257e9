// A model tile that does one instruction wrong is found by random programs, and the program that found it shrinks to a
// few instructions.
#include <catch2/catch.hpp>
#include <iostream>

#include "shrink_failure.h"
#include "sim/model/tile.h"

using namespace tessera;
using spec::Opcode;

namespace {

constexpr unsigned kTile = 3, kSegments = 16, kPrograms = 20;

// Inverts the lowest bit of what `wrong` writes to a float register.
class WrongTile {
 public:
  WrongTile(unsigned id, Opcode wrong) : tile_(spec::load_machine("mk2-16"), id), wrong_(wrong) {}

  void reset() { tile_.reset(); }
  void step(const chip::TileInputs& in, chip::TileOutputs& out) {
    tile_.step(in, out);
    retire_ = tile_.retire();
    if (!retire_.valid || !retire_.reg_write || !retire_.reg_float || spec::decode(retire_.instruction) != wrong_)
      return;
    retire_.reg_data ^= 1;
    tile_.state().floats[retire_.context].f[retire_.reg] = retire_.reg_data;
  }
  const chip::Retire& retire() const { return retire_; }
  const chip::PortWrites& port_writes() const { return tile_.port_writes(); }
  chip::ExceptionStatus exception() const { return tile_.exception(); }
  chip::TileWait wait() const { return tile_.wait(); }
  void flip(const chip::Flip& flip) { tile_.flip(flip); }

 private:
  model::ModelTile tile_;
  const Opcode wrong_;
  chip::Retire retire_;
};

using Pair = test::PairRun<model::ModelTile, WrongTile>;

bool holds(const test::RandomProgram& program, Opcode opcode) {
  for (const auto& image : program.images)
    for (const uint32_t word : image.words)
      if (image.code && spec::decode(word) == opcode) return true;
  return false;
}

// The small failure that a wrong `opcode` leads to, not in code that the supervisor writes.
test::SmallFailure plant(Opcode opcode) {
  model::ModelTile right(spec::load_machine("mk2-16"), kTile);
  WrongTile wrong(kTile, opcode);
  for (uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const auto program = test::random_program(seed, kSegments);
    Pair pair(right, wrong, kTile);
    if (pair.run(program)) continue;
    CHECK(pair.failing() == opcode);
    auto failure = test::shrink_failure(right, wrong, kTile, program, pair);
    if (holds(failure.shrunk.program, opcode)) return failure;
  }
  FAIL("no program met the wrong instruction");
  return {};
}

}  // namespace

TEST_CASE("A wrong instruction is found and its program shrinks to a few instructions") {
  for (const auto opcode : {Opcode::F16v4add, Opcode::FmaddS, Opcode::Ld2xst64pace, Opcode::F16v4hihov4amp,
                            Opcode::F16v4tanh, Opcode::Urand64}) {
    INFO(spec::info(opcode).mnemonic);
    const auto failure = plant(opcode);
    std::cout << failure.report << "\n";
    CHECK(holds(failure.shrunk.program, opcode));
    CHECK(failure.shrunk.program.entries.size() == 1);
    CHECK(failure.shrunk.instructions <= 8);
    CHECK_THAT(failure.report, Catch::Matchers::ContainsText(std::string(spec::info(opcode).mnemonic)));
  }
}

TEST_CASE("What is needed together stays together") {
  // Fails as long as both of two instructions are there, wherever the others are.
  const auto program = test::random_program(5, 2);
  const auto& words = program.images[0].words;
  const size_t first = words.size() / 3, second = words.size() / 2;
  const auto fails = [&](const test::RandomProgram& p) {
    const auto& now = p.images[0].words;
    return now.size() > second && now[first] == words[first] && now[second] == words[second];
  };
  REQUIRE(fails(program));
  const auto shrunk = test::shrink(program, fails, 5000);
  CHECK(shrunk.instructions == 2);
  CHECK(fails(shrunk.program));
}
