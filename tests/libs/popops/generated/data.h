// Values of variables at random.
#pragma once

#include <functional>
#include <random>

#include "tests/libs/popops/generated/choices.h"
#include "tests/libs/popops/values.h"

namespace popops_test {

// n elements of a variable. A number of the kind 0 draws the simplest values.
using Data = std::function<Values(std::mt19937_64&, std::uint32_t kind, std::size_t n)>;
constexpr std::uint32_t kKindsOfData = 4;

double fraction(std::mt19937_64& random);  // in [0, 1)
double lowest(Type type);                  // of an integer type or BOOL
double highest(Type type);

// Of any value that the type holds: 1, 2, 3, ...; small whole numbers; of floats also those of all magnitudes, with
// subnormals; infinities, NaNs, zeros of both signs, ends of the range.
Data any_values(Type type);
// Without infinities and NaNs.
Data finite_values(Type type);
// Between two values, both included, of floats with the ends and zeros of both signs more often than by chance.
Data between(Type type, double low, double high);
// Whole numbers between two, both included.
Data whole(double low, double high);
// No two equal: 0, 1, 2, ... in a random order.
Data distinct();

}  // namespace popops_test
