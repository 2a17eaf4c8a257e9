// Conversions that only the Xipu extension has: the model against the exact reference.
#include <catch2/catch.hpp>
#include <cstdio>

#include "sim/model/float/packed.h"
#include "tb/arithmetic/amp_operands.h"
#include "tb/arithmetic/exact_convert.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::FloatControl;
using model::RoundingMode;
using model::VectorResult;
using spec::Opcode;

constexpr RoundingMode kModes[] = {RoundingMode::RNE, RoundingMode::RTZ, RoundingMode::RDN, RoundingMode::RUP,
                                   RoundingMode::RMM};

// Lanes of a result put together; what is above them is set.
class Lanes {
 public:
  explicit Lanes(unsigned bits) : bits_(bits) {}
  void push(uint32_t value) {
    word_ &= ~(((uint64_t{1} << bits_) - 1) << used_);
    word_ |= uint64_t{value} << used_;
    used_ += bits_;
  }
  uint64_t word() const { return word_; }

 private:
  unsigned bits_;
  unsigned used_ = 0;
  uint64_t word_ = ~uint64_t{0};
};

class Comparison {
 public:
  enum class Cases { kByChance, kAll };

  void check(Opcode op, uint64_t a, uint64_t b, const FloatControl& control, const VectorResult& want) {
    const VectorResult got = model::packed_execute(op, a, b, 0, control);
    ++compared_;
    if (got == want || ++mismatches_ > 1) return;
    char line[320];
    std::snprintf(line, sizeof line,
                  "%s a=%016llx b=%016llx rm=%d stochastic=%d overflow=%u f8=%04x random=%016llx: model %016llx flags "
                  "%02x, reference %016llx flags %02x",
                  std::string(spec::info(op).mnemonic).c_str(), static_cast<unsigned long long>(a),
                  static_cast<unsigned long long>(b), static_cast<int>(control.rm), control.stochastic,
                  control.half_overflow, control.f8, static_cast<unsigned long long>(control.random),
                  static_cast<unsigned long long>(got.value), got.flags, static_cast<unsigned long long>(want.value),
                  want.flags);
    text_ = line;
  }
  // kAll: there are no other cases.
  void require_equal(uint64_t at_least, Cases cases = Cases::kByChance) const {
    std::printf("%llu cases %s, %llu differences\n", static_cast<unsigned long long>(compared_),
                cases == Cases::kAll ? "that are all" : "by chance", static_cast<unsigned long long>(mismatches_));
    INFO(text_);
    REQUIRE(mismatches_ == 0);
    REQUIRE(compared_ >= at_least);
  }

 private:
  uint64_t compared_ = 0, mismatches_ = 0;
  std::string text_;
};

TEST_CASE("f32 to f16, stochastic and by every mode, equals the exact reference") {
  AmpOperands random(arithmetic_seed() + 10);
  Comparison comparison;
  const uint64_t count = case_count(100000, 2000000);
  for (uint64_t i = 0; i < count; ++i) {
    FloatControl control;
    control.rm = kModes[random.below(5)];
    control.stochastic = !random.one_in(3);
    control.half_overflow = random.below(4);
    control.random = random.one_in(16) ? ~uint64_t{0} : random.one_in(16) ? 0 : random.bits();
    const uint64_t a = uint64_t{random.partial()} << 32 | random.partial();
    const uint64_t b = uint64_t{random.single()} << 32 | random.partial();
    const bool wide = random.one_in(2);
    Lanes lanes(16);
    uint8_t flags = 0;
    for (unsigned lane = 0; lane < (wide ? 4 : 2); ++lane) {
      const auto x = static_cast<uint32_t>((lane < 2 ? a : b) >> 32 * (lane % 2));
      const auto bits = static_cast<uint32_t>(control.random >> 16 * lane) & 0xffff;
      lanes.push(single_to_half(x, bits, control, flags, control.rm));
    }
    comparison.check(wide ? Opcode::F32v4tof16 : Opcode::F32v2tof16, a, b, control, {lanes.word(), flags});
  }
  comparison.require_equal(count);
}

TEST_CASE("every f16 widens as the reference says") {
  Comparison comparison;
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const uint64_t a = (0x0123456789abcdefu & ~(uint64_t{0xffff} << 16)) | uint64_t{half} << 16;
    uint8_t flags = 0;
    const uint64_t low = half_to_single(0xcdef, flags);
    const uint64_t want = uint64_t{half_to_single(half, flags)} << 32 | low;
    comparison.check(Opcode::F16v2tof32, a, 0, {}, {want, flags});
    comparison.check(Opcode::F16v2tof32hi, a << 32, 0, {}, {want, flags});
  }
  comparison.require_equal(2 * 0x10000, Comparison::Cases::kAll);
}

TEST_CASE("every f8 with every scale and mode becomes the right f16") {
  Comparison comparison;
  for (uint32_t format = 0; format < 2; ++format) {
    for (uint32_t scale = 0; scale < 64; ++scale) {
      for (const RoundingMode rm : kModes) {
        for (uint32_t byte = 0; byte < 256; byte += 4) {
          FloatControl control;
          control.rm = rm;
          control.f8 = scale << 8 | format;
          control.half_overflow = (byte >> 2) & 3;
          control.stochastic = true;  // not concerned
          const uint64_t a = 0xfeedface00000000u | (byte + 3) << 24 | (byte + 2) << 16 | (byte + 1) << 8 | byte;
          for (const unsigned count : {2u, 4u}) {
            Lanes lanes(16);
            uint8_t flags = 0;
            for (unsigned lane = 0; lane < count; ++lane) lanes.push(f8_to_half(byte + lane, control, flags));
            comparison.check(count == 2 ? Opcode::F8v2tof16 : Opcode::F8v4tof16, a, 0, control, {lanes.word(), flags});
          }
        }
      }
    }
  }
  comparison.require_equal(2 * 64 * 5 * 64 * 2, Comparison::Cases::kAll);
}

TEST_CASE("every f16 in both f8 formats and all modes becomes the right f8") {
  AmpOperands random(arithmetic_seed() + 11);
  Comparison comparison;
  const uint32_t step = nightly() ? 1 : 8;  // of scales: all, or one by chance of eight
  for (uint32_t format = 0; format < 2; ++format) {
    for (const RoundingMode rm : kModes) {
      for (uint32_t scale = 0; scale < 64; scale += step) {
        for (uint32_t half = 0; half < 0x10000; half += 4) {
          FloatControl control;
          control.rm = rm;
          control.f8 = (step == 1 ? scale : (scale + random.below(step)) & 63) << 8 | format;
          control.half_overflow = random.below(4);
          control.stochastic = true;
          // Neighbours in different lanes, so that flags are told apart.
          const uint64_t a = uint64_t{(half + 3) & 0xffff} << 48 | uint64_t{half ^ 0x5555} << 32 |
                             uint64_t{(half + 1) & 0xffff} << 16 | half;
          const unsigned count = random.one_in(2) ? 2 : 4;
          Lanes lanes(8);
          uint8_t flags = 0;
          for (unsigned lane = 0; lane < count; ++lane) {
            lanes.push(half_to_f8(static_cast<uint32_t>(a >> 16 * lane) & 0xffff, control, flags));
          }
          comparison.check(count == 2 ? Opcode::F16v2tof8 : Opcode::F16v4tof8, a, 0, control, {lanes.word(), flags});
        }
      }
    }
  }
  comparison.require_equal(2 * 5 * (64 / step) * 0x4000);
}

TEST_CASE("unsigned integers become the evenly distributed numbers") {
  AmpOperands random(arithmetic_seed() + 12);
  Comparison comparison;
  for (uint32_t u = 0; u < 0x10000; u += 2) {
    const uint64_t a = uint64_t{u + 1} << 48 | uint64_t{0xffff - u} << 32 | uint64_t{u} << 16 | (u + 1);
    Lanes four(16), two(16);
    for (unsigned lane = 0; lane < 4; ++lane) {
      const uint32_t value = even_from_unsigned(static_cast<uint32_t>(a >> 16 * lane) & 0xffff, true);
      four.push(value);
      if (lane < 2) two.push(value);
    }
    comparison.check(Opcode::F16v4sufromui, a, 0, {}, {four.word(), 0});
    comparison.check(Opcode::F16v2sufromui, a, 0, {}, {two.word(), 0});
  }
  const uint64_t count = case_count(100000, 1000000);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t a = random.bits();
    if (random.one_in(3)) a = uint64_t{0x80000000u + random.below(65) - 32} << 32 | (0u - random.below(3));
    if (random.one_in(3))
      a = uint64_t{0x80000000u ^ (1u << random.below(32))} << 32 | (0x80000000u >> random.below(32));
    Lanes lanes(32);
    lanes.push(even_from_unsigned(static_cast<uint32_t>(a), false));
    lanes.push(even_from_unsigned(static_cast<uint32_t>(a >> 32), false));
    comparison.check(Opcode::F32v2sufromui, a, 0, {}, {lanes.word(), 0});
  }
  comparison.require_equal(0x10000 + count);
}

}  // namespace
}  // namespace tessera::tb
