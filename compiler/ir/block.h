// Blocks: pieces of one tile's memory before they have an address, and places inside them. Every pass before
// allocate() speaks of memory in these terms; afterwards a place is an address. Sizes and offsets are bytes.
//
// Tiles are numbered through all chips: chip * tiles of a chip + tile of the chip.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::ir {

constexpr std::uint32_t kNone = 0xffffffff;

using BlockId = std::uint32_t;

enum class BlockUse : std::uint8_t {
  kVariable,     // the part of a variable or constant that is mapped to the tile
  kVertex,       // vertex states, edge lists, worker lists
  kBuffer,       // gathered inputs, scattered outputs, staging
  kPacket,       // host request packets and tables of the control code
  kStack,        // of the supervisor and the workers
  kControlData,  // words that control code keeps between instructions: counters, return addresses
  kControl,      // control code
  kEvents,       // exchange event lists
};

struct Block {
  std::uint32_t tile = 0;
  std::uint32_t bytes = 0;
  std::uint32_t align = 8;  // a power of two
  BlockUse use = BlockUse::kVariable;
  bool interleaved = false;        // must lie in region 1
  bool copied = false;             // kVariable: a copy of the user's program gives it a value
  std::uint32_t variable = kNone;  // kVariable: whose part it is
  bool operator==(const Block&) const = default;
};

// Grows from pass to pass: a pass adds the blocks that it finds are needed, and changes none.
using Blocks = std::vector<Block>;

inline BlockId add_block(Blocks& blocks, const Block& block) {
  blocks.push_back(block);
  return static_cast<BlockId>(blocks.size() - 1);
}

struct Place {
  BlockId block = 0;
  std::uint32_t offset = 0;
  bool operator==(const Place&) const = default;
};

// Contiguous bytes of one block.
struct Span {
  Place at;
  std::uint32_t bytes = 0;
  bool operator==(const Span&) const = default;
};

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace tessera::ir
