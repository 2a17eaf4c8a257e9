// A failing case made small.
#pragma once

#include <functional>
#include <string>

#include "tests/libs/popops/generated/case.h"

namespace popops_test {

// The simplest case of the same operator that still fails, of those that come of fewer and smaller choices. `fails` is
// asked some hundred times at most.
Case shrink(const Case& c, bool full, const std::function<bool(const Case&)>& fails);

}  // namespace popops_test
