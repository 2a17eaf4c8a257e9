// A machine description: every size and latency of a chip, read from rtl/spec/machines/*.toml. Units: bytes, cycles,
// words of 32 bits where a name says words. See docs/reference/{tile,exchange,edge}.md for what each number means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

namespace tessera::spec {

// The numbers of a machine, in the order of the identity registers (edge.md). One line here, one line in each base
// description.
#define TESSERA_MACHINE_FIELDS(FIELD) \
  FIELD(rows)                         \
  FIELD(columns)                      \
  FIELD(lanes)                        \
  FIELD(clock_hz)                     \
  FIELD(memory_base)                  \
  FIELD(memory_bytes)                 \
  FIELD(element_bytes)                \
  FIELD(region1_base)                 \
  FIELD(workers)                      \
  FIELD(sync_request)                 \
  FIELD(sync_acknowledge)             \
  FIELD(external_request)             \
  FIELD(external_acknowledge)         \
  FIELD(edge_latency)                 \
  FIELD(exchange_blocks)              \
  FIELD(block_packets)                \
  FIELD(links)                        \
  FIELD(link_words)                   \
  FIELD(link_packets)                 \
  FIELD(pcie_latency)                 \
  FIELD(pcie_words_per_cycle)         \
  FIELD(host_turnaround)              \
  FIELD(compute_budget)

// The memory of a tile: what its hardware is made for. Machines of equal geometry have the same tile.
struct TileGeometry {
  uint32_t memory_base = 0, memory_bytes = 0, element_bytes = 0, region1_base = 0;
  bool operator==(const TileGeometry&) const = default;
};

constexpr unsigned kSyncFan = 4;  // what one node of the trees of sync joins

struct Machine {
  std::string name;
#define FIELD(f) uint32_t f = 0;
  TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD

  unsigned tiles() const { return rows * columns * lanes; }
  // Cycles from a word on the port of tile `source` to it in the input register of `destination`: L of exchange.md.
  unsigned latency(unsigned source, unsigned destination) const;
  // Cycles from a selection on the port of `destination` to the first word of whom it selects in its register: W of
  // exchange.md.
  unsigned select_latency(unsigned destination) const { return 11 + 2 * (destination / (lanes * columns)); }
  // Cycles from a send event at `source` to the receive event at `destination` that takes its words: below 0 where the
  // selection goes further than the words.
  int receive_offset(unsigned source, unsigned destination) const {
    return static_cast<int>(latency(source, destination)) + 1 - static_cast<int>(select_latency(destination));
  }
  // Whether tiles stand in pairs, which share their ports in paired transfers (exchange.md): lanes 0 and 2, and 1
  // and 3.
  bool pairs() const { return lanes == 4; }
  static constexpr unsigned pair_of(unsigned tile) { return tile ^ kUpperOfPair; }
  // By whose port `tile` gets its half of what the pair of `source` sends, and whether that comes before the other
  // half.
  static constexpr unsigned pair_port(unsigned source, unsigned tile) {
    return (source & ~kUpperOfPair) | (tile & kUpperOfPair);
  }
  bool is_early(unsigned source, unsigned tile) const {
    const unsigned other = pair_of(tile);
    return latency(pair_port(source, tile), tile) < latency(pair_port(source, other), other);
  }
  // Exchange blocks share the tiles in their order, two a block at least and the last perhaps with fewer (edge.md).
  unsigned block_tiles() const { return std::max(2u, (tiles() + exchange_blocks - 1) / exchange_blocks); }
  unsigned blocks() const { return (tiles() + block_tiles() - 1) / block_tiles(); }
  unsigned block_of(unsigned tile) const { return tile / block_tiles(); }
  TileSite site(unsigned tile) const {
    return {.in_pair = pairs(), .select_latency = select_latency(tile), .tile_id = tile};
  }
  // Registers of the trees that gather requests of sync and scatter acknowledgements: levels of nodes of kSyncFan each.
  unsigned sync_levels() const;
  unsigned min_latency() const;  // over all pairs: one more than simulators look ahead
  unsigned elements() const { return memory_bytes / element_bytes; }
  // Memory element that holds an address (tile.md, Memory); the address must be inside the memory.
  unsigned element_of(uint32_t address) const;
  unsigned row_of(uint32_t address) const;  // the 64-bit word of that element
  uint32_t memory_end() const { return memory_base + memory_bytes; }
  TileGeometry geometry() const { return {memory_base, memory_bytes, element_bytes, region1_base}; }
  uint64_t hash() const;  // of every number; names files that fit only this machine
};

struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// By name ("mk2-16") from the machines folder, or by path (ends in .toml). Throws MachineError with one line.
Machine load_machine(const std::string& name_or_path);
// A machine from the text of a description; `base` lines are looked up in the machines folder.
Machine parse_machine(const std::string& text);
// Folder of the descriptions: $TESSERA_ROOT/share/tessera/machines, that of the installation this belongs to, or the
// source tree's.
std::string machines_folder();
std::vector<std::string> machine_names();  // of that folder, sorted
// The same for descriptions of another kind, which lie beside them: "systems".
std::string descriptions_folder(const std::string& kind);
std::vector<std::string> description_names(const std::string& kind);
// Names and values in table order.
std::vector<std::pair<std::string, uint32_t>> machine_fields(const Machine&);

}  // namespace tessera::spec
