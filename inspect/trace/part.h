// Trace as a part of a run under inspection.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::trace {

// Null when the options ask for no trace. Throws TraceError or BadOption.
std::unique_ptr<Part> make_part(const Options&, const spec::Machine&, const spec::ChipPlace& = {});

}  // namespace tessera::inspect::trace
