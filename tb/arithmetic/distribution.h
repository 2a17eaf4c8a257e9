// Tests of a sample against a distribution.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tessera::tb {

double normal_cdf(double x);

// The probability of a chi-square statistic at least as large as that of these counts, when the bins have the given
// probabilities. Bins of probability 0 must have counts of 0.
double chi_square_p(const std::vector<uint64_t>& counts, const std::vector<double>& probabilities);

// The probability of a largest distance between sample and distribution function (Kolmogorov, Smirnov) at least as
// large as that of this sample, which is sorted on the way.
double kolmogorov_smirnov_p(std::vector<float>& sample, const std::function<double(double)>& cdf);

}  // namespace tessera::tb
