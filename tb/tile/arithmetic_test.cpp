// rtl/tile/alu.sv and multiply.sv against C++ integers: all pairs of corner values, then random ones.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "Valu.h"
#include "Vmultiply.h"
#include "rtl/spec/instructions.h"

using tessera::spec::Opcode;

namespace {

using Function = std::function<uint32_t(uint32_t a, uint32_t b)>;
struct Case {
  Opcode opcode;
  Function expected;
};

constexpr uint32_t kPc = 0x4C124;
constexpr uint32_t kCorners[] = {0,          1,          2,          3,          31,         32,
                                 33,         0x7f,       0x80,       0xff,       0x100,      0x7fff,
                                 0x8000,     0xffff,     0x10000,    0x00ff00ff, 0x55555555, 0xaaaaaaaa,
                                 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
constexpr unsigned kRandomPairs = 2000;
constexpr uint32_t kSeed = 20261121;

int32_t s(uint32_t v) { return static_cast<int32_t>(v); }

uint32_t reverse_bytes(uint32_t a) { return a << 24 | (a & 0xff00) << 8 | (a >> 8 & 0xff00) | a >> 24; }

uint32_t bytes_set(uint32_t a) {
  uint32_t r = 0;
  for (int i = 0; i < 32; i += 8)
    if (a >> i & 0xff) r |= 0xffu << i;
  return r;
}

uint32_t reverse_bits(uint32_t a) {
  uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}

// The bytes with these numbers, lowest first: 0..3 of a, 4..7 of b.
uint32_t bytes(uint32_t a, uint32_t b, std::array<unsigned, 4> numbers) {
  const uint64_t both = a | uint64_t{b} << 32;
  uint32_t r = 0;
  for (unsigned i = 0; i < 4; ++i) r |= uint32_t(both >> (8 * numbers[i]) & 0xff) << (8 * i);
  return r;
}

const Case kAlu[] = {
    {Opcode::Lui, [](uint32_t, uint32_t b) { return b; }},
    {Opcode::Auipc, [](uint32_t, uint32_t b) { return kPc + b; }},
    {Opcode::Addi, [](uint32_t a, uint32_t b) { return a + b; }},
    {Opcode::Add, [](uint32_t a, uint32_t b) { return a + b; }},
    {Opcode::Sub, [](uint32_t a, uint32_t b) { return a - b; }},
    {Opcode::Slti, [](uint32_t a, uint32_t b) { return uint32_t(s(a) < s(b)); }},
    {Opcode::Slt, [](uint32_t a, uint32_t b) { return uint32_t(s(a) < s(b)); }},
    {Opcode::Sltiu, [](uint32_t a, uint32_t b) { return uint32_t(a < b); }},
    {Opcode::Sltu, [](uint32_t a, uint32_t b) { return uint32_t(a < b); }},
    {Opcode::Xori, [](uint32_t a, uint32_t b) { return a ^ b; }},
    {Opcode::Xor, [](uint32_t a, uint32_t b) { return a ^ b; }},
    {Opcode::Ori, [](uint32_t a, uint32_t b) { return a | b; }},
    {Opcode::Or, [](uint32_t a, uint32_t b) { return a | b; }},
    {Opcode::Andi, [](uint32_t a, uint32_t b) { return a & b; }},
    {Opcode::And, [](uint32_t a, uint32_t b) { return a & b; }},
    {Opcode::Slli, [](uint32_t a, uint32_t b) { return a << (b & 31); }},
    {Opcode::Sll, [](uint32_t a, uint32_t b) { return a << (b & 31); }},
    {Opcode::Srli, [](uint32_t a, uint32_t b) { return a >> (b & 31); }},
    {Opcode::Srl, [](uint32_t a, uint32_t b) { return a >> (b & 31); }},
    {Opcode::Srai, [](uint32_t a, uint32_t b) { return uint32_t(s(a) >> (b & 31)); }},
    {Opcode::Sra, [](uint32_t a, uint32_t b) { return uint32_t(s(a) >> (b & 31)); }},
    {Opcode::Sh1add, [](uint32_t a, uint32_t b) { return 2 * a + b; }},
    {Opcode::Sh2add, [](uint32_t a, uint32_t b) { return 4 * a + b; }},
    {Opcode::Sh3add, [](uint32_t a, uint32_t b) { return 8 * a + b; }},
    {Opcode::Andn, [](uint32_t a, uint32_t b) { return a & ~b; }},
    {Opcode::Orn, [](uint32_t a, uint32_t b) { return a | ~b; }},
    {Opcode::Xnor, [](uint32_t a, uint32_t b) { return ~(a ^ b); }},
    {Opcode::Clz, [](uint32_t a, uint32_t) { return uint32_t(std::countl_zero(a)); }},
    {Opcode::Ctz, [](uint32_t a, uint32_t) { return uint32_t(std::countr_zero(a)); }},
    {Opcode::Cpop, [](uint32_t a, uint32_t) { return uint32_t(std::popcount(a)); }},
    {Opcode::SextB, [](uint32_t a, uint32_t) { return uint32_t(static_cast<int8_t>(a)); }},
    {Opcode::SextH, [](uint32_t a, uint32_t) { return uint32_t(static_cast<int16_t>(a)); }},
    {Opcode::ZextH, [](uint32_t a, uint32_t) { return a & 0xffff; }},
    {Opcode::Min, [](uint32_t a, uint32_t b) { return s(a) < s(b) ? a : b; }},
    {Opcode::Minu, [](uint32_t a, uint32_t b) { return a < b ? a : b; }},
    {Opcode::Max, [](uint32_t a, uint32_t b) { return s(a) < s(b) ? b : a; }},
    {Opcode::Maxu, [](uint32_t a, uint32_t b) { return a < b ? b : a; }},
    {Opcode::Rol, [](uint32_t a, uint32_t b) { return std::rotl(a, b & 31); }},
    {Opcode::Ror, [](uint32_t a, uint32_t b) { return std::rotr(a, b & 31); }},
    {Opcode::Rori, [](uint32_t a, uint32_t b) { return std::rotr(a, b & 31); }},
    {Opcode::OrcB, [](uint32_t a, uint32_t) { return bytes_set(a); }},
    {Opcode::Rev8, [](uint32_t a, uint32_t) { return reverse_bytes(a); }},
    {Opcode::Shuf8x8lo, [](uint32_t a, uint32_t b) { return bytes(a, b, {0, 4, 1, 5}); }},
    {Opcode::Shuf8x8hi, [](uint32_t a, uint32_t b) { return bytes(a, b, {2, 6, 3, 7}); }},
    {Opcode::Sort8x8lo, [](uint32_t a, uint32_t b) { return bytes(a, b, {0, 2, 4, 6}); }},
    {Opcode::Sort8x8hi, [](uint32_t a, uint32_t b) { return bytes(a, b, {1, 3, 5, 7}); }},
    {Opcode::Roll8l, [](uint32_t a, uint32_t b) { return bytes(a, b, {3, 4, 5, 6}); }},
    {Opcode::Roll8r, [](uint32_t a, uint32_t b) { return bytes(a, b, {1, 2, 3, 4}); }},
    {Opcode::Swap8, [](uint32_t a, uint32_t b) { return bytes(a, b, {1, 0, 3, 2}); }},
    {Opcode::Sort8, [](uint32_t a, uint32_t b) { return bytes(a, b, {0, 2, 1, 3}); }},
    {Opcode::Bitrev8, [](uint32_t a, uint32_t) { return reverse_bytes(reverse_bits(a)); }},
    {Opcode::Bitrev, [](uint32_t a, uint32_t) { return reverse_bits(a); }},
    {Opcode::Cms, [](uint32_t a, uint32_t) { return uint32_t(std::countl_zero(s(a) < 0 ? ~a : a)) - 1; }},
};

const Case kMultiply[] = {
    {Opcode::Mul, [](uint32_t a, uint32_t b) { return a * b; }},
    {Opcode::Mulh, [](uint32_t a, uint32_t b) { return uint32_t(int64_t{s(a)} * s(b) >> 32); }},
    {Opcode::Mulhsu, [](uint32_t a, uint32_t b) { return uint32_t(int64_t{s(a)} * int64_t{b} >> 32); }},
    {Opcode::Mulhu, [](uint32_t a, uint32_t b) { return uint32_t(uint64_t{a} * b >> 32); }},
};

void for_all_pairs(const std::function<void(uint32_t, uint32_t)>& check) {
  for (const uint32_t a : kCorners)
    for (const uint32_t b : kCorners) check(a, b);
  std::mt19937 random(kSeed);
  for (unsigned i = 0; i < kRandomPairs; ++i) {
    const uint32_t a = random(), b = random();
    check(a, b);
  }
}

}  // namespace

TEST_CASE("The ALU computes what C++ integers do") {
  Valu alu;
  for (const auto& c : kAlu) {
    unsigned wrong = 0;
    for_all_pairs([&](uint32_t a, uint32_t b) {
      alu.id_i = static_cast<uint16_t>(c.opcode);
      alu.a_i = a;
      alu.b_i = b;
      alu.pc_i = kPc;
      alu.eval();
      if (alu.result_o != c.expected(a, b) && wrong++ == 0)
        UNSCOPED_INFO(std::hex << a << " " << b << ": " << alu.result_o);
    });
    INFO(tessera::spec::info(c.opcode).mnemonic << ", seed " << kSeed);
    CHECK(wrong == 0);
  }
  alu.final();
}

TEST_CASE("Every ALU instruction of the table is checked") {
  unsigned in_table = 0;
  for (unsigned i = 0; i < tessera::spec::kOpcodes; ++i)
    in_table += tessera::spec::info(static_cast<Opcode>(i)).unit == tessera::spec::Unit::Alu;
  CHECK(std::size(kAlu) == in_table);
}

TEST_CASE("The multiplier computes what C++ integers do") {
  Vmultiply unit;
  const auto clock = [&unit] {
    unit.clk_i = 0;
    unit.eval();
    unit.clk_i = 1;
    unit.eval();
  };
  for (const auto& c : kMultiply) {
    unsigned wrong = 0;
    for_all_pairs([&](uint32_t a, uint32_t b) {
      unit.valid_i = 1;
      unit.id_i = static_cast<uint16_t>(c.opcode);
      unit.a_i = a;
      unit.b_i = b;
      unit.x2_valid_i = 1;
      clock();
      if (unit.result_o != c.expected(a, b) && wrong++ == 0) UNSCOPED_INFO(std::hex << a << " " << b);
    });
    INFO(tessera::spec::info(c.opcode).mnemonic << ", seed " << kSeed);
    CHECK(wrong == 0);
  }
  unit.final();
}
