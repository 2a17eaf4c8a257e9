#include "matmul.h"

#include <cmath>
#include <random>

namespace tessera::bench {
namespace {

constexpr uint32_t kStates = kParameters + 0x40, kList = kParameters + 0x200;

uint32_t round_up(uint32_t address, uint32_t to) { return (address + to - 1) / to * to; }

// Nearest-even rounding of a normal magnitude to f16.
double to_f16(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  const double unit = std::ldexp(1.0, exponent - 11);
  return std::nearbyint(x / unit) * unit;
}

// Bits of a number that the format has: significand bits below the leading one, exponent bias.
uint32_t bits_of(double x, unsigned fraction, int bias, unsigned sign) {
  if (x == 0) return 0;
  int exponent = 0;
  const double m = std::frexp(std::fabs(x), &exponent);
  const uint32_t negative = x < 0 ? 1u << sign : 0;
  if (exponent - 1 + bias <= 0)  // subnormal
    return negative | static_cast<uint32_t>(std::ldexp(std::fabs(x), static_cast<int>(fraction) + bias - 1));
  const auto f = static_cast<uint32_t>(std::ldexp(m * 2 - 1, static_cast<int>(fraction)));
  return negative | static_cast<uint32_t>(exponent - 1 + bias) << fraction | f;
}

}  // namespace

Matmul::Matmul(Element type, unsigned rows, unsigned inner, unsigned columns)
    : type_(type), rows_(rows), inner_(inner), columns_(columns) {
  std::mt19937 random(7);
  // Numbers with few bits in a small range of exponents: sums of doubles are exact, as the engine's are.
  const auto draw = [&](unsigned steps, double unit) {
    return (static_cast<int>(random() % (2 * steps + 1)) - static_cast<int>(steps)) * unit;
  };
  const bool small = type == Element::kF8;
  for (unsigned i = 0; i < rows * inner; ++i) a_.push_back(small ? draw(15, 1.0 / 16) : draw(500, 1.0 / 256));
  for (unsigned i = 0; i < inner * columns; ++i) b_.push_back(small ? draw(15, 1.0 / 16) : draw(500, 1.0 / 512));
  for (unsigned i = 0; i < rows * columns; ++i) c_.push_back(draw(100, 1.0 / 32));
}

std::string Matmul::name() const { return type_ == Element::kF16 ? "f16" : type_ == Element::kF8 ? "f8" : "f32"; }

uint32_t Matmul::c_address() const { return round_up(kRegion1 + rows_ * inner_ * a_bytes(), kPair); }
// A block of rows beyond C is read, and not used, when the last panel jumps on.
uint32_t Matmul::weights_address() const { return round_up(c_address() + rows_ * (columns_ + 16) * c_bytes(), kPair); }

uint32_t Matmul::encode(double x) const {
  if (type_ == Element::kF32) {
    const auto f = static_cast<float>(x);
    uint32_t bits = 0;
    static_assert(sizeof f == sizeof bits);
    __builtin_memcpy(&bits, &f, 4);
    return bits;
  }
  return type_ == Element::kF16 ? bits_of(x, 10, 15, 15) : bits_of(x, 3, 8, 7);
}

Image Matmul::image(const KernelRun& run) const {
  Image image;
  const unsigned size = a_bytes(), blocks = inner_ / inputs(), block_rows = columns_ / 16;
  const auto put = [&](uint32_t address, const std::vector<double>& values) {
    std::vector<uint8_t> bytes;
    for (const double value : values)
      for (unsigned i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(encode(value) >> 8 * i));
    image.bytes(address, bytes.data(), bytes.size());
  };
  put(kRegion1, a_);
  // CW[4u + k]: inputs k * lanes ... of output u.
  std::vector<double> weights;
  for (unsigned n = 0; n < block_rows; ++n)
    for (unsigned k = 0; k < blocks; ++k)
      for (unsigned u = 0; u < 16; ++u)
        for (unsigned i = 0; i < inputs(); ++i) weights.push_back(b_[(k * inputs() + i) * columns_ + 16 * n + u]);
  put(weights_address(), weights);
  for (unsigned r = 0; r < rows_; ++r)
    for (unsigned c = 0; c < columns_; ++c) {
      const uint32_t at = c_address() + (c / 16 * rows_ * 16 + r * 16 + c % 16) * c_bytes();
      const double value = c_[r * columns_ + c];
      if (type_ == Element::kF32) {
        image.word(at, encode(value));
      } else if (c % 2 == 0) {
        image.word(at, bits_of(value, 10, 15, 15) | bits_of(c_[r * columns_ + c + 1], 10, 15, 15) << 16);
      }
    }

  const int a_row = static_cast<int>(inner_ * size / 8),
            c_row = static_cast<int>(2 * c_bytes());  // in units of 8 bytes
  unsigned row = 0;
  for (unsigned w = 0; w < 6; ++w) {
    const auto n = static_cast<int>(rows_ / 6 + (w < rows_ % 6));
    const uint32_t state = kStates + 32 * w, c = c_address() + 8 * static_cast<uint32_t>(c_row) * row;
    image.triple(state, kRegion1 + 8 * static_cast<uint32_t>(a_row) * row, c, c);
    const int values[] = {n - 4,
                          a_row - 3,
                          -(n - 1) * a_row + 1,
                          1 - n * c_row,
                          -(n - 1) * a_row - 3 - 4 * static_cast<int>(blocks - 1),
                          static_cast<int>(rows_) * c_row + 1 - n * c_row};
    for (unsigned i = 0; i < 6; ++i) image.word(state + 8 + 4 * i, static_cast<uint32_t>(values[i]));
    row += static_cast<unsigned>(n);
  }
  uint32_t list = kList;
  const auto add = [&](const char* part) {
    image.word(list, run.entry("matmul_" + name() + "_" + part));
    list += 4;
  };
  for (unsigned n = 0; n < block_rows; ++n) {
    add(n == 0 ? "begin" : "first");
    for (unsigned k = 2; k < blocks; ++k) add("panel");
    add("last");
  }
  image.word(kParameters, weights_address());
  image.word(kParameters + 4, kStates);
  image.word(kParameters + 8, kList);
  image.word(kParameters + 12, list);
  add("end");
  return image;
}

double Matmul::expected(unsigned row, unsigned column) const {
  double sum = c_[row * columns_ + column];
  const double* a = &a_[row * inner_];
  for (unsigned first = 0; first < inner_; first += inputs()) {
    if (type_ == Element::kF32) {
      for (unsigned i = first; i < first + inputs(); ++i)
        sum =
            std::fmaf(static_cast<float>(a[i]), static_cast<float>(b_[i * columns_ + column]), static_cast<float>(sum));
      continue;
    }
    const unsigned lanes = inputs() / 4;
    for (unsigned k = 0; k < 4; ++k) {
      for (unsigned i = first + k * lanes; i < first + (k + 1) * lanes; ++i) sum += a[i] * b_[i * columns_ + column];
      sum = static_cast<float>(sum);
    }
    sum = to_f16(sum);
  }
  return sum;
}

unsigned Matmul::differences(KernelRun& run) const {
  unsigned count = 0;
  for (unsigned r = 0; r < rows_; ++r)
    for (unsigned c = 0; c < columns_; ++c) {
      const uint32_t at = c_address() + (c / 16 * rows_ * 16 + r * 16 + c % 16) * c_bytes();
      uint32_t got = run.word(at & ~3u), want = 0;
      if (type_ == Element::kF32) {
        want = encode(expected(r, c));
      } else {
        got = got >> 8 * (at & 2) & 0xffff;
        want = bits_of(expected(r, c), 10, 15, 15);
      }
      count += got != want;
    }
  return count;
}

}  // namespace tessera::bench
