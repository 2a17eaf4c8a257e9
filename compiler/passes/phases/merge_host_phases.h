// Makes one host phase of several: copies from and to streams of a body that stand side by side, or with copies and
// undefs between them that have nothing to do with them, and of which none needs what another brings.
//
// In a phase all data from the device leaves, then the host takes part in each transfer in the program's order, then
// all data to the device arrives. So callbacks come in the order in which they came before, each with all that
// callbacks before it and the tiles have made, and nobody can tell. What ends a phase: a copy that reads or writes what
// the phase brings, a stream that has a part in it already, PrintTensor, an abort, and every other step. A merged step
// has the names of its parts.
#pragma once

#include "compiler/ir/program.h"

namespace tessera::compiler {

ir::Program merge_host_phases(ir::Program program);

}  // namespace tessera::compiler
