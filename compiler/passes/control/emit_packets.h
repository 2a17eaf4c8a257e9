// Packets that a tile sends: their descriptions stand in a table (kPacketBytes each), as where a packet begins, its two
// words of header, and how many words it has.
#pragma once

#include <cstdint>

#include "compiler/passes/control/assembler.h"

namespace tessera::compiler {

// Changes t0 to t5 and a0 to a7. The header takes the place of the two words before the payload while a packet leaves.
void emit_sends(ir::BlockId table, std::uint32_t packets, Assembler& code);
// One packet: `pointer` holds where it begins, `header` and `address` what its two words are, `words` how many it has.
// Changes t4 and t5.
void emit_send(unsigned pointer, unsigned header, unsigned address, unsigned words, Assembler& code);

// Of a tile that must not write while packets come: its own have their headers before.
void emit_headers(ir::BlockId table, std::uint32_t packets, Assembler& code);
void emit_made_sends(ir::BlockId table, std::uint32_t packets, Assembler& code);

// The same of so few that what the sends need stays in registers (t1 to t5, a2) from the headers on.
constexpr std::uint32_t kFewPackets = 3;
void emit_few_headers(ir::BlockId table, std::uint32_t packets, Assembler& code);
void emit_few_sends(std::uint32_t packets, Assembler& code);

}  // namespace tessera::compiler
