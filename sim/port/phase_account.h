// Divides chip time into phases for the counters: every cycle belongs to exactly one.
//   exchange  from a phase start to the end of the last sequencer
//   transfer  from there to the last word of a packet to or from the host
//   compute   from there to the last sync request
//   sync      from there to the next phase start      host     the same for a host sync, and debug accesses
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/port/chip.h"

namespace tessera::chip {

class PhaseAccount {
 public:
  void reset() { *this = PhaseAccount(); }

  // A sequencer was active in `cycle`.
  void exchanging(uint64_t cycle) { exchange_end_ = std::max(exchange_end_, cycle + 1); }

  // A word of a packet left or reached a tile in `cycle`.
  void transferring(uint64_t cycle) { transfer_end_ = std::max(transfer_end_, cycle + 1); }

  // All tiles requested a sync, the last one in `request`; the next phase starts in `start`.
  void sync(uint64_t request, uint64_t start, bool host) {
    run_until(request);
    (host ? host_ : sync_) += advance(start);
  }

  // Debug accesses took the cycles up to `end`, the chip having run, or begun to wait for the host, in `begin`.
  void debug(uint64_t begin, uint64_t end) {
    run_until(begin);
    host_ += advance(end);
  }

  // Adds the phases up to `now`. `waiting_since`: cycle from which on all tiles wait for the host, or a later one.
  void report(uint64_t now, uint64_t waiting_since, Counters& counters) const {
    PhaseAccount copy = *this;
    copy.run_until(std::min(now, waiting_since));
    copy.host_ += copy.advance(now);
    counters.compute = copy.compute_;
    counters.sync = copy.sync_;
    counters.exchange = copy.exchange_;
    counters.transfer = copy.transfer_;
    counters.host = copy.host_;
  }

  // All that it knows.
  using Numbers = std::array<uint64_t, 8>;
  Numbers numbers() const {
    return {cursor_, exchange_end_, transfer_end_, compute_, sync_, exchange_, transfer_, host_};
  }
  void set_numbers(const Numbers& n) {
    cursor_ = n[0], exchange_end_ = n[1], transfer_end_ = n[2];
    compute_ = n[3], sync_ = n[4], exchange_ = n[5], transfer_ = n[6], host_ = n[7];
  }

 private:
  uint64_t advance(uint64_t to) {
    const uint64_t cycles = to > cursor_ ? to - cursor_ : 0;
    cursor_ += cycles;
    return cycles;
  }
  void run_until(uint64_t to) {
    exchange_ += advance(std::min(to, exchange_end_));
    transfer_ += advance(std::min(to, transfer_end_));
    compute_ += advance(to);
  }

  uint64_t cursor_ = 0, exchange_end_ = 0, transfer_end_ = 0;
  uint64_t compute_ = 0, sync_ = 0, exchange_ = 0, transfer_ = 0, host_ = 0;
};

}  // namespace tessera::chip
