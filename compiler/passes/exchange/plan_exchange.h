// Decides who sends which words to whom: turns the moves of an exchange into local copies, one phase of transfers and
// local copies again.
//
// Words that several tiles need are sent once. What stays on its tile is sent too where that saves the copies, which
// all tiles would wait for. Many small pieces between two tiles are packed into one message. A move that does not cover
// whole words is sent as the words around it and put in place by a copy on the receiving tile.
#pragma once

#include <string>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/exchange/exchange_traffic.h"
#include "compiler/passes/exchange/local_copy.h"
#include "compiler/passes/exchange/plan_packets.h"

namespace tessera::compiler {

// Traffic, or packets to other chips.
struct ExchangePlan {
  LocalCopies before, after;
  Traffic traffic;
  std::vector<PacketRound> rounds{};
  std::vector<std::uint32_t> makers{};  // of packets: tiles that make theirs before each round, ascending
};

struct Plans {
  std::vector<ExchangePlan> exchanges;  // as in the program
  std::vector<LocalCopies> host_after;  // of each host transfer
  std::vector<ApartInPackets> apart{};
};

// Adds staging blocks to `blocks`, which begins with those of the program. `threads`: as in parallel.h.
ExchangePlan plan_exchange(const ir::Exchange& exchange, ir::Blocks& blocks);
Plans plan_exchanges(const ir::Program& program, ir::Blocks& blocks, unsigned threads = 1, bool send_in_place = true);

// Copies and transfers of each exchange, one line each. Places are written as tile:block+offset.
std::string dump(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks);

}  // namespace tessera::compiler
