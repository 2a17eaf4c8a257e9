// Lets transfers from and to the memory of gateways run beside compute: after merge_phases().
//
// Between two steps that are neither copies nor transfers, each transfer goes behind the copies that do not need it,
// so that it stands before the next compute set, with which it shares the time until the next exchange: tiles without a
// part in it wait for nothing. Transfers that come to stand side by side become one step; those of one buffer of which
// one writes only if each word of a row belongs to the same tile in both, which sends in their order.
#pragma once

#include "compiler/ir/program.h"

namespace tessera::compiler {

ir::Program overlap_remote(ir::Program program);

}  // namespace tessera::compiler
