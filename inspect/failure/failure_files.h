// What a failure leaves in the folder of the option on-failure: failure.fst with failure.gtkw, and failure.trace, of
// the last supersteps of the tiles involved, and report.txt.
#pragma once

#include <string>
#include <vector>

#include "inspect/options.h"
#include "inspect/run.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {

// Returns lines that name what was left or say why something was not; the run is at its end again.
std::string leave_files(Run&, const Options&, const spec::Machine&, const spec::ChipPlace&,
                        const std::vector<unsigned>& tiles, const std::string& report);

}  // namespace tessera::inspect::failure
