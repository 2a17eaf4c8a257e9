#include "tb/vector/packed_reference.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <stdexcept>

#include "tb/vector/small_float.h"

namespace tessera::tb {

using model::FloatControl;
using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;
using model::VectorResult;
using spec::Opcode;
namespace flag = model::fp_flag;

namespace {

constexpr uint32_t kHalfNan = 0x7e00;
constexpr uint32_t kHalfInfinity = 0x7c00;
constexpr uint32_t kHalfLargest = 0x7bff;

uint32_t half_overflow(bool sign, unsigned choice, uint32_t otherwise) {
  if (choice == 0) return otherwise;
  if (choice == 1) return (sign ? 0x8000u : 0) | kHalfLargest;
  return kHalfNan;
}

// A result in f16 that has been rounded by a mode.
FpResult with_control(FpResult r, const FloatControl& control) {
  if ((r.flags & flag::OF) != 0) r.value = half_overflow((r.value & 0x8000u) != 0, control.half_overflow, r.value);
  return r;
}

double scale(const FloatControl& control) {
  const int bits = static_cast<int>(control.f8 >> 8) & 63;
  return bits < 32 ? bits : bits - 64;
}

FpResult half_from_f8(uint32_t byte, const FloatControl& control) {
  if (byte == 0x80) return {kHalfNan, 0};
  const SmallFormat format = (control.f8 & 1) != 0 ? kF8e5 : kF8e4;
  const bool negative = byte > 0x80;
  const double magnitude = std::ldexp(small_value(format, byte & 0x7f), static_cast<int>(scale(control)));
  const Rounded r = round_to(kHalf, control.rm, negative ? -magnitude : magnitude);
  const uint32_t sign = negative ? 0x8000 : 0;
  if (r.magnitude > 65504) {
    const bool to_infinity = control.rm == RoundingMode::RNE || control.rm == RoundingMode::RMM ||
                             control.rm == (negative ? RoundingMode::RDN : RoundingMode::RUP);
    const uint32_t by_mode = sign | (to_infinity ? kHalfInfinity : kHalfLargest);
    return {half_overflow(negative, control.half_overflow, by_mode), flag::OF | flag::NX};
  }
  uint8_t flags = r.inexact ? flag::NX : 0;
  if (r.inexact && r.tiny) flags |= flag::UF;
  return {sign | small_bits(kHalf, r.magnitude), flags};
}

FpResult f8_from_half(uint32_t half, const FloatControl& control) {
  const SmallFormat format = (control.f8 & 1) != 0 ? kF8e5 : kF8e4;
  const bool negative = (half & 0x8000) != 0;
  const uint32_t largest = control.half_overflow >= 2 ? 0x80 : (negative ? 0xff : 0x7f);
  if ((half & 0x7fff) > kHalfInfinity) return {0x80, (half & 0x200) == 0 ? flag::NV : uint8_t{0}};
  if ((half & 0x7fff) == kHalfInfinity) return {largest, 0};
  const double magnitude = std::ldexp(small_value(kHalf, half & 0x7fff), -static_cast<int>(scale(control)));
  const Rounded r = round_to(format, control.rm, negative ? -magnitude : magnitude);
  if (r.magnitude > small_value(format, 0x7f)) return {largest, flag::OF | flag::NX};
  uint8_t flags = r.inexact ? flag::NX : 0;
  if (r.inexact && r.tiny) flags |= flag::UF;
  return {r.magnitude == 0 ? 0 : (negative ? 0x80u : 0u) | small_bits(format, r.magnitude), flags};
}

uint32_t fraction_of_unsigned(unsigned width, uint32_t u) {
  const double x = std::ldexp(u + 0.5, -static_cast<int>(width)) - 0.5;
  if (width == 32) return std::bit_cast<uint32_t>(static_cast<float>(x));
  return (x < 0 ? 0x8000u : 0u) | small_bits(kHalf, round_to(kHalf, RoundingMode::RNE, x).magnitude);
}

}  // namespace

PackedName packed_name(Opcode op) {
  const std::string text(spec::info(op).mnemonic);
  const size_t v = text.find('v');
  if (v == std::string::npos || v + 1 >= text.size()) throw std::logic_error("no packed instruction: " + text);
  const std::string format = text.substr(0, v);
  return {format, static_cast<unsigned>(std::stoul(format.substr(1))), static_cast<unsigned>(text[v + 1] - '0'),
          text.substr(v + 2)};
}

const std::vector<Opcode>& packed_opcodes() {
  static const std::vector<Opcode> all = [] {
    std::vector<Opcode> result;
    for (unsigned i = 0; i < spec::kOpcodes; ++i) {
      if (spec::info(static_cast<Opcode>(i)).unit == spec::Unit::Packed) result.push_back(static_cast<Opcode>(i));
    }
    return result;
  }();
  return all;
}

FpResult PackedReference::clamp(FpFormat format, uint32_t a, uint32_t low, uint32_t high) {
  const FpResult above = scalar_.execute(FpOp::FMAX, format, RoundingMode::RNE, a, low, 0);
  FpResult result = scalar_.execute(FpOp::FMIN, format, RoundingMode::RNE, above.value, high, 0);
  result.flags |= above.flags;
  return result;
}

FpResult PackedReference::sum(FpFormat format, uint32_t a, uint32_t b, RoundingMode rm) {
  uint8_t flags = 0;
  if (format == FpFormat::F16) {
    for (uint32_t* x : {&a, &b}) {
      const FpResult wide = scalar_.execute(FpOp::FCVT_S_H, FpFormat::F32, rm, *x, 0, 0);
      *x = wide.value;
      flags |= wide.flags;
    }
  }
  FpResult result = scalar_.execute(FpOp::FADD, FpFormat::F32, rm, a, b, 0);
  result.flags |= flags;
  return result;
}

FpResult PackedReference::single_to_half(uint32_t a, uint32_t random, const FloatControl& control) {
  const double x = std::bit_cast<float>(a);
  if (!control.stochastic || !std::isfinite(x) || x == 0) {
    return with_control(scalar_.execute(FpOp::FCVT_H_S, FpFormat::F16, control.rm, a, 0, 0), control);
  }
  const int exponent = std::max(exponent_of(x), -14);
  const double units = std::ldexp(std::fabs(x), 10 - exponent);
  const double below = std::floor(units);
  const double cut = std::floor((units - below) * 65536);
  const double magnitude = std::ldexp(below + (cut + random >= 65536 ? 1 : 0), exponent - 10);
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  if (magnitude >= 65536) {
    return {half_overflow(sign != 0, control.half_overflow, sign | kHalfInfinity), flag::OF | flag::NX};
  }
  uint8_t flags = 0;
  if (units != below) flags = std::fabs(x) < std::ldexp(1, -14) ? flag::NX | flag::UF : flag::NX;
  return {sign | small_bits(kHalf, magnitude), flags};
}

FpResult PackedReference::lane(const std::string& operation, FpFormat format, uint32_t a, uint32_t b, uint32_t c,
                               const FloatControl& control) {
  const bool half = format == FpFormat::F16;
  const uint32_t sign = half ? 0x8000u : 0x80000000u;
  const uint32_t all = half ? 0xffffu : 0xffffffffu;
  if (operation == "abs") return {a & ~sign, 0};
  if (operation == "neg") return {a ^ sign, 0};
  if (operation == "absadd" || operation == "absmax") {
    return lane(operation.substr(3), format, a & ~sign, b & ~sign, 0, control);
  }
  if (operation == "cmpne") {
    const FpResult equal = lane("cmpeq", format, a, b, 0, control);
    return {equal.value ^ all, equal.flags};
  }
  if (operation == "cmpgt") return lane("cmplt", format, b, a, 0, control);
  if (operation == "cmpge") return lane("cmple", format, b, a, 0, control);
  if (operation == "sufromui") return {fraction_of_unsigned(half ? 16 : 32, a), 0};
  static const std::map<std::string, FpOp> kOperations = {
      {"add", FpOp::FADD},         {"sub", FpOp::FSUB},           {"mul", FpOp::FMUL},
      {"addb", FpOp::FADD},        {"mulb", FpOp::FMUL},          {"fma", FpOp::FMADD},
      {"fms", FpOp::FMSUB},        {"fnma", FpOp::FNMSUB},        {"fmab", FpOp::FMADD},
      {"min", FpOp::FMIN},         {"max", FpOp::FMAX},           {"maxc", FpOp::FMAX},
      {"cmpeq", FpOp::FEQ},        {"cmplt", FpOp::FLT},          {"cmple", FpOp::FLE},
      {"class", FpOp::FCLASS},     {"toi32", FpOp::FCVT_W_F},     {"toui32", FpOp::FCVT_WU_F},
      {"fromi32", FpOp::FCVT_F_W}, {"fromui32", FpOp::FCVT_F_WU}, {"tof32", FpOp::FCVT_S_H},
      {"tof32hi", FpOp::FCVT_S_H},
  };
  const auto found = kOperations.find(operation);
  if (found == kOperations.end()) throw std::logic_error("the reference does not know " + operation);
  FpResult r = scalar_.execute(found->second, format, control.rm, a, b, c);
  if (operation.starts_with("cmp")) r.value = r.value != 0 ? all : 0;
  return half && found->second <= FpOp::FNMADD ? with_control(r, control) : r;
}

VectorResult PackedReference::execute(Opcode op, uint64_t a, uint64_t b, uint64_t c, const FloatControl& control) {
  static const std::vector<PackedName> kNames = [] {
    std::vector<PackedName> names(spec::kOpcodes);
    for (const Opcode packed : packed_opcodes()) names[static_cast<unsigned>(packed)] = packed_name(packed);
    return names;
  }();
  const PackedName& name = kNames[static_cast<unsigned>(op)];
  const FpFormat format = name.width == 16 ? FpFormat::F16 : FpFormat::F32;
  const auto take = [&](uint64_t reg, unsigned lane) {
    return static_cast<uint32_t>(reg >> lane * name.width & (name.width == 32 ? 0xffffffffu : (1u << name.width) - 1));
  };
  const bool neighbours = name.operation == "sum" || name.operation == "maxc";
  const bool broadcast = name.operation == "addb" || name.operation == "mulb" || name.operation == "fmab";

  std::vector<FpResult> results;
  unsigned result_width = name.width;
  for (unsigned i = 0; i < (neighbours ? name.lanes / 2 : name.lanes); ++i) {
    if (name.operation == "clamp") {
      results.push_back(clamp(format, take(a, i), take(b, 0), take(b, 1)));
    } else if (name.operation == "sum") {
      results.push_back(sum(format, take(a, 2 * i), take(a, 2 * i + 1), control.rm));
      result_width = 32;
    } else if (name.operation == "maxc") {
      results.push_back(lane("maxc", format, take(a, 2 * i), take(a, 2 * i + 1), 0, control));
    } else if (name.operation == "tof16" && name.width == 32) {
      const uint32_t random = static_cast<uint32_t>(control.random >> 16 * i & 0xffff);
      results.push_back(single_to_half(i < 2 ? take(a, i) : take(b, i - 2), random, control));
      result_width = 16;
    } else if (name.operation == "tof16") {
      results.push_back(half_from_f8(take(a, i), control));
      result_width = 16;
    } else if (name.operation == "tof8") {
      results.push_back(f8_from_half(take(a, i), control));
      result_width = 8;
    } else if (name.operation == "tof32" || name.operation == "tof32hi") {
      const unsigned from = name.operation == "tof32hi" ? i + 2 : i;
      results.push_back(lane(name.operation, format, take(a, from), 0, 0, control));
      result_width = 32;
    } else {
      results.push_back(lane(name.operation, format, take(a, broadcast ? 0 : i), take(b, i), take(c, i), control));
    }
  }

  VectorResult result{~uint64_t{0}, 0};
  for (size_t i = results.size(); i-- > 0;) {
    result.value = result.value << result_width | results[i].value;
    result.flags |= results[i].flags;
  }
  return result;
}

}  // namespace tessera::tb
