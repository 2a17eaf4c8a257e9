// The random-number generator of the model and of the RTL: the published sequence.
#include <catch2/catch.hpp>
#include <string>

#include "Vprng.h"
#include "Vrandom_draw.h"
#include "rtl/spec/instructions.h"
#include "sim/model/float/prng.h"
#include "tb/arithmetic/amp_operands.h"
#include "tb/arithmetic/exact_convert.h"
#include "tb/arithmetic/prng_reference.h"
#include "tb/arithmetic/test_size.h"
#include "verilated.h"

namespace tessera::tb {
namespace {

using model::Prng;
using spec::Csr;

// prng.sv, a draw or a CSR access a cycle.
class RtlPrng {
 public:
  RtlPrng() {  // each generator gets its first state in a cycle of reset
    top_.rst_ni = 0;
    for (uint8_t context = 0; context < 8; ++context) {
      top_.reset_context_i = context;
      cycle();
    }
    top_.rst_ni = 1;
  }
  uint64_t draw(unsigned context) {  // a draw in X1 that retires at once
    top_.draw_i = 1;
    top_.context_i = static_cast<uint8_t>(context);
    top_.eval();
    const uint64_t result = top_.random_o;
    top_.draw_i = 0;
    top_.advance_i = 1;
    top_.advance_context_i = static_cast<uint8_t>(context);
    cycle();
    top_.advance_i = 0;
    return result;
  }
  void draw_without_retiring(unsigned context) {
    top_.draw_i = 1;
    top_.context_i = static_cast<uint8_t>(context);
    cycle();
    top_.draw_i = 0;
    cycle();
  }
  void write(unsigned context, Csr csr, uint32_t value) {
    top_.write_i = 1;
    top_.write_context_i = static_cast<uint8_t>(context);
    top_.write_number_i = static_cast<uint16_t>(csr);
    top_.wdata_i = value;
    cycle();
    top_.write_i = 0;
  }
  uint32_t read(unsigned context, Csr csr) {
    top_.read_i = 1;
    top_.read_context_i = static_cast<uint8_t>(context);
    top_.read_number_i = static_cast<uint16_t>(csr);
    top_.eval();
    const uint32_t result = top_.rdata_o;
    top_.read_i = 0;
    return result;
  }
  Prng state(unsigned context) {
    return {uint64_t{read(context, Csr::Xprng1)} << 32 | read(context, Csr::Xprng0),
            uint64_t{read(context, Csr::Xprng3)} << 32 | read(context, Csr::Xprng2)};
  }
  void set(unsigned context, const Prng& state) {
    write(context, Csr::Xprng0, static_cast<uint32_t>(state.s0));
    write(context, Csr::Xprng1, static_cast<uint32_t>(state.s0 >> 32));
    write(context, Csr::Xprng2, static_cast<uint32_t>(state.s1));
    write(context, Csr::Xprng3, static_cast<uint32_t>(state.s1 >> 32));
  }

 private:
  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }
  VerilatedContext context_;
  Vprng top_{&context_};
};

uint64_t draw(Prng& prng) {
  const uint64_t result = peek(prng);
  advance(prng);
  return result;
}

TEST_CASE("the sequence for given seeds is that of the authors' definition") {
  struct Vector {
    Prng seed;
    uint64_t first, second, third, tenth, millionth;
  };
  // Computed from the definition by a program of its own.
  const Vector vectors[] = {
      {{1, 2}, 0x0000000000000003u, 0x008000300000c003u, 0x013840e038000363u, 0x312212d13c62701eu, 0xf0691d572100d6ccu},
      {{0x0123456789abcdefu, 0xfedcba9876543210u},
       0xffffffffffffffffu,
       0xf77c0992a3a0e991u,
       0x92c55b7bdf804d24u,
       0x29da097d7dbc9e9eu,
       0x863093aac9c8f742u},
      {{1, ~uint64_t{0}},
       0xfffffffffffffff8u,
       0xfc7fffeffffe7ffdu,
       0xff7c406f97ffbe3eu,
       0x7ab81a8747c5e34fu,
       0xf460c4f3118c1487u},
  };
  RtlPrng rtl;
  for (const Vector& v : vectors) {
    Prng prng = v.seed;
    rtl.set(3, v.seed);
    for (unsigned i = 1; i <= 1000000; ++i) {
      const uint64_t got = draw(prng);
      if (i <= 10) REQUIRE(rtl.draw(3) == got);
      if (i == 1) REQUIRE(got == v.first);
      if (i == 2) REQUIRE(got == v.second);
      if (i == 3) REQUIRE(got == v.third);
      if (i == 10) REQUIRE(got == v.tenth);
      if (i == 1000000) REQUIRE(got == v.millionth);
    }
  }
}

TEST_CASE("model and RTL follow the definition bit by bit") {
  AmpOperands random(arithmetic_seed());
  RtlPrng rtl;
  uint64_t mismatches = 0;
  for (uint64_t i = 0; i < case_count(2000, 20000); ++i) {
    Prng prng = {random.bits(), random.bits()};
    const unsigned context = 1 + random.below(6);
    rtl.set(context, prng);
    PrngBits bits = prng_bits(prng.s0, prng.s1);
    for (unsigned n = 0; n < 10; ++n) {
      const uint64_t want = reference_output(bits);
      mismatches += draw(prng) != want;
      mismatches += rtl.draw(context) != want;
      bits = reference_step(bits);
      mismatches += prng_bits(prng.s0, prng.s1) != bits;
    }
    mismatches += !(rtl.state(context) == prng);
  }
  REQUIRE(mismatches == 0);
}

TEST_CASE("the state moves as the published polynomials say") {
  // Of the same state x, x^128 = the sum of powers given by the coefficients that Hanlon and Felix publish with their
  // tests as characteristic polynomial, and x^(2^64) is the sum given by the jump constants that Blackman and Vigna
  // publish for the constants 55, 14, 36.
  const auto sum_of_steps = [](const uint64_t(&coefficients)[2], Prng state) {
    PrngBits sum;
    for (const uint64_t word : coefficients) {
      for (unsigned i = 0; i < 64; ++i) {
        if ((word >> i & 1) != 0) sum ^= prng_bits(state.s0, state.s1);
        advance(state);
      }
    }
    return sum;
  };
  const uint64_t characteristic[2] = {0x5fd66762f0e1c001u, 0x00653ced7f29f88au};
  const uint64_t jump[2] = {0xbeac0467eba5facbu, 0xd86b048b86aa9922u};

  PrngMatrix far;
  for (size_t i = 0; i < 128; ++i) {
    Prng unit = {i < 64 ? uint64_t{1} << i : 0, i < 64 ? 0 : uint64_t{1} << (i - 64)};
    advance(unit);
    far[i] = prng_bits(unit.s0, unit.s1);
  }
  for (int i = 0; i < 64; ++i) far = squared(far);

  AmpOperands random(arithmetic_seed() + 1);
  for (int i = 0; i < 100; ++i) {
    const Prng seed = {random.bits(), random.bits()};
    Prng after = seed;
    for (int n = 0; n < 128; ++n) advance(after);
    REQUIRE(prng_bits(after.s0, after.s1) == sum_of_steps(characteristic, seed));
    REQUIRE(mapped(far, prng_bits(seed.s0, seed.s1)) == sum_of_steps(jump, seed));
  }
}

TEST_CASE("seeds give the states of the register page and reset those of the workers") {
  RtlPrng rtl;
  for (uint32_t worker = 0; worker < 6; ++worker) REQUIRE(rtl.state(worker + 1) == model::seeded(worker));
  for (const uint32_t seed : {0u, 1u, 0x80000000u, 0xffffffffu, 0x12345678u}) {
    const Prng got = model::seeded(seed);
    REQUIRE(got.s0 == (uint64_t{~seed} << 32 | seed));
    REQUIRE(got.s1 == (got.s0 << 13 | got.s0 >> 51));
    rtl.write(2, Csr::Xprngseed, seed);
    REQUIRE(rtl.state(2) == got);
  }
}

TEST_CASE("a draw that does not retire leaves the state, and workers do not disturb each other") {
  RtlPrng rtl;
  const Prng first = rtl.state(1);
  rtl.draw_without_retiring(1);
  REQUIRE(rtl.state(1) == first);
  rtl.draw(2);
  REQUIRE(rtl.state(1) == first);
  Prng second = model::seeded(1);
  advance(second);
  REQUIRE(rtl.state(2) == second);
}

TEST_CASE("integers and masks of a draw are those of the reference, in model and RTL") {
  AmpOperands random(arithmetic_seed() + 2);
  VerilatedContext context;
  Vrandom_draw rtl{&context};
  rtl.valid_i = 1;
  const auto rtl_result = [&](spec::Opcode op) {
    rtl.id_i = static_cast<uint16_t>(op);
    rtl.eval();
    return rtl.result_o;
  };
  uint64_t mismatches = 0;
  for (uint64_t i = 0; i < case_count(100000, 1000000); ++i) {
    const uint64_t x = random.bits(), r = random.bits();
    // Every second threshold is that of a lane or one beside it.
    const uint64_t lane = r >> 16 * random.below(4) & 0xffff;
    const uint64_t p = random.one_in(2) ? lane + random.below(3) - 1 : random.bits();
    rtl.a_i = x;
    rtl.random_i = r;
    rtl.keep_i = static_cast<uint32_t>(p) & 0x1ffff;
    mismatches += model::random_mask(x, p, r, 16) != random_mask(x, p, r, 16);
    mismatches += model::random_mask(x, p, r, 32) != random_mask(x, p, r, 32);
    mismatches += rtl_result(spec::Opcode::F16v4rmask) != random_mask(x, p, r, 16);
    mismatches += rtl_result(spec::Opcode::F32v2rmask) != random_mask(x, p, r, 32);
    mismatches += rtl_result(spec::Opcode::Urand64) != r;
    mismatches += rtl_result(spec::Opcode::Urand32) != (r & 0xffffffffu);
  }
  REQUIRE(mismatches == 0);
}

}  // namespace
}  // namespace tessera::tb
