#include "sim/engine/rtl_state.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

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

// Whole pages are given back to the system, which gives zeros for them when they are next used: most of a memory is
// never written.
void give_back_zeros(uint8_t* begin, uint8_t* end) {
  static const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(begin) + page - 1) / page * page);
  const auto last = reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(end) / page * page);
  if (first >= last || ::madvise(first, static_cast<size_t>(last - first), MADV_DONTNEED) != 0) {
    std::fill(begin, end, uint8_t{0});
    return;
  }
  std::fill(begin, first, uint8_t{0});
  std::fill(last, end, uint8_t{0});
}

}  // namespace

void check_memory(const TileStorage& tile, const spec::Machine& machine) {
  if (tile.words.size() == machine.elements() && tile.rows * 8 == machine.element_bytes) return;
  throw std::logic_error(
      fmt::format("machine {} has {} memory elements of {} bytes; this tile was verilated with {} of {}", machine.name,
                  machine.elements(), machine.element_bytes, tile.words.size(), tile.rows * 8));
}

void clear_rtl_memory(const TileStorage& tile) {
  std::vector<std::span<uint8_t>> arrays;
  for (uint64_t* words : tile.words) arrays.emplace_back(reinterpret_cast<uint8_t*>(words), 8 * tile.rows);
  for (uint8_t* checks : tile.checks) arrays.emplace_back(checks, tile.rows);
  std::ranges::sort(arrays, {}, [](const auto& array) { return array.data(); });
  for (size_t i = 0; i < arrays.size();) {
    uint8_t* const begin = arrays[i].data();
    uint8_t* end = begin + arrays[i].size();
    for (++i; i < arrays.size() && arrays[i].data() == end; ++i) end += arrays[i].size();
    give_back_zeros(begin, end);
  }
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
