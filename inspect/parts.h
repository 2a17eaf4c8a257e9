// The parts that look inside a run.
#pragma once

#include "inspect/recorded_run.h"

namespace tessera::inspect {

// For RecordedRun. The made part is null when its options ask for nothing.
// `place`: of the chip in its system.
MakePart part_maker(const spec::Machine& machine, const spec::ChipPlace& place = {});

}  // namespace tessera::inspect
