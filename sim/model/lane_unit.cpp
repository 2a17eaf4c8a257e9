#include "sim/model/lane_unit.h"

#include "sim/model/float_unit.h"

namespace tessera::model {
namespace {

using spec::Opcode;

constexpr uint64_t kNoTop = ~(uint64_t{1} << 63);

constexpr uint64_t low_word(uint64_t value) { return value & 0xffffffff; }
constexpr uint64_t half(uint64_t value, unsigned lane) { return value >> (16 * lane) & 0xffff; }

// Two lanes of 16 bits: narrower than the register, so boxed.
constexpr uint64_t halves(uint64_t low, uint64_t high) { return box_f32(static_cast<uint32_t>(low | high << 16)); }
constexpr uint64_t words(uint64_t low, uint64_t high) { return low_word(low) | high << 32; }

constexpr uint64_t insert(uint64_t target, uint64_t lane, unsigned bits, unsigned n) {
  const uint64_t mask = ((uint64_t{1} << bits) - 1) << (bits * n);
  return (target & ~mask) | (lane << (bits * n) & mask);
}

constexpr uint64_t shuffle(uint64_t a, uint32_t lanes) {
  uint64_t result = 0;
  for (unsigned n = 0; n < 4; ++n) result |= half(a, lanes >> (2 * n) & 3) << (16 * n);
  return result;
}

}  // namespace

uint64_t lane_result(const Decoded& d, uint64_t a, uint64_t b) {
  using enum Opcode;
  const auto n = static_cast<unsigned>(d.imm);
  switch (d.opcode) {
    case And64:
      return a & b;
    case Or64:
      return a | b;
    case Xor64:
      return a ^ b;
    case Andc64:
      return a & ~b;
    case Not64:
      return ~a;
    case Sort4x16lo:
      return halves(half(a, 0), half(b, 0));
    case Sort4x16hi:
      return halves(half(a, 1), half(b, 1));
    case Sort4x32lo:
      return words(a, b);
    case Sort4x32hi:
      return words(a >> 32, b >> 32);
    case Roll16:
      return halves(half(a, 1), half(b, 0));
    case Roll32:
      return words(a >> 32, b);
    case F16v4shuf:
      return shuffle(a, n);
    case F16v4extract:
      return box_f16(static_cast<uint32_t>(half(a, n & 3)));
    case F32v2extract:
      return box_f32(static_cast<uint32_t>(a >> (32 * (n & 1))));
    case F16v4insert:
      return insert(a, b, 16, n & 3);
    case F32v2insert:
      return insert(a, b, 32, n & 1);
    case FmvpDX:
      return words(a, b);
    case FmvhXD:
      return a >> 32;
    case Tapack:
      return triple_part(static_cast<uint32_t>(a), 0) | triple_part(static_cast<uint32_t>(b), 1);
    case Taset2:
      return (insert(a, 0, kTripleBits, 2) & kNoTop) | triple_part(static_cast<uint32_t>(b), 2);
    case Taget:
      return n < 3 ? triple_address(a, n) : 0;
    default:
      return 0;
  }
}

}  // namespace tessera::model
