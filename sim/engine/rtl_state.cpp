#include "sim/engine/rtl_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace tessera::chip {
namespace {

using spec::TileState;
using spec::TileStorage;

template <class Change>
void change(const TileStorage& tile, TileState state, unsigned entry, Change by) {
  const auto& place = tile.states[static_cast<size_t>(state)];
  const auto at = [&](auto* first) {
    first[entry] = static_cast<std::remove_pointer_t<decltype(first)>>(by(first[entry]));
  };
  switch (place.bytes) {
    case 1:
      return at(static_cast<uint8_t*>(place.first));
    case 2:
      return at(static_cast<uint16_t*>(place.first));
    case 4:
      return at(static_cast<uint32_t*>(place.first));
    default:
      return at(static_cast<uint64_t*>(place.first));
  }
}

void flip_bits(const TileStorage& tile, TileState state, unsigned entry, uint64_t mask) {
  change(tile, state, entry, [&](uint64_t bits) { return bits ^ mask; });
}

bool is_array(const TileStorage& tile, TileState state) { return tile.states[static_cast<size_t>(state)].entries > 1; }

// A CSR that no instruction of the context has written reads 0, whatever its register holds.
void count_as_written(const TileStorage& tile, spec::Csr csr, unsigned context) {
  const TileState written = spec::written_state(csr);
  if (written == TileState::None) return;
  bool before = false;
  change(tile, written, 0, [&](uint64_t contexts) {
    before = (contexts >> context & 1) != 0;
    return contexts | uint64_t{1} << context;
  });
  if (before) return;
  for (const auto& kept : spec::kKeptBits)
    if (kept.csr == csr) change(tile, kept.state, context, [](uint64_t) { return 0; });
}

void flip_csr(const TileStorage& tile, unsigned context, spec::Csr csr, uint32_t mask) {
  count_as_written(tile, csr, context);
  for (const auto& kept : spec::kKeptBits) {
    if (kept.csr != csr) continue;
    const uint64_t bits = (mask & kept.mask()) >> kept.lowest;
    flip_bits(tile, kept.state, is_array(tile, kept.state) ? context : 0, bits << (kept.first + kept.step * context));
  }
}

}  // namespace

void check_memory(const TileStorage& tile, const spec::Machine& machine) {
  if (tile.words.size() == machine.elements() && tile.rows * 8 == machine.element_bytes) return;
  throw std::logic_error(
      fmt::format("machine {} has {} memory elements of {} bytes; this tile was verilated with {} of {}", machine.name,
                  machine.elements(), machine.element_bytes, tile.words.size(), tile.rows * 8));
}

void clear_rtl_memory(const TileStorage& tile) {
  // Most of a memory has never been written: what is zero stays untouched, so that the system need not hold it.
  const auto clear = [](uint8_t* bytes, size_t count) {
    constexpr size_t kPage = 4096;
    static constexpr std::array<uint8_t, kPage> kZero{};
    for (size_t at = 0; at < count; at += kPage) {
      const size_t size = std::min(kPage, count - at);
      if (std::memcmp(bytes + at, kZero.data(), size) != 0) std::memset(bytes + at, 0, size);
    }
  };
  for (uint64_t* words : tile.words) clear(reinterpret_cast<uint8_t*>(words), 8 * tile.rows);
  for (uint8_t* checks : tile.checks) clear(checks, tile.rows);
}

uint64_t rtl_state(const TileStorage& tile, TileState state, unsigned entry) {
  const auto& place = tile.states[static_cast<size_t>(state)];
  switch (place.bytes) {
    case 1:
      return static_cast<const uint8_t*>(place.first)[entry];
    case 2:
      return static_cast<const uint16_t*>(place.first)[entry];
    case 4:
      return static_cast<const uint32_t*>(place.first)[entry];
    default:
      return static_cast<const uint64_t*>(place.first)[entry];
  }
}

void flip_rtl_state(const TileStorage& tile, const spec::Machine& machine, const Flip& flip) {
  const unsigned index = flip.context << 5 | flip.address;  // of a register
  switch (flip.site) {
    case FlipSite::kMemory:
      rtl_memory_row(tile, machine, flip.address).word ^= (flip.mask & 0xffffffff) << (8 * (flip.address & 4));
      break;
    case FlipSite::kInteger:
      flip_bits(tile, TileState::Integers, index, flip.mask);
      break;
    case FlipSite::kFloat:
      flip_bits(tile, TileState::Floats, index, flip.mask);
      // What is on its way into the register has been written for whoever looks (register_file_float.sv).
      if (rtl_state(tile, TileState::LateFloat) != 0 && rtl_state(tile, TileState::LateFloatIndex) == index)
        flip_bits(tile, TileState::LateFloatData, 0, flip.mask);
      break;
    case FlipSite::kCsr:
      flip_csr(tile, flip.context, static_cast<spec::Csr>(flip.address), static_cast<uint32_t>(flip.mask));
      break;
    default:
      break;
  }
}

}  // namespace tessera::chip
