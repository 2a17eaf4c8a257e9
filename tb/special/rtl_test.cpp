// The special unit's RTL against the model, which is itself tested against MPFR: value and flags of every instruction,
// in every slot, with neighbours of other kinds.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/model/float/special.h"
#include "tb/float/check.h"
#include "tb/special/rtl_special.h"
#include "tb/special/special_operands.h"

namespace tessera::tb {
namespace {

using spec::Opcode;

std::vector<Opcode> opcodes(std::string_view prefix) {
  std::vector<Opcode> out;
  for (unsigned i = 0; i < spec::kOpcodes; ++i) {
    const spec::InstructionInfo& info = spec::info(static_cast<Opcode>(i));
    if (info.unit == spec::Unit::Special && info.mnemonic.starts_with(prefix)) out.push_back(info.opcode);
  }
  return out;
}

class Bench {
 public:
  explicit Bench(uint64_t seed) : noise_(seed) {}

  // Runs the cases that `next()` gives until it gives none. A slot that becomes free stays empty with the probability
  // 1 / empty.
  template <class Next>
  void run(Next next, uint32_t empty = 100) {
    bool more = true;
    const auto source = [&]() -> std::optional<SpecialCase> {
      if (!more || noise_.below(empty) == 0) return std::nullopt;
      std::optional<SpecialCase> c = next();
      more = c.has_value();
      return c;
    };
    const auto check = [&](const SpecialCase& c, const model::VectorResult& got) {
      ++compared_;
      const model::VectorResult want = model::special_execute(c.op, c.a, c.random);
      if (got != want) note(c, got, want);
    };
    do {
      rtl_.step(noise_.bits(), source, check);
    } while (more || !rtl_.empty());
  }

  uint64_t compared() const { return compared_; }
  void finish() const {
    INFO(text_);
    REQUIRE(wrong_ == 0);
  }

 private:
  void note(const SpecialCase& c, const model::VectorResult& got, const model::VectorResult& want) {
    if (++wrong_ > 5) return;
    char line[200];
    std::snprintf(line, sizeof line, "%s a=%016llx random=%016llx: RTL %016llx flags %02x, model %016llx flags %02x\n",
                  std::string(spec::info(c.op).mnemonic).c_str(), static_cast<unsigned long long>(c.a),
                  static_cast<unsigned long long>(c.random), static_cast<unsigned long long>(got.value), got.flags,
                  static_cast<unsigned long long>(want.value), want.flags);
    text_ += line;
  }

  RtlSpecial rtl_;
  OperandStream noise_;
  uint64_t compared_ = 0, wrong_ = 0;
  std::string text_;
};

TEST_CASE("every f16 operand through every packed special function: RTL and model agree") {
  Bench bench(test_seed());
  OperandStream random(test_seed() + 1);
  for (const char* prefix : {"f16v2", "f16v4"}) {
    for (const Opcode op : opcodes(prefix)) {
      if (op == Opcode::F16v2grand) continue;
      // Each lane counts through all values from its own start, with what is above the lanes random.
      uint32_t i = 0;
      bench.run([&]() -> std::optional<SpecialCase> {
        if (i == 65536) return std::nullopt;
        uint64_t a = 0;
        for (uint32_t lane = 0; lane < 4; ++lane)
          a |= uint64_t{(i * (2 * lane + 1) + lane * 0x3557) & 0xffff} << (16 * lane);
        ++i;
        return SpecialCase{op, a, random.bits()};
      });
    }
  }
  std::printf("packed special functions: %llu comparisons\n", static_cast<unsigned long long>(bench.compared()));
  bench.finish();
  REQUIRE(bench.compared() == 18 * 65536);
}

TEST_CASE("f32 special functions: RTL and model agree") {
  Bench bench(test_seed() + 2);
  const uint64_t count = special_cases(100000, 10000000);
  OperandStream random(test_seed() + 3);
  for (const Opcode op : opcodes("f32")) {
    if (op == Opcode::F32v2grand) continue;
    SpecialOperands operands(test_seed() * 17 + static_cast<uint64_t>(op));
    uint64_t i = 0;
    bench.run([&]() -> std::optional<SpecialCase> {
      if (i++ == count) return std::nullopt;
      // Now and then not boxed: that is a NaN.
      const uint64_t upper = random.below(50) == 0 ? random.bits() << 32 : uint64_t{0xffffffff} << 32;
      return SpecialCase{op, upper | operands.next(), random.bits()};
    });
  }
  std::printf("f32 special functions: %llu comparisons\n", static_cast<unsigned long long>(bench.compared()));
  bench.finish();
  REQUIRE(bench.compared() == 8 * count);
}

TEST_CASE("instructions of all kinds and empty slots mixed: RTL and model agree") {
  Bench bench(test_seed() + 4);
  const std::vector<Opcode> all = opcodes("");
  REQUIRE(all.size() == 28);
  OperandStream random(test_seed() + 5);
  SpecialOperands operands(test_seed() + 6);
  const uint64_t count = special_cases(300000, 10000000);
  for (uint64_t round = 0; round < 8; ++round) {
    uint64_t i = 0;
    const auto next = [&]() -> std::optional<SpecialCase> {
      if (i++ == count / 8) return std::nullopt;
      const Opcode op = all[random.below(static_cast<uint32_t>(all.size()))];
      uint64_t a = uint64_t{0xffffffff} << 32 | operands.next();
      if (spec::info(op).mnemonic.starts_with("f16")) a = random.bits();
      return SpecialCase{op, a, random.bits() >> random.below(40)};
    };
    // From hardly ever empty to nearly always: then the clock stops and starts again.
    bench.run(next, std::array{1000u, 5u, 3u, 2u}[round % 4]);
  }
  bench.finish();
  REQUIRE(bench.compared() == count / 8 * 8);
}

}  // namespace
}  // namespace tessera::tb
