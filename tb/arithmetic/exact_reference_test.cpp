// The exact reference itself: its sums and roundings against MPFR, and cases of arithmetic.md worked by hand.
#include <mpfr.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "tb/arithmetic/amp_operands.h"
#include "tb/arithmetic/exact_amp.h"
#include "tb/arithmetic/exact_convert.h"
#include "tb/arithmetic/exact_number.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::Accumulators;
using model::FloatControl;
using model::RoundingMode;
using model::VectorResult;
using model::Weights;
using spec::Opcode;
namespace flag = model::fp_flag;

// A number that MPFR holds.
class Big {
 public:
  explicit Big(mpfr_prec_t precision = 700) { mpfr_init2(x_, precision); }
  ~Big() { mpfr_clear(x_); }
  Big(const Big&) = delete;
  Big& operator=(const Big&) = delete;
  mpfr_ptr get() { return x_; }

 private:
  mpfr_t x_;
};

void load(Big& x, const Decoded& d) {
  mpfr_set_ui_2exp(x.get(), d.significand, d.exponent, MPFR_RNDN);
  if (d.negative) mpfr_neg(x.get(), x.get(), MPFR_RNDN);
}

// A finite f32 from the bits, by the host.
float host_single(uint32_t bits) {
  float x;
  static_assert(sizeof x == sizeof bits);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST_CASE("operands are decoded as the formats say") {
  for (uint32_t bits : {0u, 1u, 0x007fffffu, 0x00800000u, 0x3f800000u, 0x7f7fffffu, 0xc0490fdbu}) {
    const Decoded d = decode_number(kF32, bits);
    const double value = std::ldexp(static_cast<double>(d.significand), d.exponent) * (d.negative ? -1 : 1);
    REQUIRE(value == static_cast<double>(host_single(bits)));
  }
  const auto value = [](const NumberFormat& f, uint32_t bits) {
    const Decoded d = decode_number(f, bits);
    return std::ldexp(static_cast<double>(d.significand), d.exponent) * (d.negative ? -1 : 1);
  };
  REQUIRE(value(kF16, 0x3c00) == 1);
  REQUIRE(value(kF16, 0x7bff) == 65504);
  REQUIRE(value(kF16, 0x8001) == -std::ldexp(1.0, -24));
  REQUIRE(value(kF8e4, 0x40) == 1);
  REQUIRE(value(kF8e4, 0x7f) == 240);
  REQUIRE(value(kF8e4, 0x01) == std::ldexp(1.0, -10));
  REQUIRE(value(kF8e5, 0x40) == 1);
  REQUIRE(value(kF8e5, 0xff) == -57344);
  REQUIRE(value(kF8e5, 0x01) == std::ldexp(1.0, -17));
  REQUIRE(decode_number(kF8e4, 0x80).nan);
  REQUIRE(decode_number(kF16, 0x7d00).signalling);
  REQUIRE(!decode_number(kF16, 0x7e00).signalling);
}

TEST_CASE("sums of products and their rounding equal MPFR's") {
  AmpOperands random(arithmetic_seed() + 20);
  // Precision and exponent range of the formats, as MPFR counts exponents.
  struct Range {
    const NumberFormat& format;
    mpfr_prec_t precision;
    mpfr_exp_t smallest, largest;  // exponents of the smallest subnormal and of the largest number
  };
  const Range ranges[] = {{kF32, 24, -148, 128}, {kF16, 11, -23, 16}};
  const std::pair<RoundingMode, mpfr_rnd_t> modes[] = {{RoundingMode::RNE, MPFR_RNDN},
                                                       {RoundingMode::RTZ, MPFR_RNDZ},
                                                       {RoundingMode::RDN, MPFR_RNDD},
                                                       {RoundingMode::RUP, MPFR_RNDU}};
  std::array<Big, 5> terms;
  Big x(24), w(24);
  const mpfr_exp_t old_emin = mpfr_get_emin(), old_emax = mpfr_get_emax();
  const uint64_t count = case_count(50000, 1000000);
  uint64_t checked = 0, mismatches = 0;
  for (uint64_t i = 0; i < count; ++i) {
    ExactSum sum;
    mpfr_ptr pointers[5];
    const bool wide = random.one_in(4);  // f32 products
    random.choose_flavour();
    const auto operand = [&] {
      const Decoded d = wide ? decode_number(kF32, random.single()) : decode_number(kF16, random.half());
      return d.nan || d.infinite ? Decoded{.significand = 1} : d;
    };
    for (unsigned n = 0; n < 5; ++n) {
      Decoded a = operand(), b = operand();
      if (n == 4) {
        b = Decoded{.significand = 1};
        a = decode_number(kF32, random.one_in(2) ? random.partial() : random.single());
        if (a.nan || a.infinite) a = Decoded{};
      }
      load(x, a);
      load(w, b);
      mpfr_mul(terms[n].get(), x.get(), w.get(), MPFR_RNDN);
      pointers[n] = terms[n].get();
      const uint64_t significand = uint64_t{a.significand} * b.significand;
      if (significand != 0) sum.add(a.negative != b.negative, significand, a.exponent + b.exponent);
    }
    Big exact;
    mpfr_sum(exact.get(), pointers, 5, MPFR_RNDN);
    if (mpfr_zero_p(exact.get()) != 0 || sum.zero()) {
      mismatches += (mpfr_zero_p(exact.get()) != 0) != sum.zero();
      continue;
    }
    for (const Range& range : ranges) {
      const auto& [mode, direction] = modes[random.below(4)];
      Big rounded(range.precision);
      mpfr_set_emin(range.smallest);
      mpfr_set_emax(range.largest);
      mpfr_clear_flags();
      int ternary = mpfr_set(rounded.get(), exact.get(), direction);
      ternary = mpfr_check_range(rounded.get(), ternary, direction);
      const bool overflow = mpfr_overflow_p() != 0;
      ternary = mpfr_subnormalize(rounded.get(), ternary, direction);
      mpfr_set_emin(old_emin);
      mpfr_set_emax(old_emax);

      const Rounded got = round_sum(range.format, mode, sum);
      ++checked;
      const bool infinite = mpfr_inf_p(rounded.get()) != 0;
      const Decoded d = decode_number(range.format, got.value);
      bool equal = d.infinite == infinite && d.negative == (mpfr_signbit(rounded.get()) != 0) &&
                   got.overflows == overflow && ((got.flags & flag::NX) != 0) == (ternary != 0);
      if (equal && !infinite) {
        load(x, d);
        equal = mpfr_equal_p(x.get(), rounded.get()) != 0;
      }
      mismatches += !equal;
    }
  }
  REQUIRE(mismatches == 0);
  REQUIRE(checked > count);
}

TEST_CASE("ties away from zero and f8's overflow are as the pages say") {
  const auto rounded = [](const NumberFormat& f, RoundingMode rm, uint64_t significand, int exponent) {
    ExactSum sum;
    sum.add(false, significand, exponent);
    return round_sum(f, rm, sum);
  };
  REQUIRE(rounded(kF16, RoundingMode::RMM, 2049, 0).value == 0x6801);  // halfway between 2048 and 2050
  REQUIRE(rounded(kF16, RoundingMode::RNE, 2049, 0).value == 0x6800);
  REQUIRE(rounded(kF8e4, RoundingMode::RNE, 247, 0).value == 0x7f);  // 240, the largest, without overflow
  REQUIRE(!rounded(kF8e4, RoundingMode::RNE, 247, 0).overflows);
  REQUIRE(rounded(kF8e4, RoundingMode::RNE, 248, 0).overflows);  // a tie: 256 is the even one
  REQUIRE(!rounded(kF8e4, RoundingMode::RTZ, 255, 0).overflows);
  REQUIRE(rounded(kF8e4, RoundingMode::RTZ, 256, 0).overflows);
  // Tiny after rounding: just below the smallest normal there is underflow unless full precision reaches it.
  REQUIRE(rounded(kF16, RoundingMode::RNE, 0xfff, -26).flags == flag::NX);
  REQUIRE(rounded(kF16, RoundingMode::RNE, 0x1ffb, -27).flags == (flag::NX | flag::UF));
}

TEST_CASE("stochastic rounding adds the random bits to the fraction") {
  FloatControl control;
  control.stochastic = true;
  const auto rounded = [&](uint32_t x, uint32_t random) {
    uint8_t flags = 0;
    const uint32_t value = single_to_half(x, random, control, flags);
    return VectorResult{value, flags};
  };
  // 1 + 2^-11: fraction 1/2 of the last place.
  REQUIRE(rounded(0x3f801000u, 0x7fff) == VectorResult{0x3c00, flag::NX});
  REQUIRE(rounded(0x3f801000u, 0x8000) == VectorResult{0x3c01, flag::NX});
  // 2^-25 is half the smallest subnormal; 2^-41 is cut to nothing.
  REQUIRE(rounded(0x33000000u, 0x8000) == VectorResult{0x0001, flag::NX | flag::UF});
  REQUIRE(rounded(0x2b000000u, 0xffff) == VectorResult{0x0000, flag::NX | flag::UF});
  // Above the largest number: 65504 + 16 goes to 65536 with half of the random numbers.
  REQUIRE(rounded(0x477ff000u, 0x8000) == VectorResult{0x7c00, flag::OF | flag::NX});
  REQUIRE(rounded(0x477ff000u, 0x7fff) == VectorResult{0x7bff, flag::NX});
  control.half_overflow = 1;
  REQUIRE(rounded(0xc77ff000u, 0x8000) == VectorResult{0xfbff, flag::OF | flag::NX});
  control.half_overflow = 2;
  REQUIRE(rounded(0xc77ff000u, 0x8000) == VectorResult{0x7e00, flag::OF | flag::NX});
}

TEST_CASE("a matrix product by steps gives each output its own partial sum") {
  // out[o] = p[o] + sum over k, i of x[4k + i] * w[o][4k + i], small integers, so that every order gives the same.
  Weights weights{};
  const auto half_of = [](int value) {
    uint8_t flags = 0;
    const float f = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    return uint64_t{single_to_half(bits, 0, {}, flags)};
  };
  const auto weight = [](unsigned o, unsigned k) { return static_cast<int>((o * 7 + k * 3) % 11) - 5; };
  for (unsigned o = 0; o < 16; ++o) {
    for (unsigned k = 0; k < 16; ++k) weights[4 * o + k / 4] |= half_of(weight(o, k)) << 16 * (k % 4);
  }
  Accumulators acc;
  const auto row_input = [](unsigned row, unsigned k) { return static_cast<int>((row * 5 + k) % 9) - 4; };
  // Row r computes in the steps 4r .. 4r + 3; its partial sums enter in the four before and leave in the four after.
  std::vector<uint64_t> results;
  for (unsigned s = 0; s < 4 * 5; ++s) {
    const unsigned row = s / 4;
    uint64_t x = 0, p = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (row >= 1 && row <= 3) x |= half_of(row_input(row, 4 * (s % 4) + i)) << 16 * i;
      p |= half_of(static_cast<int>(100 * (row + 1) + 4 * (s % 4) + i)) << 16 * i;
    }
    results.push_back(exact_amp(Opcode::F16v4hihov4amp, s % 4, x, p, {}, weights, acc).value);
  }
  for (unsigned row = 1; row <= 3; ++row) {
    for (unsigned o = 0; o < 16; ++o) {
      int want = static_cast<int>(100 * row + o);
      for (unsigned k = 0; k < 16; ++k) want += row_input(row, k) * weight(o, k);
      REQUIRE((results[4 * (row + 1) + o / 4] >> 16 * (o % 4) & 0xffff) == half_of(want));
    }
  }
}

TEST_CASE("slim convolution gives every value four taps of four inputs") {
  // y[j] = p[j] + sum over taps t of w[t] . x[j + 3 - t]: entering at tap 3 and leaving after tap 0.
  Weights weights{};
  const auto half_of = [](int value) {
    uint8_t flags = 0;
    const float f = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    return uint64_t{single_to_half(bits, 0, {}, flags)};
  };
  for (unsigned channel = 0; channel < 4; ++channel) {
    for (unsigned t = 0; t < 4; ++t) {
      for (unsigned i = 0; i < 4; ++i) {
        weights[4 * (4 * channel + t) + 2] |= half_of(static_cast<int>(channel + 3 * t + i) - 6) << 16 * i;
      }
    }
  }
  const auto input = [](int j, int i) { return (7 * j + 3 * i) % 13 - 6; };
  Accumulators acc;
  for (int j = 0; j < 12; ++j) {
    uint64_t x = 0, p = 0;
    for (int i = 0; i < 4; ++i) {
      x |= half_of(input(j, i)) << 16 * i;
      p |= half_of(10 * j + i) << 16 * i;
    }
    const uint64_t r = exact_amp(Opcode::F16v4hihov4slic, 2, x, p, {}, weights, acc).value;
    if (j < 4) continue;
    for (int channel = 0; channel < 4; ++channel) {
      int want = 10 * (j - 4) + channel;
      for (int n = 0; n < 4; ++n) {  // n steps after it entered
        for (int i = 0; i < 4; ++i) want += (channel + 3 * (3 - n) + i - 6) * input(j - 4 + n, i);
      }
      REQUIRE((r >> 16 * channel & 0xffff) == half_of(want));
    }
  }
}

}  // namespace
}  // namespace tessera::tb
