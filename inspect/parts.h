// The parts that look inside a run.
#pragma once

#include "inspect/recorded_run.h"

namespace tessera::inspect {
namespace gdb {
class SystemDebugger;
}

// For RecordedRun. The made part is null when its options ask for nothing.
// `place`: of the chip in its system. `debugger`: of a system of several chips; not owned, stays longer than the parts.
MakePart part_maker(const spec::Machine& machine, const spec::ChipPlace& place = {},
                    gdb::SystemDebugger* debugger = nullptr);

}  // namespace tessera::inspect
