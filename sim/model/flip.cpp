#include "sim/model/flip.h"

#include <stdexcept>
#include <string>

#include "rtl/spec/instructions.h"
#include "rtl/spec/tile_state.h"
#include "sim/model/csr.h"

namespace tessera::model {
namespace {

// What instructions cannot write, and what they can.
void change_csr(TileState& tile, unsigned context, uint16_t number, uint32_t value) {
  switch (static_cast<spec::Csr>(number)) {
    case spec::Csr::Xvbase:
      tile.floats[context].vertex_base = value;
      break;
    case spec::Csr::Xgc:
      tile.sync.consensus = (value & 1) != 0;
      break;
    case spec::Csr::Xmark:
      tile.sync.mark = static_cast<uint16_t>(value);
      break;
    default:
      csr_write(tile, context, number, value);
      break;
  }
}

// Throws std::logic_error when the model does not keep what tile_state.def says that a tile keeps.
void flip_csr(TileState& tile, unsigned context, uint16_t number, uint32_t mask) {
  const uint32_t before = csr_read(tile, context, number, 0);
  change_csr(tile, context, number, before ^ mask);
  const uint32_t kept = spec::kept_bits(static_cast<spec::Csr>(number));
  if (((csr_read(tile, context, number, 0) ^ before) & kept) != (mask & kept))
    throw std::logic_error("fault: the model does not keep these bits of CSR " +
                           std::string(spec::csr_info(number)->name));
}

}  // namespace

void flip(TileState& tile, const chip::Flip& flip) {
  const auto mask = static_cast<uint32_t>(flip.mask);
  switch (flip.site) {
    case chip::FlipSite::kMemory:
      tile.memory.flip_word(flip.address, mask);
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
