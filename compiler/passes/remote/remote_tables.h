// What a tile holds for a transfer from or to the memory of a gateway: which words of which row go from or to where.
// Control code (compiler/passes/control/emit_remote.h) makes addresses and packets of it.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/load_data.h"

namespace tessera::compiler {

// Addresses of the tile's rows, two words each: bits 33:2 of the byte address, and bits 39:34 where word 0 of a packet
// has them. Loaded where every transfer is of row 0.
constexpr std::uint32_t kRowAddressBytes = 8;
// Of what is written: address of the payload - 8, word 0, words from the beginning of the row, words of the packet,
// address of the row's address.
constexpr std::uint32_t kRemoteWriteBytes = 20;
// Of what is read: word 0, words from the beginning of the row, address of the row's address; then the request itself,
// of which the first two words are made of these: word 0, address, tile address.
constexpr std::uint32_t kRemoteReadBytes = 24, kRemoteRequestOffset = 12;
// A request of one word that no memory answers: the tile has come to a row that the buffer has not (image.md).
constexpr std::uint32_t kRefusedBytes = 12;

// Of one tile; blocks that are not needed are kNone.
struct RemoteTable {
  ir::BlockId rows = ir::kNone;   // their addresses
  ir::BlockId begin = ir::kNone;  // two words, as a row's: where the buffer begins; with the refused request behind it
  ir::BlockId runs = ir::kNone;
  ir::BlockId confirm = ir::kNone;  // one to be read, and the word behind it in which it arrives
};

struct RemoteTables {
  std::vector<ir::PerTile<RemoteTable>> of_transfer;  // of each host transfer; of one of the host: none
};

// Blocks go to `blocks`, what stands in them when the program is loaded to `load`.
RemoteTables make_remote_tables(const ir::Program& program, ir::Blocks& blocks, LoadData& load);

}  // namespace tessera::compiler
