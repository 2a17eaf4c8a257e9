// rtl/tile/lane_move.sv against what arithmetic.md and the instruction table say, on random registers.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "Vlane_move.h"
#include "rtl/spec/instructions.h"

using tessera::spec::Opcode;

namespace {

constexpr uint32_t kSeed = 20261121;
constexpr uint64_t kTop = ~uint64_t{0};

uint64_t half(uint64_t v, unsigned n) { return v >> 16 * n & 0xffff; }
uint64_t word(uint64_t v, unsigned n) { return v >> 32 * n & 0xffffffff; }
uint64_t halves(uint64_t low, uint64_t high) { return kTop << 32 | high << 16 | low; }
uint64_t words(uint64_t low, uint64_t high) { return high << 32 | low; }
uint64_t replaced(uint64_t v, uint64_t by, unsigned bits, unsigned n) {
  const uint64_t lane = ((uint64_t{1} << bits) - 1) << bits * n;
  return (v & ~lane) | (by << bits * n & lane);
}

struct Case {
  Opcode opcode;
  std::function<uint64_t(uint64_t a, uint64_t b, unsigned number)> expected;  // number: bits 27:20
};
const Case kCases[] = {
    {Opcode::And64, [](uint64_t a, uint64_t b, unsigned) { return a & b; }},
    {Opcode::Or64, [](uint64_t a, uint64_t b, unsigned) { return a | b; }},
    {Opcode::Xor64, [](uint64_t a, uint64_t b, unsigned) { return a ^ b; }},
    {Opcode::Andc64, [](uint64_t a, uint64_t b, unsigned) { return a & ~b; }},
    {Opcode::Not64, [](uint64_t a, uint64_t, unsigned) { return ~a; }},
    {Opcode::Sort4x16lo, [](uint64_t a, uint64_t b, unsigned) { return halves(half(a, 0), half(b, 0)); }},
    {Opcode::Sort4x16hi, [](uint64_t a, uint64_t b, unsigned) { return halves(half(a, 1), half(b, 1)); }},
    {Opcode::Sort4x32lo, [](uint64_t a, uint64_t b, unsigned) { return words(word(a, 0), word(b, 0)); }},
    {Opcode::Sort4x32hi, [](uint64_t a, uint64_t b, unsigned) { return words(word(a, 1), word(b, 1)); }},
    {Opcode::Roll16, [](uint64_t a, uint64_t b, unsigned) { return halves(half(a, 1), half(b, 0)); }},
    {Opcode::Roll32, [](uint64_t a, uint64_t b, unsigned) { return words(word(a, 1), word(b, 0)); }},
    {Opcode::F16v4shuf,
     [](uint64_t a, uint64_t, unsigned n) {
       uint64_t r = 0;
       for (unsigned i = 0; i < 4; ++i) r |= half(a, n >> 2 * i & 3) << 16 * i;
       return r;
     }},
    {Opcode::F16v4extract, [](uint64_t a, uint64_t, unsigned n) { return kTop << 16 | half(a, n & 3); }},
    {Opcode::F32v2extract, [](uint64_t a, uint64_t, unsigned n) { return kTop << 32 | word(a, n & 1); }},
    {Opcode::F16v4insert, [](uint64_t a, uint64_t b, unsigned n) { return replaced(a, b, 16, n >> 5 & 3); }},
    {Opcode::F32v2insert, [](uint64_t a, uint64_t b, unsigned n) { return replaced(a, b, 32, n >> 5 & 1); }},
    {Opcode::FmvpDX, [](uint64_t a, uint64_t b, unsigned) { return words(word(a, 0), word(b, 0)); }},
    {Opcode::FmvhXD, [](uint64_t a, uint64_t, unsigned) { return word(a, 1); }},
    {Opcode::Tapack, [](uint64_t a, uint64_t b, unsigned) { return (a / 8 & 0x1fffff) | (b / 8 & 0x1fffff) << 21; }},
    {Opcode::Taset2,
     [](uint64_t a, uint64_t b, unsigned) { return (a & ((uint64_t{1} << 42) - 1)) | (b / 8 & 0x1fffff) << 42; }},
    {Opcode::Taget,
     [](uint64_t a, uint64_t, unsigned n) { return (n & 31) < 3 ? (a >> 21 * (n & 31) & 0x1fffff) * 8 : 0; }},
};

}  // namespace

TEST_CASE("Every lane instruction of the table moves what the table says") {
  Vlane_move unit;
  std::mt19937_64 random(kSeed);
  unsigned in_table = 0;
  for (unsigned i = 0; i < tessera::spec::kOpcodes; ++i)
    in_table += tessera::spec::info(static_cast<Opcode>(i)).unit == tessera::spec::Unit::Lane;
  CHECK(std::size(kCases) == in_table);
  for (const auto& c : kCases) {
    unsigned wrong = 0;
    for (int i = 0; i < 3000; ++i) {
      // Numbers are as small as their field; the other bits belong to the instruction.
      const uint64_t a = random(), b = random();
      const unsigned number = i % 3 == 0 ? random() & 3 : random() & 0xff;
      unit.valid_i = 1;
      unit.id_i = static_cast<uint16_t>(c.opcode);
      unit.a_i = a;
      unit.b_i = b;
      unit.number_i = static_cast<uint8_t>(number);
      unit.eval();
      if (unit.result_o != c.expected(a, b, number) && wrong++ == 0)
        UNSCOPED_INFO(std::hex << a << " " << b << " " << number << ": " << unit.result_o);
    }
    INFO(tessera::spec::info(c.opcode).mnemonic << ", seed " << kSeed);
    CHECK(wrong == 0);
  }
  unit.valid_i = 0;
  unit.eval();
  CHECK(unit.result_o == 0);
  unit.final();
}
