// Writes the tables of the special functions, one source for RTL (special_pkg.sv, special_table.sv) and model
// (special_tables.h). Usage: generate_special_tables special_pkg.sv special_table.sv special_tables.h
//
// A table has 128 segments; a segment holds the quadratic c0 + c1 t + c2 t^2 in units of 2^-31, 0 <= t < 1 across it.
// The quadratic meets the function at the three Chebyshev nodes, is rounded, and c0 then centres the error of the
// fixed-point evaluation that the hardware makes. docs/reference/special.md says what each table is used for.
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace {

constexpr int kSegments = 128;
constexpr int kStepBits = 25;  // of t
constexpr int kC1Bits = 26, kC2Bits = 20;
constexpr int kLogTurn = 53;  // from this segment on, the logarithms take the significand halved: 1 + 53/128 ~ sqrt 2

// A number of 160 bits; the functions below give nearest rounding, far beyond what the tables keep.
class Real {
 public:
  Real() { mpfr_init2(v_, 160); }
  explicit Real(double x) : Real() { mpfr_set_d(v_, x, MPFR_RNDN); }
  Real(const Real& other) : Real() { mpfr_set(v_, other.v_, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(v_, other.v_, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(v_); }
  mpfr_ptr get() { return v_; }
  mpfr_srcptr get() const { return v_; }

 private:
  mpfr_t v_;
};

template <typename Function, typename... Operands>
Real apply(Function function, const Operands&... operands) {
  Real result;
  function(result.get(), operands.get()..., MPFR_RNDN);
  return result;
}
Real operator+(const Real& a, const Real& b) { return apply(mpfr_add, a, b); }
Real operator-(const Real& a, const Real& b) { return apply(mpfr_sub, a, b); }
Real operator*(const Real& a, const Real& b) { return apply(mpfr_mul, a, b); }
Real operator/(const Real& a, const Real& b) { return apply(mpfr_div, a, b); }
bool is_zero(const Real& a) { return mpfr_zero_p(a.get()) != 0; }

Real ln2() {
  Real result;
  mpfr_const_log2(result.get(), MPFR_RNDN);
  return result;
}

// ln(m) / (m - 1), m = 1 + s or half of it.
Real log_ratio(const Real& s, int segment) {
  const Real d = segment >= kLogTurn ? (s - Real(1)) / Real(2) : s;
  return is_zero(d) ? Real(1) : apply(mpfr_log1p, d) / d;
}

// The x at which the upper tail of the normal distribution is p, 0 < p <= 1/2.
Real upper_quantile(const Real& p) {
  const Real root2 = apply(mpfr_sqrt, Real(2));
  const Real root2pi = apply(mpfr_sqrt, Real(2) * apply(mpfr_acos, Real(-1)));
  // Newton's method from the left of the solution, where the tail is convex, does not overshoot.
  Real x(0);
  for (int i = 0; i < 60; ++i) {
    const Real density = apply(mpfr_exp, Real(-0.5) * x * x) / root2pi;
    const Real step = (Real(0.5) * apply(mpfr_erfc, x / root2) - p) / density;
    x = x + step;
    if (std::fabs(mpfr_get_d(step.get(), MPFR_RNDN)) < 1e-18) break;
  }
  return x;
}

// The table as a function of the position u in segments, 0 <= u <= 128; `segment` is the one that u belongs to (u may
// be its upper end). Values times 2^31 are between `low` and `high`, where the hardware counts on it.
struct Table {
  std::string name;
  std::function<Real(const Real& u, int segment)> value;
  int64_t high = (int64_t{1} << 32) - 1;
};

std::vector<Table> tables() {
  const auto s_of = [](const Real& u) { return u / Real(kSegments); };
  std::vector<Table> all;
  all.push_back({"Exp2", [=](const Real& u, int) { return apply(mpfr_exp2, s_of(u)); }});
  all.push_back({"Ln", [=](const Real& u, int segment) { return log_ratio(s_of(u), segment); }});
  all.push_back({"Log2", [=](const Real& u, int segment) { return log_ratio(s_of(u), segment) / ln2(); }});
  for (const double start : {1.0, 1.5}) {
    all.push_back({start == 1.0 ? "OoxLow" : "OoxHigh",
                   [=](const Real& u, int) { return Real(1) / (Real(start) + s_of(u) / Real(2)); }});
  }
  for (const double scale : {1.0, 2.0}) {
    all.push_back({scale == 1.0 ? "OorxEven" : "OorxOdd",
                   [=](const Real& u, int) { return apply(mpfr_rec_sqrt, Real(scale) * (Real(1) + s_of(u))); }});
  }
  all.push_back({"TanhRatio", [=](const Real& u, int) {
                   const Real z = s_of(u);
                   return is_zero(z) ? Real(1) : apply(mpfr_tanh, z) / z;
                 }});
  for (const int scale : {1, 2, 4, 8}) {
    all.push_back({"Tanh" + std::to_string(scale),
                   [=](const Real& u, int) { return apply(mpfr_tanh, Real(scale) * (Real(1) + s_of(u))); },
                   (int64_t{1} << 31) - 1});
  }
  for (int part = 0; part < 4; ++part) {
    all.push_back({"Gauss" + std::to_string(part), [=](const Real& u, int segment) {
                     const int octave = (part * kSegments + segment) / 16;
                     const Real within = (u - Real(segment & ~15)) / Real(16);
                     const Real p = (Real(1) + within) * Real(std::ldexp(1.0, -2 - octave));
                     return upper_quantile(p) / Real(8);
                   }});
  }
  return all;
}

struct Segment {
  int64_t c0, c1, c2;
};

// What the hardware computes; t in units of 2^-25.
int64_t evaluate(const Segment& s, int64_t t) {
  const int64_t slope = s.c1 + ((s.c2 * t) >> kStepBits);
  return s.c0 + ((slope * t) >> kStepBits);
}

long double in_units(const Real& x) {
  const Real scaled = x * Real(2147483648.0);
  return mpfr_get_ld(scaled.get(), MPFR_RNDN);
}

[[noreturn]] void fail(const Table& table, int segment, const char* what) {
  std::fprintf(stderr, "generate_special_tables: %s segment %d: %s\n", table.name.c_str(), segment, what);
  std::exit(1);
}

Segment fit(const Table& table, int segment, long double& worst) {
  const auto value = [&](long double t) {
    Real u;
    mpfr_set_ld(u.get(), segment + t, MPFR_RNDN);
    return in_units(table.value(u, segment));
  };
  // Divided differences through the Chebyshev nodes.
  long double t[3], f[3];
  for (int k = 0; k < 3; ++k) {
    t[k] = 0.5L + 0.5L * std::cos((2 * k + 1) * std::numbers::pi_v<long double> / 6);
    f[k] = value(t[k]);
  }
  const long double f01 = (f[1] - f[0]) / (t[1] - t[0]);
  const long double f12 = (f[2] - f[1]) / (t[2] - t[1]);
  const long double f012 = (f12 - f01) / (t[2] - t[0]);
  Segment s{0, std::llround(f01 - f012 * (t[0] + t[1])), std::llround(f012)};
  if (std::llabs(s.c1) >= int64_t{1} << (kC1Bits - 1)) fail(table, segment, "c1 is too wide");
  if (std::llabs(s.c2) >= int64_t{1} << (kC2Bits - 1)) fail(table, segment, "c2 is too wide");

  constexpr int kSamples = 16;
  long double least = 1e30L, most = -1e30L;
  int64_t lowest = INT64_MAX, highest = INT64_MIN;  // of the evaluated polynomial without c0
  for (int i = 0; i <= kSamples; ++i) {
    const int64_t at = i == kSamples ? (int64_t{1} << kStepBits) - 1 : (int64_t{i} << kStepBits) / kSamples;
    const int64_t part = evaluate(s, at);
    const long double rest = value(std::ldexp(static_cast<long double>(at), -kStepBits)) - part;
    least = std::fmin(least, rest);
    most = std::fmax(most, rest);
    lowest = std::min(lowest, part);
    highest = std::max(highest, part);
  }
  s.c0 = std::llround((least + most) / 2);
  // The functions are monotonic, so the ends bound them, up to the last unit; two units of slack.
  s.c0 = std::min(s.c0, table.high - 2 - highest);
  s.c0 = std::max(s.c0, 2 - lowest);
  if (s.c0 < 0 || s.c0 >= int64_t{1} << 32) fail(table, segment, "c0 is out of range");
  worst = std::fmax(worst, std::fmax(most - s.c0, s.c0 - least));
  return s;
}

std::string constant_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) && !out.empty()) out += '_';
    out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return out;
}

uint64_t fixed(const Real& x, int bits) {
  const Real scaled = x * Real(std::ldexp(1.0, bits));
  return mpfr_get_ui(scaled.get(), MPFR_RNDN);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: generate_special_tables special_pkg.sv special_table.sv special_tables.h\n");
    return 2;
  }
  const std::vector<Table> all = tables();
  std::vector<Segment> segments;
  std::string bounds;
  for (const Table& table : all) {
    long double worst = 0;
    for (int i = 0; i < kSegments; ++i) segments.push_back(fit(table, i, worst));
    char line[100];
    std::snprintf(line, sizeof line, "//   %-10s %.1Lf\n", table.name.c_str(), worst);
    bounds += line;
    // Four units are 2^-29. The wide segments of Tanh2 are the worst of the functions with a bound.
    if (worst > (table.name.starts_with("Gauss") ? 400.0L : 20.0L)) fail(table, 0, "error above the bound");
  }
  const unsigned long long log2e = fixed(Real(1) / ln2(), 38), ln2_fixed = fixed(ln2(), 55);

  FILE* sv = std::fopen(argv[1], "w");
  FILE* rom = std::fopen(argv[2], "w");
  FILE* header = std::fopen(argv[3], "w");
  if (sv == nullptr || rom == nullptr || header == nullptr) {
    std::fprintf(stderr, "generate_special_tables: cannot write %s, %s and %s\n", argv[1], argv[2], argv[3]);
    return 1;
  }
  const std::string head =
      "// Generated from rtl/float/generate_special_tables.cpp. Largest error by table, in units of 2^-31:\n" + bounds;
  std::fprintf(sv, "%spackage special_pkg;\n", head.c_str());
  std::fprintf(header, "%s#pragma once\n\n#include <cstdint>\n\nnamespace tessera::model::special {\n\n", head.c_str());
  // Enumerations rather than parameters: a design that uses a few of them has no unused parameters to be warned of.
  std::fprintf(sv, "  typedef enum logic [3:0] {\n");
  for (size_t i = 0; i < all.size(); ++i) {
    std::fprintf(sv, "    TABLE_%s = 4'd%zu%s\n", constant_name(all[i].name).c_str(), i, i + 1 < all.size() ? "," : "");
    std::fprintf(header, "inline constexpr unsigned k%s = %zu;\n", all[i].name.c_str(), i);
  }
  std::fprintf(sv, "  } table_e;\n");
  std::fprintf(sv, "  typedef enum logic [6:0] {LOG_TURN = 7'd%d} turn_e;\n", kLogTurn);
  std::fprintf(sv, "  typedef enum logic [63:0] {\n    LOG2E = 64'h%llx,  // 2^-38\n", log2e);
  std::fprintf(sv, "    LN2 = 64'h%llx  // 2^-55\n  } factor_e;\n\n", ln2_fixed);
  std::fprintf(header, "inline constexpr unsigned kLogTurn = %d;\n", kLogTurn);
  std::fprintf(header, "inline constexpr uint64_t kLog2E = 0x%llx;  // 2^-38\n", log2e);
  std::fprintf(header, "inline constexpr int64_t kLn2 = 0x%llx;  // 2^-55\n\n", ln2_fixed);

  std::fprintf(sv, "endpackage\n");

  // A memory that is never written, so that no simulator makes a program of it and synthesis finds a ROM.
  std::fprintf(rom, "%s", head.c_str());
  std::fprintf(
      rom, "// The coefficients of a segment. index_i: table, segment; rise_o: slope (bits 45:20) and curvature.\n");
  std::fprintf(rom, "module special_table (\n    input  logic [10:0] index_i,\n    output logic [31:0] constant_o,\n");
  std::fprintf(rom, "    output logic [45:0] rise_o\n);\n");
  std::fprintf(rom, "  logic [31:0] constants[0:%zu];\n", segments.size() - 1);
  std::fprintf(rom, "  logic [45:0] rises[0:%zu];\n", segments.size() - 1);
  std::fprintf(rom, "  assign constant_o = constants[index_i];\n  assign rise_o = rises[index_i];\n");
  for (size_t i = 0; i < segments.size(); ++i) {
    // Yosys takes 16 s for one block of 4,096 assignments and 1 s for the same in 32.
    if (i % 64 == 0) std::fprintf(rom, "%s  initial begin\n", i > 0 ? "  end\n" : "");
    const uint64_t packed = (static_cast<uint64_t>(segments[i].c1) & ((1u << kC1Bits) - 1)) << kC2Bits |
                            (static_cast<uint64_t>(segments[i].c2) & ((1u << kC2Bits) - 1));
    std::fprintf(rom, "    constants[%zu] = 32'h%08llx;\n", i, static_cast<unsigned long long>(segments[i].c0));
    std::fprintf(rom, "    rises[%zu] = 46'h%012llx;\n", i, static_cast<unsigned long long>(packed));
  }
  std::fprintf(rom, "  end\nendmodule\n");

  std::fprintf(header, "struct Segment {\n  int64_t c0;\n  int32_t c1, c2;\n};\n\n");
  std::fprintf(header, "inline constexpr Segment kSegments[%zu] = {\n", segments.size());
  for (const Segment& s : segments) {
    std::fprintf(header, "    {%lld, %lld, %lld},\n", static_cast<long long>(s.c0), static_cast<long long>(s.c1),
                 static_cast<long long>(s.c2));
  }
  std::fprintf(header, "};\n\n}  // namespace tessera::model::special\n");
  const bool written = std::fclose(sv) == 0 && std::fclose(rom) == 0;
  return std::fclose(header) == 0 && written ? 0 : 1;
}
