#include "tb/arithmetic/exact_amp.h"

#include <stdexcept>
#include <string_view>
#include <vector>

#include "tb/arithmetic/exact_convert.h"
#include "tb/arithmetic/exact_number.h"

namespace tessera::tb {

using model::Accumulators;
using model::FloatControl;
using model::VectorResult;
using model::Weights;
using spec::Opcode;
namespace flag = model::fp_flag;

namespace {

uint32_t field(uint64_t word, unsigned bits, unsigned lane) {
  return static_cast<uint32_t>(word >> bits * lane & ((uint64_t{1} << bits) - 1));
}

struct Product {
  Decoded x, w;
};

// c + 2^scale * sum of the products, rounded once to f32; raises NV and OF in `flags`.
uint32_t fused_sum(uint32_t c_bits, const std::vector<Product>& products, int scale, uint8_t& flags) {
  const Decoded c = decode_number(kF32, c_bits);
  bool any_nan = c.nan, invalid = c.signalling, all_negative_zero = c.zero() && c.negative;
  bool positive_infinity = c.infinite && !c.negative, negative_infinity = c.infinite && c.negative;
  for (const auto& [x, w] : products) {
    const bool negative = x.negative != w.negative;
    const bool infinite = x.infinite || w.infinite;
    any_nan |= x.nan || w.nan;
    invalid |= x.signalling || w.signalling || (infinite && (x.zero() || w.zero()));
    positive_infinity |= infinite && !negative;
    negative_infinity |= infinite && negative;
    all_negative_zero &= (x.zero() || w.zero()) && negative;
  }
  invalid |= !any_nan && positive_infinity && negative_infinity;
  if (invalid) flags |= flag::NV;
  if (invalid || any_nan) return kF32.nan();
  if (positive_infinity || negative_infinity) return kF32.infinity() | (negative_infinity ? kF32.sign_bit() : 0);

  ExactSum sum;
  for (const auto& [x, w] : products) {
    const uint64_t significand = uint64_t{x.significand} * w.significand;
    if (significand != 0) sum.add(x.negative != w.negative, significand, x.exponent + w.exponent + scale);
  }
  if (c.significand != 0) sum.add(c.negative, c.significand, c.exponent);
  if (sum.zero()) return all_negative_zero ? kF32.sign_bit() : 0;
  const Rounded r = round_sum(kF32, model::RoundingMode::RNE, sum);
  flags |= r.flags & flag::OF;
  return r.value;
}

uint32_t fused_f32(uint32_t c, uint32_t x, uint32_t w, uint8_t& flags) {
  return fused_sum(c, {{decode_number(kF32, x), decode_number(kF32, w)}}, 0, flags);
}

std::vector<Product> halves(uint64_t x, uint64_t w, unsigned first, unsigned count) {
  std::vector<Product> products;
  for (unsigned i = first; i < first + count; ++i) {
    products.push_back({decode_number(kF16, field(x, 16, i)), decode_number(kF16, field(w, 16, i))});
  }
  return products;
}

std::vector<Product> bytes(uint64_t x, uint64_t w, uint32_t xf8) {
  std::vector<Product> products;
  for (unsigned i = 0; i < 8; ++i) {
    products.push_back({decode_number((xf8 & 1) != 0 ? kF8e5 : kF8e4, field(x, 8, i)),
                        decode_number((xf8 & 2) != 0 ? kF8e5 : kF8e4, field(w, 8, i))});
  }
  return products;
}

// Partial sums of a register: f16 widened, or f32 as they are.
uint32_t incoming(uint64_t p, bool half, unsigned lane, uint8_t& flags) {
  return half ? half_to_single(field(p, 16, lane), flags) : field(p, 32, lane);
}

// The register of results: f16 rounded, and boxed where there are two, or f32 as they are.
uint64_t outgoing(const std::vector<uint32_t>& sums, bool half, const FloatControl& control, uint8_t& flags) {
  uint64_t result = half && sums.size() < 4 ? 0xffffffff00000000u : 0;
  for (unsigned i = 0; i < sums.size(); ++i) {
    uint8_t raised = 0;
    const uint32_t value = half ? single_to_half(sums[i], field(control.random, 16, i), control, raised) : sums[i];
    flags |= raised & (flag::NV | flag::OF);
    result |= uint64_t{value} << (half ? 16 : 32) * i;
  }
  return result;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

VectorResult step(std::string_view name, unsigned phase, uint64_t x, uint64_t p, const FloatControl& control,
                  const Weights& weights, Accumulators& acc) {
  const bool slim = contains(name, "slic");
  const bool from_f32 = name.starts_with("f32");
  const bool from_f8 = name.starts_with("f8");
  const bool half_in = contains(name, "hiho");
  const bool half_out = half_in || contains(name, "siho");
  const unsigned sums = half_in ? 4 : 2;                     // in and out of one step
  const unsigned units = from_f32 && !slim ? 16 : 4 * sums;  // that compute

  uint8_t flags = 0;
  const auto dot = [&](uint32_t c, unsigned unit) {
    if (from_f32) {
      const unsigned lane = phase % 2;
      return fused_f32(c, field(x, 32, lane), field(weights[4 * unit + phase / 2], 32, lane), flags);
    }
    const uint64_t w = weights[4 * unit + phase];
    if (!from_f8) return fused_sum(c, halves(x, w, 0, 4), 0, flags);
    const uint32_t scale = control.f8 >> 8 & 63;
    return fused_sum(c, bytes(x, w, control.f8), scale < 32 ? static_cast<int>(scale) : static_cast<int>(scale) - 64,
                     flags);
  };

  std::vector<uint32_t> leaving;
  if (slim) {
    const Accumulators before = acc;
    const bool shifts = !(from_f32 && phase % 2 == 1);
    for (unsigned c = 0; c < sums; ++c) leaving.push_back(before.a[4 * c]);
    for (unsigned c = 0; c < sums; ++c) {
      for (unsigned t = 0; t < 4; ++t) {
        const uint32_t addend = !shifts  ? before.a[4 * c + t]
                                : t == 3 ? incoming(p, half_in, c, flags)
                                         : before.a[4 * c + t + 1];
        acc.a[4 * c + t] = dot(addend, 4 * c + t);
      }
    }
  } else {
    if (phase == 0) acc = {.a = acc.s, .s = acc.a};
    for (unsigned u = 0; u < units; ++u) acc.a[u] = dot(acc.a[u], u);
    for (unsigned i = 0; i < sums; ++i) leaving.push_back(acc.s[i]);
    // The chain is as long as there are outputs.
    std::vector<uint32_t> chain(acc.s.begin() + sums, acc.s.begin() + units);
    for (unsigned i = 0; i < sums; ++i) chain.push_back(incoming(p, half_in, i, flags));
    for (unsigned j = 0; j < units; ++j) acc.s[j] = chain[j];
  }
  const uint64_t result = outgoing(leaving, half_out, control, flags);
  return {result, flags};
}

}  // namespace

VectorResult exact_amp(Opcode op, unsigned number, uint64_t a, uint64_t b, const FloatControl& control,
                       const Weights& weights, Accumulators& acc) {
  const std::string_view name = spec::info(op).mnemonic;
  if (contains(name, "amp") || contains(name, "slic")) return step(name, number, a, b, control, weights, acc);

  uint8_t flags = 0;
  uint64_t value = 0;
  const auto gina = [&](unsigned count, bool half) {
    std::vector<uint32_t> old;
    for (unsigned i = 0; i < count; ++i) {
      uint32_t& sum = acc.a[count * number + i];
      old.push_back(sum);
      sum = incoming(a, half, i, flags);
    }
    return outgoing(old, half, control, flags);
  };
  const Accumulators before = acc;
  if (op == Opcode::F32v2gina) {
    value = gina(2, false);
  } else if (op == Opcode::F16v2gina) {
    value = gina(2, true);
  } else if (op == Opcode::F16v4gina) {
    value = gina(4, true);
  } else if (op == Opcode::F32v2mac) {
    for (unsigned i = 0; i < 2; ++i) acc.a[i] = fused_f32(before.a[i], field(a, 32, i), field(b, 32, i), flags);
  } else if (op == Opcode::F16v2cmac) {
    acc.a[0] = fused_sum(before.a[0], halves(a, b, 0, 2), 0, flags);
  } else if (op == Opcode::F16v4cmac) {
    for (unsigned i = 0; i < 2; ++i) acc.a[i] = fused_sum(before.a[i], halves(a, b, 2 * i, 2), 0, flags);
  } else if (op == Opcode::F32v2axpy) {
    value = uint64_t{before.a[1]} << 32 | before.a[0];
    for (unsigned i = 0; i < 2; ++i) acc.a[i] = fused_f32(field(b, 32, i), control.tas, field(a, 32, i), flags);
  } else if (op == Opcode::F32v2aop) {
    for (unsigned i = 0; i < 2; ++i) {
      for (unsigned j = 0; j < 2; ++j) {
        acc.a[2 * i + j] = fused_f32(before.a[2 * i + j], field(a, 32, i), field(b, 32, j), flags);
      }
    }
  } else if (op == Opcode::F16v4acc) {
    constexpr uint64_t kOnes = 0x3c003c003c003c00u;
    for (unsigned i = 0; i < 4; ++i) acc.a[i] = fused_sum(before.a[i], halves(a, kOnes, i, 1), 0, flags);
  } else if (op == Opcode::F32v2acc) {
    for (unsigned i = 0; i < 2; ++i) acc.a[i] = fused_f32(before.a[i], field(a, 32, i), 0x3f800000u, flags);
  } else if (op == Opcode::Zacc) {
    acc = {};
  } else {
    throw std::invalid_argument("exact_amp: not an instruction of unit Amp: " + std::string(name));
  }
  return {value, flags};
}

}  // namespace tessera::tb
