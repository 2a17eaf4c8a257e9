// What the supervisor waits for (tile.md, Sync instruction) and the tile's side of the sync controller's wires.
#pragma once

#include <array>
#include <bit>
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
  kReplica = spec::SyncZone::kReplica,
  kHsend,
  kNothing
};

struct SyncPort {
  Wait wait = Wait::kNothing;
  uint64_t from = 0;   // first cycle of the wait: issue + 6
  bool value = false;  // contributed
  bool acknowledged = false;
  bool consensus = false;           // CSR xgc
  uint16_t mark = 0;                // CSR xmark
  bool external_phase = false;      // hsend is legal
  uint8_t automatic = 0;            // automatic syncs that are outstanding
  std::array<uint8_t, 8> coming{};  // more of them, by cycle mod 8
  uint64_t lowered = ~uint64_t{0};  // the request is low in this cycle, behind an automatic sync

  bool waits_for_chip() const { return (wait >= Wait::kInternal && wait <= Wait::kHost) || wait == Wait::kReplica; }
  // Has come to a sync of the chip that is not acknowledged, be there automatic ones before it or not.
  bool waits_in(uint64_t cycle) const { return waits_for_chip() && !acknowledged && cycle >= from; }
  // What the port shows.
  bool requests_in(uint64_t cycle) const { return waits_in(cycle) && automatic == 0 && cycle != lowered; }
  bool requests_automatic(uint64_t cycle, bool exchanging) const {
    return automatic != 0 && !exchanging && cycle != lowered;
  }
  // None is outstanding nor coming.
  bool no_automatic() const { return automatic == 0 && std::bit_cast<uint64_t>(coming) == 0; }
  bool many() const { return automatic >= spec::kManyAutomaticSyncs; }

  // A sans issued in `cycle`, in its M.
  void add(uint64_t cycle, uint32_t number) { coming[(cycle + 6) & 7] += static_cast<uint8_t>(number + 1); }
  void begin(uint64_t cycle) {
    automatic += coming[cycle & 7];
    coming[cycle & 7] = 0;
  }
  void begin_all() {
    for (uint64_t cycle = 0; cycle < coming.size(); ++cycle) begin(cycle);
  }
  void acknowledge_automatic(uint64_t cycle) {
    --automatic;
    lowered = cycle + 1;
  }

  // Whether an acknowledgement of `zone` in `cycle` ends the wait; it does: the supervisor may issue in the next.
  bool ends_with(uint64_t cycle, uint8_t zone) const {
    return requests_in(cycle) && zone == static_cast<uint8_t>(wait);
  }
  void acknowledge(bool all, uint16_t host_mark) {
    acknowledged = true;
    consensus = all;
    if (wait == Wait::kHost) mark = host_mark;
    if (wait != Wait::kInternal) external_phase = true;
  }
};

}  // namespace tessera::model
