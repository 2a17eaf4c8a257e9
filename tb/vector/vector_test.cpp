// Every packed instruction, corner-weighted operands in every lane, all rounding modes and controls: RTL and model
// against the reference, one operation a cycle.
#include <catch2/catch.hpp>
#include <cstdio>
#include <optional>

#include "sim/model/float/packed.h"
#include "tb/float/check.h"
#include "tb/tier.h"
#include "tb/vector/packed_reference.h"
#include "tb/vector/rtl_vector.h"

namespace tessera::tb {
namespace {

using model::VectorResult;
using spec::Opcode;

// Cases per instruction: a million lanes and more in the nightly tier.
uint64_t cases_per_instruction() { return test::in_tier(20000, 1000000); }

VectorResult on_model(const PackedCase& c) { return model::packed_execute(c.op, c.a, c.b, c.c, c.control); }

TEST_CASE("every packed instruction equals the reference in value and flags") {
  RtlVector rtl;
  PackedReference reference;
  REQUIRE(packed_opcodes().size() == 90);
  uint64_t all = 0;
  for (const Opcode op : packed_opcodes()) {
    PackedStream stream(test_seed() * 1000003 + static_cast<uint64_t>(op));
    PackedComparison comparison;
    PackedCase previous{};
    VectorResult want_previous;
    for (uint64_t i = 0; i < cases_per_instruction(); ++i) {
      const PackedCase c = stream.next(op);
      const VectorResult want = reference.execute(c.op, c.a, c.b, c.c, c.control);
      comparison.check(c, "model", on_model(c), want);
      rtl.start(c);
      if (i > 0) comparison.check(previous, "RTL", rtl.result(), want_previous);
      previous = c;
      want_previous = want;
    }
    rtl.idle(stream.bits());
    comparison.check(previous, "RTL", rtl.result(), want_previous);
    INFO(comparison.text());
    REQUIRE(comparison.mismatches() == 0);
    REQUIRE(comparison.compared() == 2 * cases_per_instruction());
    all += comparison.compared();
  }
  std::printf("%zu packed instructions: %llu comparisons\n", packed_opcodes().size(),
              static_cast<unsigned long long>(all));
}

TEST_CASE("packed instructions mixed with idle cycles do not disturb each other") {
  RtlVector rtl;
  PackedComparison comparison;
  PackedStream stream(test_seed() + 1);
  std::optional<PackedCase> previous;
  const uint64_t cases = 10 * cases_per_instruction();
  for (uint64_t i = 0; i < cases; ++i) {
    std::optional<PackedCase> current;
    if (stream.below(3) != 0) {
      current = stream.next(packed_opcodes()[stream.below(static_cast<uint32_t>(packed_opcodes().size()))]);
    }
    if (current) {
      rtl.start(*current);
    } else {
      rtl.idle(stream.bits());
    }
    if (previous) comparison.check(*previous, "RTL", rtl.result(), on_model(*previous));
    previous = current;
  }
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() > cases / 2);
}

TEST_CASE("the gated clock of the vector unit stands still while it is idle") {
  // With a running clock the comparison would leave M and the outputs would become those of another unit.
  RtlVector rtl;
  PackedStream stream(test_seed());
  PackedCase c = {.op = Opcode::F32v2cmplt, .a = 0xbf800000bf800000, .b = 0x3f8000007fc00000, .control = {}};
  rtl.start(c);
  rtl.wake(false);
  for (int i = 0; i < 10; ++i) {
    rtl.idle(stream.bits());
    REQUIRE(rtl.result().value == 0xffffffff00000000);
    REQUIRE(rtl.result().flags == model::fp_flag::NV);
  }
}

}  // namespace
}  // namespace tessera::tb
