// Schedules what every chip exchanges inside itself; chips have nothing to do with each other there.
#pragma once

#include <cstdint>

#include "compiler/passes/exchange/exchange_traffic.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

// `traffic`: of tiles numbered through `chips` chips, each transfer within one of them. Events have the tile's number
// among all and that of their source on its chip. `pair`: makes transfers paired first (pair_transfers.h).
Schedule schedule_chips(const Traffic& traffic, std::uint32_t chips, const ir::Blocks& blocks,
                        const spec::Machine& machine, bool pair);

}  // namespace tessera::compiler
