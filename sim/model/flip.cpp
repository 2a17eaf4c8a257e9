#include "sim/model/flip.h"

#include "rtl/spec/instructions.h"
#include "sim/model/csr.h"

namespace tessera::model {
namespace {

void flip_csr(TileState& tile, unsigned context, uint16_t number, uint32_t mask) {
  switch (static_cast<spec::Csr>(number)) {
    case spec::Csr::Xvbase:
      tile.floats[context].vertex_base ^= mask;
      break;
    case spec::Csr::Xgc:
      tile.sync.consensus ^= mask & 1;
      break;
    case spec::Csr::Xmark:
      tile.sync.mark ^= static_cast<uint16_t>(mask);
      break;
    default:
      csr_write(tile, context, number, csr_read(tile, context, number, 0) ^ mask);
      break;
  }
}

}  // namespace

void flip(TileState& tile, const chip::Flip& flip) {
  const auto mask = static_cast<uint32_t>(flip.mask);
  switch (flip.site) {
    case chip::FlipSite::kMemory:
      tile.memory.write_word(flip.address, tile.memory.read_word(flip.address) ^ mask);
      break;
    case chip::FlipSite::kInteger:
      tile.contexts[flip.context].x[flip.address] ^= mask;
      break;
    case chip::FlipSite::kFloat:
      tile.floats[flip.context].f[flip.address] ^= flip.mask;
      break;
    case chip::FlipSite::kCsr:
      flip_csr(tile, flip.context, static_cast<uint16_t>(flip.address), mask);
      break;
    default:
      break;
  }
}

}  // namespace tessera::model
