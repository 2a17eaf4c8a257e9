// What the supervisor waits for (tile.md, Sync instruction) and the tile's side of the sync controller's wires.
#pragma once

#include <cstdint>

namespace tessera::model {

enum class Wait : uint8_t { kLocal, kExchange, kInternal, kExternal, kHost, kReceive, kZones, kHsend, kNothing };

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
