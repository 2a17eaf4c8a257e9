// The model of unit Amp against the exact reference: value, flags and every accumulator.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "sim/model/float/amp_host.h"
#include "tb/arithmetic/amp_operands.h"
#include "tb/arithmetic/exact_amp.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::Accumulators;
using model::VectorResult;
using spec::Opcode;

std::string difference(const AmpCase& c, const VectorResult& got, const Accumulators& got_acc, const VectorResult& want,
                       const Accumulators& want_acc) {
  char line[160];
  std::string text = text_of(c);
  std::snprintf(line, sizeof line, "\n  model %016llx flags %02x, reference %016llx flags %02x",
                static_cast<unsigned long long>(got.value), got.flags, static_cast<unsigned long long>(want.value),
                want.flags);
  text += line;
  for (unsigned u = 0; u < 16; ++u) {
    if (got_acc.a[u] != want_acc.a[u] || got_acc.s[u] != want_acc.s[u]) {
      std::snprintf(line, sizeof line, "\n  unit %2u: model A %08x S %08x, reference A %08x S %08x", u, got_acc.a[u],
                    got_acc.s[u], want_acc.a[u], want_acc.s[u]);
      text += line;
    }
  }
  return text;
}

struct Seen {
  uint64_t invalid = 0, overflow = 0, neither = 0;
};

void compare(Opcode op, uint64_t count) {
  AmpOperands operands(arithmetic_seed() + static_cast<uint64_t>(op));
  AmpCase c{};
  for (uint64_t& w : c.weights) w = operands.bits();
  Seen seen;
  uint64_t mismatches = 0;
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    operands.next(op, c);
    Accumulators got_acc = c.acc;
    Accumulators want_acc = c.acc;
    const VectorResult got = model::amp_execute(op, c.number, c.a, c.b, c.control, c.weights, got_acc);
    const VectorResult want = exact_amp(op, c.number, c.a, c.b, c.control, c.weights, want_acc);
    if (!(got == want) || !(got_acc == want_acc)) {
      if (++mismatches == 1) text = difference(c, got, got_acc, want, want_acc);
    }
    seen.invalid += (want.flags & model::fp_flag::NV) != 0;
    seen.overflow += (want.flags & model::fp_flag::OF) != 0;
    seen.neither += want.flags == 0;
    c.acc = want_acc;
  }
  const std::string name(spec::info(op).mnemonic);
  std::printf("%-16s %llu cases: %llu invalid, %llu overflow, %llu differences\n", name.c_str(),
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(seen.invalid),
              static_cast<unsigned long long>(seen.overflow), static_cast<unsigned long long>(mismatches));
  INFO(text);
  REQUIRE(mismatches == 0);
  REQUIRE(seen.neither > count / 20);
  // The operands reach the corners. Sums of f16 and f8 products with an f32 cannot overflow: the products are below
  // half a last place of the largest f32.
  if (op == Opcode::Zacc || op == Opcode::F32v2gina) return;
  REQUIRE(seen.invalid > 0);
  REQUIRE(seen.invalid < count);
  const bool rounds_to_half = name.find("ho") != std::string::npos || name.find("gina") != std::string::npos;
  REQUIRE((seen.overflow > 0) == (rounds_to_half || name.starts_with("f32")));
}

TEST_CASE("matrix steps, slim convolution and accumulators equal the exact reference") {
  for (const Opcode op : amp_instructions(false)) compare(op, case_count(20000, 1000000));
}

TEST_CASE("paced steps compute what the register forms compute") {
  AmpOperands operands(arithmetic_seed() + 1000);
  AmpCase c{};
  uint64_t compared = 0;
  for (const Opcode op : amp_instructions(true)) {
    const std::string name(spec::info(op).mnemonic);
    if (!name.ends_with("pace")) continue;
    for (uint64_t i = 0; i < case_count(500, 50000); ++i) {
      operands.next(op, c);
      Accumulators got_acc = c.acc;
      Accumulators want_acc = c.acc;
      const VectorResult got = model::amp_execute(op, c.number, c.a, c.b, c.control, c.weights, got_acc);
      const VectorResult want = exact_amp(op, c.number, c.a, c.b, c.control, c.weights, want_acc);
      INFO(text_of(c));
      if (!(got == want) || !(got_acc == want_acc)) FAIL("model and reference differ");
      ++compared;
    }
  }
  REQUIRE(compared >= 8 * case_count(500, 50000));
}

// Operands that programs have: neither large nor tiny, some of them zero, sums at times halfway between two f32.
class TameOperands {
 public:
  explicit TameOperands(uint64_t seed) : random_(seed) {}

  void next(AmpCase& c) {
    const unsigned spread = 1 + below(16);
    c.a = halves(spread);
    c.b = halves(spread);
    c.number = below(4);
    c.control = {};
    for (uint64_t& w : c.weights)
      if (below(8) == 0) w = halves(spread);
    for (auto* row : {&c.acc.a, &c.acc.s})
      for (uint32_t& sum : *row) sum = below(16) == 0 ? 0 : single(spread);
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_.bits() % n); }
  uint64_t halves(unsigned spread) {
    uint64_t all = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const uint32_t kept = 0xffffu << below(11);  // few bits, so that sums are short, too
      const uint32_t half = (below(2) << 15 | (15 - spread / 2 + below(spread)) << 10 | below(1024)) & kept;
      all |= uint64_t{below(8) == 0 ? 0 : half & 0xffff} << 16 * lane;
    }
    return all;
  }
  uint32_t single(unsigned spread) {
    const uint32_t kept = 0xffffffffu << below(24);
    return (below(2) << 31 | (127 - spread / 2 + below(spread)) << 23 | below(1u << 23)) & kept;
  }

  AmpOperands random_;
};

TEST_CASE("a step by the host's vectors is that of the exact reference, or is not taken") {
  constexpr auto op = Opcode::F16v4hihov4amp;
  const uint64_t count = case_count(100000, 3000000);
  uint64_t tame_taken = 0, any_taken = 0;
  const auto taken = [](const AmpCase& c, auto step) {
    std::array<model::HostWeights, 4> weights;
    model::take_weights(c.weights, c.number, weights[c.number]);
    Accumulators got_acc = c.acc, want_acc = c.acc;
    VectorResult got;
    const bool done = step(c.number, c.a, c.b, weights[c.number], got_acc, got.value);
    const VectorResult want = done ? exact_amp(op, c.number, c.a, c.b, c.control, c.weights, want_acc) : got;
    INFO(difference(c, got, got_acc, want, want_acc));
    REQUIRE(got == want);
    REQUIRE(got_acc == want_acc);
    return done;
  };
  const bool wide = GENERATE(false, true);
  if (wide && !model::has_wide_vectors()) return;
  const auto step = wide ? model::step_by_wide_vectors : model::step_by_vectors;
  TameOperands tame(arithmetic_seed() + 2000);
  AmpOperands operands(arithmetic_seed() + 2001);
  AmpCase c{};
  for (uint64_t i = 0; i < count; ++i) {
    tame.next(c);
    tame_taken += taken(c, step);
    operands.next(op, c);
    c.number &= 3;
    c.control = {};
    any_taken += taken(c, step);
  }
  std::printf("%s vectors: %llu of %llu tame steps taken, %llu of as many others\n", wide ? "wide" : "any",
              static_cast<unsigned long long>(tame_taken), static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(any_taken));
  REQUIRE(tame_taken > count / 3);
  REQUIRE(any_taken < count);
}

}  // namespace
}  // namespace tessera::tb
