// Makes paired transfers of those that gain by it (docs/reference/exchange.md, Paired transfers): double words, which
// take the ports of both tiles of the sender's pair, and those of both of each receiving pair, for half the cycles.
#pragma once

#include "compiler/passes/exchange/exchange_traffic.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// Places in `blocks` keep their alignment to double words wherever the blocks are put. Whose pair is not among the
// receivers gets it to lend its port, if that tile receives nothing itself, or enough others gain by it. In a machine
// without pairs: `traffic`.
Traffic pair_transfers(Traffic traffic, const ir::Blocks& blocks, const spec::Machine& machine);

}  // namespace tessera::compiler
