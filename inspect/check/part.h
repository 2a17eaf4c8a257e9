// The check of memory accesses (memory_watch.h) as a part of a run: at the first finding the run ends, and it is told
// as a failure is.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::check {

std::unique_ptr<Part> make_part(const Options&, const spec::Machine&, const spec::ChipPlace& = {});

}  // namespace tessera::inspect::check
