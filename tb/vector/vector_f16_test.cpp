// Every f16 and f8 value through every packed instruction of one operand, in every rounding mode, and stochastic
// rounding with every random number: RTL and model against the reference.
#include <bit>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

#include "sim/model/float/packed.h"
#include "tb/float/check.h"
#include "tb/tier.h"
#include "tb/vector/packed_reference.h"
#include "tb/vector/rtl_vector.h"

namespace tessera::tb {
namespace {

using model::FloatControl;
using model::RoundingMode;
using model::VectorResult;
using spec::Opcode;

bool nightly() { return test::in_tier(0, 1) == 1; }

// RTL, model and reference side by side, one instruction a cycle.
class SideBySide {
 public:
  void run(const PackedCase& c) {
    const VectorResult want = reference_.execute(c.op, c.a, c.b, c.c, c.control);
    comparison_.check(c, "model", model::packed_execute(c.op, c.a, c.b, c.c, c.control), want);
    rtl_.start(c);
    if (started_) comparison_.check(previous_, "RTL", rtl_.result(), want_);
    started_ = true;
    previous_ = c;
    want_ = want;
  }
  const PackedComparison& finish() {
    rtl_.idle(~uint64_t{0});
    if (started_) comparison_.check(previous_, "RTL", rtl_.result(), want_);
    started_ = false;
    return comparison_;
  }

 private:
  RtlVector rtl_;
  PackedReference reference_;
  PackedComparison comparison_;
  PackedCase previous_{};
  VectorResult want_;
  bool started_ = false;
};

// Four f16 that are a quarter of all values apart; over `i` below 65536 each value comes in each lane.
uint64_t four_halves(uint32_t i) {
  uint64_t reg = 0;
  for (unsigned lane = 0; lane < 4; ++lane) reg |= uint64_t{(i + lane * 0x4000) & 0xffff} << 16 * lane;
  return reg;
}

void require_equal(const char* what, SideBySide& all) {
  const PackedComparison& comparison = all.finish();
  std::printf("%s: %llu comparisons\n", what, static_cast<unsigned long long>(comparison.compared()));
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() > 0);
}

TEST_CASE("every f16 value through the instructions of one operand") {
  SideBySide all;
  struct {
    Opcode op;
    bool rounds;  // by frm, so that every value meets every mode
  } const ops[] = {
      {Opcode::F16v2tof32, true}, {Opcode::F16v2tof32hi, true},   {Opcode::F16v2sum, true},
      {Opcode::F16v2abs, false},  {Opcode::F16v4abs, false},      {Opcode::F16v2neg, false},
      {Opcode::F16v4neg, false},  {Opcode::F16v2class, false},    {Opcode::F16v4class, false},
      {Opcode::F16v4maxc, false}, {Opcode::F16v2sufromui, false}, {Opcode::F16v4sufromui, false},
  };
  for (const auto& [op, rounds] : ops) {
    const uint32_t modes = rounds ? 5 : 1;
    for (uint32_t i = 0; i < 0x10000 * modes; ++i) {
      PackedCase c = {.op = op, .a = four_halves(i & 0xffff), .control = {}};
      c.control.rm = rounding_modes()[(i + (i >> 16)) % 5];
      all.run(c);
    }
  }
  require_equal("f16, one operand", all);
}

TEST_CASE("every f16 value to f8") {
  SideBySide all;
  for (uint32_t f8 = 0; f8 < 2; ++f8) {
    for (uint32_t scale = 0; scale < 64; ++scale) {
      if (!nightly() && scale % 9 != 0 && scale != 31 && scale != 32) continue;
      for (const RoundingMode rm : rounding_modes()) {
        // Lanes are a quarter of the values apart, so a quarter of the registers holds them all.
        for (uint32_t i = 0; i < 0x4000; ++i) {
          PackedCase c = {
              .op = Opcode::F16v4tof8, .a = std::rotl(four_halves(i), static_cast<int>(16 * (i & 3))), .control = {}};
          c.control.rm = rm;
          c.control.f8 = f8 | scale << 8;
          c.control.half_overflow = i >> 2 & 3;
          all.run(c);
          c.op = Opcode::F16v2tof8;
          if (nightly()) all.run(c);
        }
      }
    }
  }
  require_equal("f16 to f8", all);
}

TEST_CASE("every f8 value to f16 with every scale") {
  SideBySide all;
  for (uint32_t control = 0; control < 2 * 64 * 4 * 5; ++control) {
    for (uint32_t value = 0; value < 256; value += 2) {
      PackedCase c = {.op = (control & 1) != 0 ? Opcode::F8v4tof16 : Opcode::F8v2tof16, .control = {}};
      c.a = 0xaaaaaaaa00000000 | value | (value + 1) << 8 | (255 - value) << 16 | (254 - value) << 24;
      c.control.f8 = (control & 1) | (control >> 1 & 63) << 8;
      c.control.half_overflow = control >> 7 & 3;
      c.control.rm = rounding_modes()[control >> 9];
      all.run(c);
      c.op = c.op == Opcode::F8v4tof16 ? Opcode::F8v2tof16 : Opcode::F8v4tof16;
      all.run(c);
    }
  }
  require_equal("f8 to f16", all);
}

TEST_CASE("stochastic rounding goes up for as many random numbers as the fraction says") {
  // f32 and how many of the 65536 random numbers raise its magnitude by one unit of f16.
  struct Share {
    uint32_t bits;
    uint32_t ups;
  };
  const Share shares[] = {
      {0x3f800000, 0},       // 1
      {0x3f801000, 0x8000},  // 1 + half a unit
      {0x3f800001, 8},       // 1 + 2^-23
      {0xbf801fff, 0xfff8},  // just below the next, negative
      {0x38000001, 4},       // subnormal: 2^-15 + 2^-38, that is 2^-14 units above 2^9
      {0x33800000, 0},       // the smallest subnormal
      {0x33c00000, 0x8000},  // and a half
      {0x32800000, 0x4000},  // a quarter of it
      {0x2b800000, 1},       // 2^-40: only the largest random number
      {0x2b000000, 0},       // 2^-41 never
      {0x477ff000, 0x8000},  // between 65504 and 65536: up is an overflow
      {0x477fe000, 0},       // 65504
  };
  RtlVector rtl;
  for (const Share& share : shares) {
    uint32_t ups_model = 0, ups_rtl = 0;
    PackedCase c = {.op = Opcode::F32v4tof16, .control = {}};
    c.a = c.b = share.bits * 0x100000001u;
    c.control.stochastic = true;
    uint32_t floor = 0;
    for (uint32_t i = 0; i < 0x4000; ++i) {
      c.control.random = four_halves(i);
      const VectorResult model = model::packed_execute(c.op, c.a, c.b, 0, c.control);
      rtl.start(c);
      rtl.idle(i);
      if (i == 0) floor = model.value & 0xffff;  // the random number of lane 0 is 0
      for (unsigned lane = 0; lane < 4; ++lane) {
        const uint32_t on_model = model.value >> 16 * lane & 0xffff;
        const uint32_t on_rtl = rtl.result().value >> 16 * lane & 0xffff;
        if (on_model - floor > 1 || on_rtl - floor > 1) FAIL("not a neighbour: " << on_model << ", " << on_rtl);
        ups_model += on_model - floor;
        ups_rtl += on_rtl - floor;
      }
    }
    INFO("f32 " << std::hex << share.bits);
    CHECK(ups_model == share.ups);
    CHECK(ups_rtl == share.ups);
  }
}

}  // namespace
}  // namespace tessera::tb
