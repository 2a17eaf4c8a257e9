// Makes one exchange phase of several. Copies, gathers and scatters of a body are moved over steps that they do not
// depend on, and those that meet become one exchange (phase_order.h). A copy that reads what another has just written
// reads that one's source instead (forward_copies.h); moves whose bytes are written again before anybody reads them go.
//
// Nobody can tell: steps that the host takes part in and syncs are fences, nothing leaves the body it stands in, and
// what a step reads was written by the same copies and vertices as before. A merged step has the names of its parts.
#pragma once

#include "compiler/ir/program.h"

namespace tessera::compiler {

ir::Program merge_phases(ir::Program program);

}  // namespace tessera::compiler
