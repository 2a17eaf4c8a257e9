// Blocks that a part of a pass adds while other parts of it run. Every part numbers its own from the same number on;
// once all are done, they join the program's in order of parts, and places in them are moved.
#pragma once

#include "compiler/ir/block.h"

namespace tessera::compiler {

// Turns places of a part into places of the program.
struct BlockShift {
  ir::BlockId first, by;
  ir::Place operator()(ir::Place place) const {
    if (place.block >= first) place.block += by;
    return place;
  }
};

class NewBlocks {
 public:
  // `first`: how many blocks there are already.
  explicit NewBlocks(std::size_t first) : first_(static_cast<ir::BlockId>(first)) {}

  ir::BlockId add(const ir::Block& block) { return first_ + ir::add_block(blocks_, block); }
  ir::Block& operator[](ir::BlockId id) { return blocks_[id - first_]; }

  BlockShift join(ir::Blocks& blocks) const {
    const BlockShift shift{first_, static_cast<ir::BlockId>(blocks.size()) - first_};
    blocks.insert(blocks.end(), blocks_.begin(), blocks_.end());
    return shift;
  }

 private:
  ir::BlockId first_;
  ir::Blocks blocks_;
};

}  // namespace tessera::compiler
