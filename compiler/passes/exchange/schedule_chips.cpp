#include "compiler/passes/exchange/schedule_chips.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/passes/exchange/pair_transfers.h"
#include "compiler/passes/exchange/schedule_exchange.h"

namespace tessera::compiler {

Schedule schedule_chips(const Traffic& traffic, std::uint32_t chips, const ir::Blocks& blocks,
                        const spec::Machine& machine, bool pair) {
  const auto schedule = [&](Traffic some) {
    return schedule_exchange(pair ? pair_transfers(std::move(some), blocks, machine) : some, machine);
  };
  if (chips == 1) return schedule(traffic);
  const std::uint32_t tiles = machine.tiles();
  std::vector<Traffic> of_chip(chips);
  for (const Transfer& transfer : traffic.transfers) {
    Traffic& own = of_chip[transfer.source / tiles];
    own.transfers.push_back(transfer);
    own.transfers.back().source %= tiles;
    own.transfers.back().first_receiver = static_cast<std::uint32_t>(own.receivers.size());
    for (std::uint32_t r = 0; r < transfer.receivers; ++r) {
      own.receivers.push_back(traffic.receivers[transfer.first_receiver + r]);
      own.receivers.back().tile %= tiles;
    }
  }
  Schedule all;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    Schedule own = schedule(std::move(of_chip[chip]));
    for (Event& event : own.events) {
      event.tile += chip * tiles;
      all.of_tile.add(event.tile, static_cast<std::uint32_t>(all.events.size()));
      all.events.push_back(event);
    }
    all.cycles = std::max(all.cycles, own.cycles);
    all.cycles_of_chip.push_back(own.cycles);
  }
  return all;
}

}  // namespace tessera::compiler
