// Integer division: the ring with six interleaved contexts, and the model, against C++ integers.
#include <catch2/catch.hpp>
#include <cstdio>

#include "Vint_divide.h"
#include "tb/float/check.h"
#include "tb/float/ring_driver.h"

namespace tessera::tb {
namespace {

using model::IntDivideOp;

struct Division {
  IntDivideOp op;
  uint32_t a;
  uint32_t b;
  int passes;
};

// RV32M in 64-bit arithmetic, where the overflowing quotient is an ordinary number.
uint32_t expected(IntDivideOp op, uint32_t a, uint32_t b) {
  const bool is_signed = op == IntDivideOp::DIV || op == IntDivideOp::REM;
  const int64_t x = is_signed ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
  const int64_t y = is_signed ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
  const bool remainder = op == IntDivideOp::REM || op == IntDivideOp::REMU;
  if (y == 0) return remainder ? a : 0xffffffffu;
  return static_cast<uint32_t>(remainder ? x % y : x / y);
}

TEST_CASE("integer quotients and remainders follow RV32M") {
  RingDriver<Vint_divide, Division> rtl;
  OperandStream operands(test_seed());
  const IntDivideOp ops[] = {IntDivideOp::DIV, IntDivideOp::DIVU, IntDivideOp::REM, IntDivideOp::REMU};
  const uint64_t count = 4 * cases_per_group();
  uint64_t started = 0;
  uint64_t done = 0;
  uint64_t rtl_wrong = 0;
  uint64_t model_wrong = 0;
  while (started < count || !rtl.empty()) {
    rtl.step(
        [&]() -> std::optional<Division> {
          if (started == count || operands.below(16) == 0) return std::nullopt;
          ++started;
          return Division{ops[operands.below(4)], operands.integer(), operands.integer(), 7};
        },
        [](Vint_divide& top, const Division& d) {
          top.op_i = static_cast<uint8_t>(d.op);
          top.a_i = d.a;
          top.b_i = d.b;
        },
        [&](const Division& d, const Vint_divide& top) {
          ++done;
          const uint32_t want = expected(d.op, d.a, d.b);
          if (model::int_divide(d.op, d.a, d.b) != want) ++model_wrong;
          if (top.result_o == want) return;
          if (++rtl_wrong <= 5) {
            std::printf("op %d a=%08x b=%08x: RTL %08x, expected %08x\n", static_cast<int>(d.op), d.a, d.b,
                        top.result_o, want);
          }
        });
  }
  std::printf("integer divisions: %llu\n", static_cast<unsigned long long>(done));
  REQUIRE(done == count);
  REQUIRE(rtl_wrong == 0);
  REQUIRE(model_wrong == 0);
}

TEST_CASE("division by zero and overflow have RV32M's results") {
  REQUIRE(expected(IntDivideOp::DIV, 0x80000000u, 0xffffffffu) == 0x80000000u);
  for (const uint32_t a : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    REQUIRE(model::int_divide(IntDivideOp::DIV, a, 0) == 0xffffffffu);
    REQUIRE(model::int_divide(IntDivideOp::DIVU, a, 0) == 0xffffffffu);
    REQUIRE(model::int_divide(IntDivideOp::REM, a, 0) == a);
    REQUIRE(model::int_divide(IntDivideOp::REMU, a, 0) == a);
  }
  REQUIRE(model::int_divide(IntDivideOp::DIV, 0x80000000u, 0xffffffffu) == 0x80000000u);
  REQUIRE(model::int_divide(IntDivideOp::REM, 0x80000000u, 0xffffffffu) == 0);
}

}  // namespace
}  // namespace tessera::tb
