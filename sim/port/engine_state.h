// What ChipEngine knows between two calls besides its tiles, as plain data: copying it is half a snapshot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "sim/port/flip.h"
#include "sim/port/link_port.h"
#include "sim/port/next_inputs.h"
#include "sim/port/phase_account.h"
#include "sim/port/sync_barrier.h"
#include "sim/port/tile_port.h"

namespace tessera::chip {

struct DownWord {  // on its way to a tile's port `packet in`
  uint64_t cycle;  // in which it is there
  uint32_t data;
  bool first;
};

// Words on their way to one tile, by cycle: packets as they came, and single words. Copies share what packets hold; an
// empty one holds nothing.
class DownWords {
 public:
  bool empty() const { return next_ == parts_.size(); }
  DownWord front() const {
    const Part& part = parts_[next_];
    if (part.words == nullptr) return part.one;
    return {part.one.cycle + at_, (*part.words)[at_], at_ == 0};
  }
  // A packet whose first word is there in `cycle`, behind all others.
  void push_packet(uint64_t cycle, std::vector<uint32_t> words) {
    if (!words.empty())
      parts_.push_back({{cycle, 0, true}, std::make_shared<const std::vector<uint32_t>>(std::move(words))});
  }
  // Behind those of its cycle, between packets.
  void insert(const DownWord& word) {
    auto behind = parts_.end();
    while (behind != begin() && std::prev(behind)->one.cycle > word.cycle) --behind;
    parts_.insert(behind, {word, nullptr});
  }
  void pop_front() {
    if (parts_[next_].words != nullptr && ++at_ < parts_[next_].words->size()) return;
    at_ = 0;
    parts_[next_].words = nullptr;
    if (++next_ < parts_.size() && next_ < kMostGone) return;
    parts_.erase(parts_.begin(), begin());
    next_ = 0;
  }
  void clear() { *this = DownWords(); }
  size_t bytes() const { return parts_.size() * sizeof(Part); }  // that are not shared

 private:
  struct Part {
    DownWord one;  // the word, or cycle of the packet's first
    std::shared_ptr<const std::vector<uint32_t>> words;
  };
  static constexpr size_t kMostGone = 256;
  std::vector<Part>::iterator begin() { return parts_.begin() + static_cast<std::ptrdiff_t>(next_); }

  std::vector<Part> parts_;
  size_t next_ = 0, at_ = 0;  // of the packet in front: words that are gone
};

struct Selection {  // a change of it
  uint64_t from;    // first cycle whose input is of the source
  uint16_t source;  // kNoTile: none
};

struct Arrived {  // what the tile's input register holds in a cycle; of observed tiles
  uint64_t cycle = kNever;
  TileWords words;
  uint16_t source = kNoTile, pair_source = kNoTile;
};

struct TilePlace {                    // of one tile in the chip
  TileOutputs out;                    // ports in cycle `local`
  uint64_t local = 0;                 // next cycle to step
  uint16_t select = kNoTile;          // whose words are on the input
  std::vector<Selection> selections;  // what the port exchange_select showed since, until words follow it
  bool hears_pair = false;            // in cycle `local` it gets what the other tile of its pair gets
  uint16_t latency_of = kNoTile;
  unsigned latency = 0;  // from latency_of
  bool awake = false;
  bool requested = false;     // port packet_request in cycle `local`
  bool packet_open = false;   // granted, last word not seen
  unsigned awaits = 0;        // reads whose response is not on its way yet: the tile may not run alone
  bool refused = false;       // host memory has refused its packet: it stands still, but for debug accesses
  bool may_send = false;      // it has requested no internal sync since an external acknowledgement
  uint64_t joined_until = 0;  // before this cycle the tile may not run alone
  uint64_t grant = kNever;
  uint64_t phase_start = 0;  // for the budget
  DownWords down;
  Arrived arrived;
  std::vector<Flip> faults;  // of words to come

  void forget_inputs() {
    grant = kNever;
    down.clear();
  }
  // Whose words are on the input in a cycle from the last one on that the tile was given inputs of.
  uint16_t selected(uint64_t cycle) const {
    uint16_t source = select;
    for (const Selection& s : selections)
      if (s.from <= cycle) source = s.source;
    return source;
  }
  uint64_t next_input() const { return std::min(grant, down.empty() ? kNever : down.front().cycle); }
};

struct EngineState {
  explicit EngineState(unsigned tiles) : barrier_(tiles), inputs_(tiles) {}

  SyncBarrier barrier_;
  PhaseAccount phases_;
  std::vector<unsigned> awake_;  // ids, ascending
  NextInputs inputs_;            // of tiles: grants and packet words to come
  uint64_t now_ = 0;
  uint64_t evaluated_ = 0;
  uint64_t supersteps_ = 0;
  SyncBarrier::Complete sync_;  // valid while ack_ or notify_ is set
  uint64_t ack_ = kNever;       // A of the sync under way
  uint64_t notify_ = kNever;    // cycle of the host's notification
  uint64_t leaves_ = kNever;    // cycle in which a request of a group leaves the chip
  bool left_ = false;           // run() has returned kGroupSync
  bool notified_ = false;       // run() has returned kHostSync
  uint16_t mark_ = 0;
  uint64_t link_cycle_ = 0;           // the next one of the links
  std::vector<unsigned> down_tiles_;  // by block: whom the packet that goes down is for; kNoTile: none goes
  std::deque<LinkEvent> link_in_;     // by cycle
  std::vector<LinkEvent> link_out_;
  uint64_t stood_at_ = 0;  // the superstep that run() returned kSuperstep for last
};

}  // namespace tessera::chip
