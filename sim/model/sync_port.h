// What the supervisor waits for (tile.md, Sync instruction) and the tile's side of the sync controller's wires.
#pragma once

#include <cstdint>

#include "rtl/spec/numbers.h"

namespace tessera::model {

// A zone's number, or what is none.
enum class Wait : uint8_t {
  kLocal = spec::SyncZone::kLocal,
  kExchange = spec::SyncZone::kExchange,
  kInternal = spec::SyncZone::kInternal,
  kExternal = spec::SyncZone::kExternal,
  kHost = spec::SyncZone::kHost,
  kReceive = spec::SyncZone::kReceive,
  kHsend = spec::kSyncZones,
  kNothing
};

struct SyncPort {
  Wait wait = Wait::kNothing;
  uint64_t from = 0;   // first cycle of the wait: issue + 6
  bool value = false;  // contributed
  bool acknowledged = false;
  bool consensus = false;       // CSR xgc
  uint16_t mark = 0;            // CSR xmark
  bool external_phase = false;  // hsend is legal

  bool waits_for_chip() const { return wait >= Wait::kInternal && wait <= Wait::kHost; }
  bool requests_in(uint64_t cycle) const { return waits_for_chip() && !acknowledged && cycle >= from; }

  // An acknowledgement in `cycle`; the supervisor may issue in the next.
  void acknowledge(uint64_t cycle, bool all, uint16_t host_mark) {
    if (!requests_in(cycle)) return;
    acknowledged = true;
    consensus = all;
    if (wait == Wait::kHost) mark = host_mark;
    if (wait != Wait::kInternal) external_phase = true;
  }
};

}  // namespace tessera::model
