// The parts that look inside a run, as far as this build holds them.
#pragma once

#include <memory>

#include "inspect/recorded_run.h"

namespace tessera::machine {

// For RecordedRun. The made part is null when its options ask for nothing; throws BadOption when they ask for a part
// that this build does not hold.
inspect::MakePart part_maker(const spec::Machine& machine);

}  // namespace tessera::machine
