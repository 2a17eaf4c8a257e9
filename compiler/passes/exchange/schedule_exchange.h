// Gives every transfer of an exchange phase its time.
//
// A transfer sent in cycle S is received in S + L(source, receiver) by all its receivers; a tile sends one transfer and
// receives one at a time and executes one event a cycle. The transfer whose ports have most left to do goes next, to
// the first gap that all of them share. Runs over 16,383 words are cut, gaps over 4,095 cycles get pure delay events. A
// paired transfer takes the ports of both tiles of its sender's pair.
#pragma once

#include <string>

#include "compiler/passes/exchange/exchange_traffic.h"
#include "compiler/passes/memory/layout.h"
#include "rtl/spec/machine.h"

namespace tessera::compiler {

Schedule schedule_exchange(const Traffic& traffic, const spec::Machine& machine);

// One line an event: "tile 3 @17 send block 2+0 x 4".
std::string dump(const Schedule& schedule);

// The event list of `tile` as it stands in memory (low word, high word of each event); empty if it has none.
std::vector<std::uint32_t> encode_events(const Schedule& schedule, std::uint32_t tile, const Layout& layout);

}  // namespace tessera::compiler
