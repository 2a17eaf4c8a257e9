// Executes the list of send and receive events of an exchange phase (exchange.md, Event lists). Mirrors rtl/tile's
// exchange sequencer. All cycles are chip cycles.
#pragma once

#include <array>
#include <cstdint>

#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "sim/model/memory.h"
#include "sim/model/port_fault.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

class ExchangeSequencer {
 public:
  bool idle() const { return state_ == State::kIdle; }
  // Address of the next event to be read while armed, else 0.
  uint32_t armed_event() const { return state_ == State::kArmed ? list_ : 0; }
  bool exchanging() const { return state_ == State::kRunning; }
  // Something is to do in the present cycle.
  bool busy() const { return exchanging() || event_pending_ || selecting_ || sent_[0].valid || sent_[1].valid; }

  // xarm in M of cycle issue + 4.
  void arm(uint32_t list, uint64_t issue);
  // Acknowledgement of zone 2 in `cycle`: offset 0 of the events is cycle + 1.
  void start(uint64_t cycle);
  void stop() { *this = ExchangeSequencer{}; }
  // An exception ends a phase that runs; a list that waits for its start stays.
  void except() {
    if (exchanging()) stop();
    selecting_ = false;
    sent_[0].valid = sent_[1].valid = false;
  }

  // Reads of the cycle, then its write. `use` holds the elements that fetch and data use.
  void read_ports(uint64_t cycle, const spec::TileSite&, const Memory&, MemoryUse& use, PortFault&);
  void write_port(const chip::TileWords&, uint64_t cycle, const spec::TileSite&, bool worker_active, Memory&,
                  MemoryUse& use, PortFault&, chip::PortWrites& written);
  // End of the cycle: what the port shows in the next.
  void advance(const spec::TileSite&, chip::TileOutputs& next) const;

 private:
  enum class State : uint8_t { kIdle, kArmed, kRunning };
  using Pair = spec::PairedReceive;
  struct Word {  // or a double word
    bool valid = false, paired = false;
    uint64_t data = 0;
  };
  struct Place {
    uint32_t address = 0;
    Pair pair = Pair::kNone;
  };
  // A word that is asked for in a cycle comes at most so many cycles later.
  static constexpr unsigned kWay = 64;

  void read_event(const Memory&, MemoryUse& use, PortFault&);
  void execute(uint64_t cycle, const spec::TileSite&, const Memory&, MemoryUse& use, PortFault&);

  State state_ = State::kIdle;
  bool event_pending_ = false;  // event 0 is still to be read
  bool last_done_ = false;
  uint16_t source_ = chip::kNoTile;
  uint32_t list_ = 0;  // next event to read
  uint64_t event_ = 0;
  uint64_t at_ = 0;  // cycle in which event_ executes, or is read first
  uint32_t send_address_ = 0, send_left_ = 0;
  bool send_paired_ = false;
  uint32_t receive_address_ = 0, receive_left_ = 0;
  Pair receive_pair_ = Pair::kNone;
  bool receive_begins_ = false;       // in the present cycle
  bool paired_ = false;               // halves of double words may come
  chip::TileWords held_;              // words of the cycle before, of which one half may be
  bool selecting_ = false;            // a receive used this cycle: the select shows in the next
  Word sent_[2];                      // [0] newest
  uint64_t asked_ = 0;                // bit cycle mod 64: a word was asked for then that has not come
  std::array<Place, kWay> places_{};  // and where it goes
  bool lands_ = false;                // one comes in the present cycle
  Place place_;
};

}  // namespace tessera::model
