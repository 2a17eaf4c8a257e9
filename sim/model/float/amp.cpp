#include "sim/model/float/amp.h"

#include <utility>

#include "sim/model/float/amp_dot.h"
#include "sim/model/float/half_rounding.h"

namespace tessera::model {
namespace {

using spec::Opcode;

constexpr uint32_t kOne = 0x3f800000u;
constexpr uint64_t kHalfOnes = 0x3c003c003c003c00u;
constexpr uint64_t kHalfNegativeZeros = 0x8000800080008000u;  // with a one: a product that changes no sum

uint32_t lane32(uint64_t x, unsigned i) { return static_cast<uint32_t>(x >> 32 * i); }
uint32_t lane16(uint64_t x, unsigned i) { return static_cast<uint32_t>(x >> 16 * i) & 0xffff; }
uint64_t pair(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

// Values that enter and leave through f16, and the flags that this raises.
class Halves {
 public:
  explicit Halves(const FloatControl& control) : control_(control) {}

  // `count` lanes in a register; the rest of it is set.
  uint64_t narrow(const uint32_t* x, unsigned count) {
    uint64_t result = count == 4 ? 0 : ~uint64_t{0} << 16 * count;
    for (unsigned i = 0; i < count; ++i) {
      const FpResult r = control_.stochastic
                             ? round_stochastic(x[i], lane16(control_.random, i), control_.half_overflow)
                             : round_nearest(x[i], control_.half_overflow);
      result |= uint64_t{r.value} << 16 * i;
      flags_ |= r.flags & (fp_flag::NV | fp_flag::OF);
    }
    return result;
  }
  uint32_t widen(uint64_t x, unsigned lane) {
    const FpResult r = model::widen(lane16(x, lane));
    flags_ |= r.flags;
    return r.value;
  }
  uint8_t flags() const { return flags_; }

 private:
  const FloatControl& control_;
  uint8_t flags_ = 0;
};

enum class Source : uint8_t { F16, F8, F32 };

// A kind of step, as the tables of arithmetic.md have it.
struct Kind {
  Source source;
  bool slim;
  bool half_in, half_out;  // partial sums
  unsigned sums;           // that a step takes and gives
  unsigned units;
};

// Gives false for an instruction that is no step.
bool kind_of(Opcode op, Kind& kind) {
  switch (op) {
    case Opcode::F16v4hihov4amp:
    case Opcode::F16v4hihov4amppace:
      kind = {Source::F16, false, true, true, 4, 16};
      return true;
    case Opcode::F8v8hihov4amp:
    case Opcode::F8v8hihov4amppace:
      kind = {Source::F8, false, true, true, 4, 16};
      return true;
    case Opcode::F16v4sisoamp:
    case Opcode::F16v4sisoamppace:
      kind = {Source::F16, false, false, false, 2, 8};
      return true;
    case Opcode::F16v4sihoamp:
      kind = {Source::F16, false, false, true, 2, 8};
      return true;
    case Opcode::F32sisov2amp:
    case Opcode::F32sisov2amppace:
      kind = {Source::F32, false, false, false, 2, 16};
      return true;
    case Opcode::F16v4hihov4slic:
    case Opcode::F16v4hihov4slicpace:
      kind = {Source::F16, true, true, true, 4, 16};
      return true;
    case Opcode::F8v8hihov4slic:
    case Opcode::F8v8hihov4slicpace:
      kind = {Source::F8, true, true, true, 4, 16};
      return true;
    case Opcode::F16v4sisoslic:
    case Opcode::F16v4sisoslicpace:
      kind = {Source::F16, true, false, false, 2, 8};
      return true;
    case Opcode::F32sisoslic:
    case Opcode::F32sisoslicpace:
      kind = {Source::F32, true, false, false, 2, 8};
      return true;
    default:
      return false;
  }
}

VectorResult step(const Kind& kind, unsigned phase, uint64_t x, uint64_t p, const FloatControl& control,
                  const Weights& weights, Accumulators& acc) {
  Halves halves(control);
  const unsigned n = kind.sums;
  std::array<uint32_t, 4> entering, leaving;
  for (unsigned i = 0; i < n; ++i) entering[i] = kind.half_in ? halves.widen(p, i) : lane32(p, i);

  if (kind.slim) {
    for (unsigned c = 0; c < n; ++c) leaving[c] = acc.a[4 * c];
    // The second lane of f32 meets the sums where the first one left them.
    if (kind.source != Source::F32 || phase % 2 == 0) {
      for (unsigned u = 0; u < kind.units; ++u) acc.a[u] = u % 4 == 3 ? entering[u / 4] : acc.a[u + 1];
    }
  } else {
    if (phase == 0) std::swap(acc.a, acc.s);
    for (unsigned i = 0; i < n; ++i) leaving[i] = acc.s[i];
    for (unsigned j = 0; j + n < kind.units; ++j) acc.s[j] = acc.s[j + n];
    for (unsigned i = 0; i < n; ++i) acc.s[kind.units - n + i] = entering[i];
  }

  uint8_t flags = 0;
  switch (kind.source) {
    case Source::F16:
      flags = dot_f16(kind.units, x, &weights[phase], acc.a.data());
      break;
    case Source::F8:
      flags = dot_f8(kind.units, control.f8, x, &weights[phase], acc.a.data());
      break;
    case Source::F32:
      flags = dot_f32(kind.units, lane32(x, phase % 2), phase % 2, &weights[phase / 2], acc.a.data());
      break;
  }
  const uint64_t value = kind.half_out ? halves.narrow(leaving.data(), n) : pair(leaving[0], leaving[1]);
  return {value, static_cast<uint8_t>(flags | halves.flags())};
}

// gina of f16: `count` accumulators from `first` leave rounded and are set to the lanes of a.
VectorResult exchange_halves(unsigned first, unsigned count, uint64_t a, const FloatControl& control,
                             Accumulators& acc) {
  Halves halves(control);
  const uint64_t value = halves.narrow(&acc.a[first], count);
  for (unsigned i = 0; i < count; ++i) acc.a[first + i] = halves.widen(a, i);
  return {value, halves.flags()};
}

// acc[i] += a[2i] * b[2i] + a[2i + 1] * b[2i + 1]
uint8_t accumulate_products(unsigned count, uint64_t a, uint64_t b, Accumulators& acc) {
  constexpr uint64_t kUpper = 0xffffffff00000000u;
  uint8_t flags = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t x = (kHalfNegativeZeros & kUpper) | lane32(a, i);
    const uint64_t w = (kHalfOnes & kUpper) | lane32(b, i);
    flags |= dot_f16(1, x, &w, &acc.a[i]);
  }
  return flags;
}

uint8_t accumulate_halves(uint64_t a, Accumulators& acc) {
  uint8_t flags = 0;
  for (unsigned i = 0; i < 4; ++i) {
    flags |= dot_f16(1, (kHalfNegativeZeros & ~uint64_t{0xffff}) | lane16(a, i), &kHalfOnes, &acc.a[i]);
  }
  return flags;
}

}  // namespace

VectorResult amp_execute(Opcode op, unsigned number, uint64_t a, uint64_t b, const FloatControl& control,
                         const Weights& weights, Accumulators& acc) {
  Kind kind;
  if (kind_of(op, kind)) return step(kind, number, a, b, control, weights, acc);

  // sum += x * w in f32
  uint8_t flags = 0;
  const auto accumulate = [&](uint32_t x, uint64_t w, uint32_t& sum) { flags |= dot_f32(1, x, 0, &w, &sum); };
  switch (op) {
    case Opcode::F32v2gina: {
      const uint64_t value = pair(acc.a[2 * number], acc.a[2 * number + 1]);
      acc.a[2 * number] = lane32(a, 0);
      acc.a[2 * number + 1] = lane32(a, 1);
      return {value, 0};
    }
    case Opcode::F16v2gina:
      return exchange_halves(2 * number, 2, a, control, acc);
    case Opcode::F16v4gina:
      return exchange_halves(4 * number, 4, a, control, acc);
    case Opcode::F32v2mac:
      for (unsigned i = 0; i < 2; ++i) accumulate(lane32(a, i), lane32(b, i), acc.a[i]);
      break;
    case Opcode::F16v2cmac:
      flags = accumulate_products(1, a, b, acc);
      break;
    case Opcode::F16v4cmac:
      flags = accumulate_products(2, a, b, acc);
      break;
    case Opcode::F32v2axpy: {
      const uint64_t value = pair(acc.a[0], acc.a[1]);
      for (unsigned i = 0; i < 2; ++i) {
        acc.a[i] = lane32(b, i);
        accumulate(control.tas, lane32(a, i), acc.a[i]);
      }
      return {value, flags};
    }
    case Opcode::F32v2aop:
      for (unsigned i = 0; i < 4; ++i) accumulate(lane32(a, i / 2), lane32(b, i % 2), acc.a[i]);
      break;
    case Opcode::F16v4acc:
      flags = accumulate_halves(a, acc);
      break;
    case Opcode::F32v2acc:
      for (unsigned i = 0; i < 2; ++i) accumulate(lane32(a, i), kOne, acc.a[i]);
      break;
    case Opcode::Zacc:
      acc = {};
      break;
    default:
      break;
  }
  return {0, flags};
}

}  // namespace tessera::model
