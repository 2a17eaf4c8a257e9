// Passes that a user may leave out, each by an option of the engine (docs/user/options.md). Without them a program is
// compiled step by step, as it is written.
#pragma once

#include <cstdint>

namespace tessera::compiler {

// Equal sequences of steps are held once (outline.h): never, where it costs no cycle, or wherever it makes code
// smaller.
enum class Outlining : std::uint8_t { kOff, kFree, kSmallest };

struct Optimisations {
  bool merge_phases = true;       // exchange phases that do not depend on each other are one
  bool merge_host_phases = true;  // host phases that do not depend on each other are one
  bool share_memory = true;       // variables that are never live together share memory
  bool view_copies = true;        // views.h: a copy that stays equal to its source takes no memory; with share_memory
  bool share_constants = true;    // constants of equal bytes are kept once on a tile
  bool skip_syncs = true;         // tiles without a part in a phase do not wait for it
  bool pair_transfers = true;     // pair_transfers.h: two tiles receive double words together
  bool send_in_place = true;      // plan_packets.h: tiles that get packets send theirs from where the words stand
  bool tile_text = true;          // tile_text.h: a tile's data may lie where text is that only others need
  Outlining outline = Outlining::kFree;

  bool operator==(const Optimisations&) const = default;
};

}  // namespace tessera::compiler
