// What a tile keeps for programs to reach (tile_state.def): registers by name, the bits of each CSR, and where a
// simulation of the RTL holds them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "rtl/spec/instructions.h"

namespace tessera::spec {

enum class TileState : uint8_t {
#define STATE(identifier, module, path, bits, entries) identifier,
#include "rtl/spec/tile_state.def"
  None
};
constexpr size_t kTileStates = static_cast<size_t>(TileState::None);

// Bits of a CSR and of the register that holds them, as in KEPT.
struct KeptBits {
  Csr csr;
  uint8_t lowest, width;
  TileState state;
  uint8_t first, step;
  constexpr uint32_t mask() const { return static_cast<uint32_t>((uint64_t{1} << width) - 1) << lowest; }
};
inline constexpr KeptBits kKeptBits[] = {
#define KEPT(csr, lowest, width, state, first, step) {Csr::csr, lowest, width, TileState::state, first, step},
#include "rtl/spec/tile_state.def"
};

// The bits of a CSR that instructions read back; 0: none.
constexpr uint32_t kept_bits(Csr csr) {
  uint32_t bits = 0;
  for (const KeptBits& kept : kKeptBits)
    if (kept.csr == csr) bits |= kept.mask();
  return bits;
}
// The register whose bits tell of each context whether the CSR was written; None: it needs none.
constexpr TileState written_state(Csr csr) {
  switch (csr) {
#define WRITTEN(csr, state) \
  case Csr::csr:            \
    return TileState::state;
#include "rtl/spec/tile_state.def"
    default:
      return TileState::None;
  }
}

// How long reset lasts (tile.md, Reset) until all that a tile keeps is as it says: the memory of `element_bytes`
// elements with clear_memory_i; registers; and what is not zero then, which is all that a verilated tile needs that has
// just been made.
constexpr unsigned reset_memory_cycles(uint32_t element_bytes) { return 1 + element_bytes / 8; }
inline constexpr unsigned kResetCycles = 1 + 256, kFirstResetCycles = 8;

// Where a verilated tile has its state. For the class Vtile the build makes Vtile_state.h with TileStorage
// tile_storage(Vtile&); settle_tile(Vtile&) and clock_tile(Vtile&), which let a cycle pass; and
// reset_tile(Vtile&, unsigned cycles), which lets cycles of reset pass.
struct TileStorage {
  struct Place {
    void* first = nullptr;  // of unsigned integers as wide as `bytes`
    unsigned bytes = 0;     // 1, 2, 4 or 8
    unsigned entries = 0;   // 1 unless it is an array
  };
  std::array<Place, kTileStates> states{};
  std::vector<uint64_t*> words;  // of each memory element
  std::vector<uint8_t*> checks;  // of each element: a word's eight check bits (tile.md, Parity)
  size_t rows = 0;               // in each of them

  template <class T>
  void put(TileState state, T& first, unsigned entries) {
    static_assert(std::is_unsigned_v<T>);
    states[static_cast<size_t>(state)] = {&first, sizeof(T), entries};
  }
};

}  // namespace tessera::spec
