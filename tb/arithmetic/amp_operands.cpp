#include "tb/arithmetic/amp_operands.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace tessera::tb {

using spec::Opcode;

namespace {

double approximate(const NumberFormat& f, uint32_t bits) {
  const Decoded d = decode_number(f, bits);
  if (d.nan || d.infinite) return 0;
  const double magnitude = std::ldexp(static_cast<double>(d.significand), d.exponent);
  return d.negative ? -magnitude : magnitude;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::string text_of(const AmpCase& c) {
  char line[256];
  std::snprintf(line, sizeof line,
                "%s %u a=%016llx b=%016llx stochastic=%d overflow=%u f8=%04x random=%016llx tas=%08x",
                std::string(spec::info(c.op).mnemonic).c_str(), c.number, static_cast<unsigned long long>(c.a),
                static_cast<unsigned long long>(c.b), c.control.stochastic, c.control.half_overflow, c.control.f8,
                static_cast<unsigned long long>(c.control.random), c.control.tas);
  std::string text = line;
  const std::string_view name = spec::info(c.op).mnemonic;
  if (!contains(name, "amp") && !contains(name, "slic")) return text;
  const unsigned phase = name.starts_with("f32") ? c.number / 2 : c.number;
  for (unsigned u = 0; u < 16; ++u) {
    std::snprintf(line, sizeof line, "\n  unit %2u: weights %016llx A %08x S %08x", u,
                  static_cast<unsigned long long>(c.weights[4 * u + phase]), c.acc.a[u], c.acc.s[u]);
    text += line;
  }
  return text;
}

std::vector<Opcode> amp_instructions(bool paced) {
  std::vector<Opcode> result;
  for (unsigned i = 0; i < spec::kOpcodes; ++i) {
    const auto op = static_cast<Opcode>(i);
    if (spec::info(op).unit == spec::Unit::Amp && (paced || !spec::info(op).mnemonic.ends_with("pace"))) {
      result.push_back(op);
    }
  }
  return result;
}

AmpOperands::AmpOperands(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x5851f42d4c957f2du) {}

uint64_t AmpOperands::bits() {  // xorshift64*, with a step so that a seed of zero works
  state_ += state_ == 0;
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1du;
}

uint32_t AmpOperands::with_exponent(const NumberFormat& f, int low, int high) {
  const auto field = static_cast<uint32_t>(low + static_cast<int>(below(static_cast<uint32_t>(high - low + 1))));
  const uint64_t r = bits();
  auto fraction = static_cast<uint32_t>(r) & ((1u << f.fraction_bits) - 1);
  switch (r >> 60) {
    case 0:
      fraction = 0;
      break;
    case 1:
      fraction = (1u << f.fraction_bits) - 1;
      break;
    case 2:
      fraction = 1u << below(static_cast<uint32_t>(f.fraction_bits));
      break;
    default:
      break;
  }
  return ((r >> 32 & 1) != 0 ? f.sign_bit() : 0) | field << f.fraction_bits | fraction;
}

uint32_t AmpOperands::special(const NumberFormat& f) {
  const uint32_t values[] = {0,
                             1,                            // smallest subnormal
                             (1u << f.fraction_bits) - 1,  // largest subnormal
                             1u << f.fraction_bits,        // smallest normal
                             static_cast<uint32_t>(f.bias) << f.fraction_bits,
                             f.infinity() - 1,  // largest
                             f.infinity(),
                             f.infinity(),
                             f.nan(),
                             f.infinity() | 1};  // signalling
  return values[below(10)] | (one_in(2) ? f.sign_bit() : 0);
}

void AmpOperands::choose_flavour() { flavour_ = below(16); }

uint32_t AmpOperands::half() {
  switch (flavour_) {
    case 0:  // anything, NaNs and infinities rarely
      return one_in(8) ? static_cast<uint32_t>(bits()) & 0xffff : with_exponent(kF16, 0, 30);
    case 1:  // many corners
      return one_in(2) ? special(kF16) : with_exponent(kF16, 0, 30);
    case 2:  // subnormals and the smallest
      return with_exponent(kF16, 0, 3);
    case 3:  // the largest
      return with_exponent(kF16, 28, 30);
    case 4:  // both ends
      return one_in(2) ? with_exponent(kF16, 0, 1) : with_exponent(kF16, 29, 30);
    case 5:  // mostly zeros of either sign
      return one_in(4) ? with_exponent(kF16, 0, 30) : (one_in(3) ? 0x8000u : 0u);
    case 6:  // one rare special
      return one_in(24) ? special(kF16) : with_exponent(kF16, 10, 20);
    case 7:  // powers of two: exact cancellation
      return (with_exponent(kF16, 12, 18) & 0xfc00u);
    case 8:
    case 9:
      return with_exponent(kF16, 0, 30);
    default:  // what programs have
      return with_exponent(kF16, 11, 17);
  }
}

uint64_t AmpOperands::halves() {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= uint64_t{half()} << 16 * i;
  if (one_in(8)) {  // two lanes that cancel, if the other operand's are alike
    result = (result & 0xffffffff0000ffffu) | ((result & 0xffffu) ^ 0x8000u) << 16;
  }
  return result;
}

uint64_t AmpOperands::bytes() {
  const uint64_t r = bits();
  switch (flavour_ & 7) {
    case 0:  // NaNs now and then
      return one_in(4) ? (r & ~uint64_t{0xff00}) | 0x8000 : r;
    case 1: {  // the largest
      const uint64_t largest = 0x7f7f7f7f7f7f7f7fu;
      return largest ^ (r & (bits() & 0x8383838383838383u));
    }
    case 2:  // the smallest
      return r & 0x8787878787878787u;
    case 3:  // sparse
      return r & (uint64_t{0xff} << 8 * below(8) | uint64_t{0xff} << 8 * below(8));
    default: {  // no NaN, which random bytes have too often
      const uint64_t nan = ~(r ^ 0x8080808080808080u);
      uint64_t result = r;
      for (unsigned i = 0; i < 8; ++i) {
        if ((nan >> 8 * i & 0xff) == 0xff) result ^= uint64_t{0x40} << 8 * i;
      }
      return result;
    }
  }
}

uint32_t AmpOperands::single() {
  switch (below(12)) {
    case 0:
      return special(kF32);
    case 1:
      return static_cast<uint32_t>(bits());
    case 2:
      return with_exponent(kF32, 0, 30);
    case 3:
      return with_exponent(kF32, 225, 254);
    case 4:
      return with_exponent(kF32, 0, 254);
    default:
      return with_exponent(kF32, 120, 134);
  }
}

uint32_t AmpOperands::partial() {
  switch (below(12)) {
    case 0:
      return single();
    case 1:  // below f16's smallest
      return with_exponent(kF32, 95, 114);
    case 2:
      return with_exponent(kF32, 140, 143);
    default:
      break;
  }
  // A number of f16 with bits below its last place: nothing, a tie and its neighbours, anything.
  uint32_t x = with_exponent(kF32, one_in(4) ? 100 : 113, one_in(4) ? 142 : 130);
  const unsigned below_last = x << 1 >> 24 >= 113 ? 13 : std::min(13 + 113 - (x << 1 >> 24), 23u);
  const uint32_t mask = (1u << below_last) - 1;
  const uint32_t rests[] = {
      0, mask, 1, (mask + 1) / 2, mask / 2, (mask + 1) / 2 + 1, static_cast<uint32_t>(bits()) & mask};
  return (x & ~mask) | rests[below(7)];
}

uint32_t AmpOperands::addend_for(double sum) {
  const auto near = std::bit_cast<uint32_t>(static_cast<float>(-sum));
  switch (below(10)) {
    case 0:
      return single();
    case 1:
      return one_in(2) ? 0u : 0x80000000u;
    case 2:
    case 3:  // cancels it, but for the last places
      return near + below(5) - 2;
    case 4:
    case 5: {  // so many binades apart; simple bits make ties
      const int exponent = static_cast<int>(near << 1 >> 24) + static_cast<int>(below(90)) - 45;
      return with_exponent(kF32, std::clamp(exponent, 0, 254), std::clamp(exponent, 0, 254));
    }
    case 6:
      return partial();
    case 7:  // the products decide rounding only
      return with_exponent(kF32, std::clamp(static_cast<int>(near << 1 >> 24) + 22, 0, 254),
                           std::clamp(static_cast<int>(near << 1 >> 24) + 27, 0, 254));
    default:
      return with_exponent(kF32, 120, 134);
  }
}

void AmpOperands::next(Opcode op, AmpCase& c) {
  const std::string_view name = spec::info(op).mnemonic;
  const bool is_step = contains(name, "amp") || contains(name, "slic");
  const bool slim = contains(name, "slic");
  const bool f32 = name.starts_with("f32");
  const bool f8 = name.starts_with("f8");
  const bool half_in = contains(name, "hiho") || name.starts_with("f16");

  c.op = op;
  choose_flavour();
  c.control.stochastic = one_in(2);
  c.control.half_overflow = below(4);
  c.control.f8 = below(4) | (one_in(2) ? below(9) - 4 : below(64)) << 8;
  c.control.f8 &= 0x3f03;
  c.control.random = one_in(8) ? (one_in(2) ? 0 : ~uint64_t{0}) : bits();
  c.control.tas = single();
  if (!is_step) {
    c.number = contains(name, "gina") ? below(name.starts_with("f16v4") ? 4 : 8) : 0;
    c.a = f32 ? uint64_t{single()} << 32 | single() : halves();
    choose_flavour();
    c.b = f32 ? uint64_t{single()} << 32 | single() : halves();
    if (contains(name, "gina")) {
      for (uint32_t& sum : c.acc.a) {
        if (one_in(2)) sum = partial();
      }
    } else {  // relations to the products that the instruction may make
      for (unsigned i = 0; i < 4; ++i) {
        double sum;
        if (contains(name, "aop")) {
          sum = approximate(kF32, static_cast<uint32_t>(c.a >> 32 * (i / 2))) *
                approximate(kF32, static_cast<uint32_t>(c.b >> 32 * (i % 2)));
        } else if (f32) {
          const uint32_t w = contains(name, "mac") ? static_cast<uint32_t>(c.b >> 32 * (i % 2)) : 0x3f800000u;
          sum = approximate(kF32, static_cast<uint32_t>(c.a >> 32 * (i % 2))) * approximate(kF32, w);
        } else {
          sum = 0;
          for (unsigned j = 0; j < 2; ++j) {
            const unsigned lane = 16 * (2 * (i % 2) + j);
            sum += approximate(kF16, static_cast<uint32_t>(c.a >> lane) & 0xffff) *
                   approximate(kF16, static_cast<uint32_t>(c.b >> lane) & 0xffff);
          }
          if (contains(name, "acc")) sum = approximate(kF16, static_cast<uint32_t>(c.a >> 16 * i) & 0xffff);
        }
        c.acc.a[i] = addend_for(sum);
      }
      if (contains(name, "axpy") && one_in(2)) {  // the addends are operands
        const double tas = approximate(kF32, c.control.tas);
        c.b = uint64_t{addend_for(tas * approximate(kF32, static_cast<uint32_t>(c.a >> 32)))} << 32 |
              addend_for(tas * approximate(kF32, static_cast<uint32_t>(c.a)));
      }
    }
    return;
  }

  c.number = below(f32 ? 8 : 4);
  const unsigned word = f32 ? c.number / 2 : c.number;
  c.a = f32 ? uint64_t{single()} << 32 | single() : f8 ? bytes() : halves();
  if (!one_in(4)) choose_flavour();
  const double scale = f8 ? std::ldexp(1.0, static_cast<int>((c.control.f8 >> 8 ^ 32) & 63) - 32) : 1.0;
  const bool exchanges = !slim && c.number == 0;  // then the sums to be are in S
  for (unsigned u = 0; u < 16; ++u) {
    uint64_t& w = c.weights[4 * u + word];
    w = f32 ? uint64_t{single()} << 32 | single() : f8 ? bytes() : halves();
    if (!f32 && !f8 && one_in(8)) w = (w & 0xffffffff0000ffffu) | (w & 0xffffu) << 16;
    double sum = 0;
    if (f32) {
      const unsigned lane = 32 * (c.number % 2);
      sum = approximate(kF32, static_cast<uint32_t>(c.a >> lane)) * approximate(kF32, static_cast<uint32_t>(w >> lane));
    } else if (f8) {
      for (unsigned i = 0; i < 8; ++i) {
        sum += approximate((c.control.f8 & 1) != 0 ? kF8e5 : kF8e4, static_cast<uint32_t>(c.a >> 8 * i) & 0xff) *
               approximate((c.control.f8 & 2) != 0 ? kF8e5 : kF8e4, static_cast<uint32_t>(w >> 8 * i) & 0xff) * scale;
      }
    } else {
      for (unsigned i = 0; i < 4; ++i) {
        sum += approximate(kF16, static_cast<uint32_t>(c.a >> 16 * i) & 0xffff) *
               approximate(kF16, static_cast<uint32_t>(w >> 16 * i) & 0xffff);
      }
    }
    // Slim convolution: the addend of a unit is its neighbour's sum, that of the last one comes with p.
    const unsigned from = slim && !(f32 && c.number % 2 == 1) ? u + 1 : u;
    if (from < 16 && !one_in(8)) (exchanges ? c.acc.s : c.acc.a)[from] = addend_for(sum);
    if (!one_in(4)) (exchanges ? c.acc.a : c.acc.s)[u] = partial();
  }
  if (slim) {  // these leave
    for (unsigned channel = 0; channel < 4; ++channel) c.acc.a[4 * channel] = partial();
  }
  choose_flavour();
  c.b = half_in && !contains(name, "si") ? halves() : uint64_t{single()} << 32 | single();
}

}  // namespace tessera::tb
