#include "tb/arithmetic/distribution.h"

#include <mpfr.h>

#include <algorithm>
#include <cmath>

namespace tessera::tb {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double chi_square_p(const std::vector<uint64_t>& counts, const std::vector<double>& probabilities) {
  uint64_t total = 0;
  for (const uint64_t count : counts) total += count;
  double statistic = 0;
  int freedom = -1;
  for (size_t i = 0; i < counts.size(); ++i) {
    const double expected = static_cast<double>(total) * probabilities[i];
    if (expected == 0) {
      if (counts[i] != 0) return 0;
      continue;
    }
    const double difference = static_cast<double>(counts[i]) - expected;
    statistic += difference * difference / expected;
    ++freedom;
  }
  // The upper incomplete gamma function over the complete one.
  mpfr_t a, x, upper, all;
  mpfr_inits2(80, a, x, upper, all, nullptr);
  mpfr_set_d(a, freedom / 2.0, MPFR_RNDN);
  mpfr_set_d(x, statistic / 2, MPFR_RNDN);
  mpfr_gamma_inc(upper, a, x, MPFR_RNDN);
  mpfr_gamma(all, a, MPFR_RNDN);
  mpfr_div(upper, upper, all, MPFR_RNDN);
  const double p = mpfr_get_d(upper, MPFR_RNDN);
  mpfr_clears(a, x, upper, all, nullptr);
  return p;
}

double kolmogorov_smirnov_p(std::vector<float>& sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(static_cast<double>(sample[i]));
    distance = std::max({distance, static_cast<double>(i + 1) / n - f, f - static_cast<double>(i) / n});
  }
  // Limit distribution with Stephens' correction for the size of the sample.
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  if (lambda < 0.2) return 1;
  double p = 0;
  for (int k = 1; k <= 100; ++k) p += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  return std::clamp(p, 0.0, 1.0);
}

}  // namespace tessera::tb
