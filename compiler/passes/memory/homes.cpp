#include "compiler/passes/memory/homes.h"

namespace tessera::compiler {

Homes own_homes(std::size_t blocks) {
  Homes homes(blocks);
  for (std::size_t block = 0; block < blocks; ++block) homes[block] = {static_cast<ir::BlockId>(block), 0};
  return homes;
}

bool has_own_memory(const Homes& homes, ir::BlockId block) {
  return block >= homes.size() || homes[block].block == block;
}

ir::Place home_of(const Homes& homes, ir::Place place) {
  while (!has_own_memory(homes, place.block))
    place = {homes[place.block].block, homes[place.block].offset + place.offset};
  return place;
}

}  // namespace tessera::compiler
