// What carries the words of a channel over lanes that may fail (docs/reference/link.md, Link layer): flits with a
// sequence number and a checksum, asked for again where one is wrong or missing. One channel, both directions.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/link/lane_faults.h"
#include "sim/port/link_port.h"

namespace tessera::link {

// What a channel shows in a cycle: a word, credits for each layer, or both.
struct Symbol {
  std::optional<chip::LinkWord> word;
  std::array<bool, 2> credits{};
  bool empty() const { return !word && !credits[0] && !credits[1]; }
};

struct Flit {
  Symbol symbol;          // empty: the lanes only show that they are alive
  uint32_t sequence = 0;  // of the symbol, or of the next one
  uint32_t expects = 0;   // the next one of the other direction; all before it have come
  bool again = false;     // that one, and what follows it, has to be sent again
  uint16_t check = 0;
};
// Of everything but the checksum itself: CRC-16 of CCITT.
uint16_t checksum(const Flit&);

class LinkLayer {
 public:
  // latency: cycles from a flit at one end to it at the other. dead_after: cycles without any sound flit.
  LinkLayer(uint64_t latency, uint64_t dead_after);

  // end: that the flit leaves from.
  void add(unsigned end, const LaneFault& fault) { ends_[end].faults.add(fault); }
  // In both directions. `stream`: of this layer among those that share a seed.
  void add(const RandomFaults& faults, uint64_t stream);

  // One cycle, in which the chips at both ends show something, or nothing. What they get `latency` cycles later: what
  // leaves an end depends on what has come to it, and that on what has left the other so much before.
  std::array<Symbol, 2> step(const std::array<Symbol, 2>& sent);
  uint64_t cycle() const { return cycle_; }  // of the next step
  // Whether what left an end in the last step has left it before.
  bool sent_again(unsigned end) const { return ends_[end].sender.repeats; }

  // Nothing happens before this cycle unless a chip shows something.
  uint64_t rests_until() const;
  // As many steps in which it rests and the chips show nothing.
  void rest(uint64_t until);

  bool undelivered() const;  // something has been shown at one end that does not yet have its cycle at the other

  struct Death {
    uint64_t cycle = 0;  // in which it was found
    unsigned end = 0;    // that nothing comes to
    uint64_t heard = 0;  // the cycle of the last sound flit there
  };
  const std::optional<Death>& death() const { return death_; }

  struct Counts {
    uint64_t faults = 0;
    uint64_t flits_again = 0;  // sent once more
    uint64_t wrong = 0;        // whose checksum was
    uint64_t missing = 0;      // gaps in the sequence
    uint64_t doubled = 0;      // had come before
    Counts& operator+=(const Counts&);
    bool operator==(const Counts&) const = default;
  };
  const Counts& counts() const { return counts_; }

 private:
  // What an end has been told in a cycle, for what it sends from then on.
  struct Told {
    uint64_t cycle = 0;
    uint32_t expects = 0;  // that it says itself
    bool asks = false;
    uint32_t all_before = 0;  // have come to the other end
    bool again = false;
  };
  struct Sender {
    std::deque<Symbol> buffer;  // from sequence number `first` on, what the other end may ask for again
    uint32_t first = 0, next = 0;
    uint32_t sent = 0;  // the first that has never been sent
    uint32_t expects = 0;
    bool asks = false;  // in the flit of this cycle
    bool repeats = false;
    uint64_t down_until = 0;
  };
  struct Receiver {  // `latency` cycles ahead
    uint32_t expects = 0;
    uint64_t asked_until = 0;  // not again before this cycle
    uint64_t heard = 0;        // the last sound flit
  };
  struct End {
    Sender sender;
    Receiver receiver;
    std::deque<Told> told;  // by cycle; what changes nothing is left out
    LaneFaults faults;      // of what leaves it
  };
  struct Arriving {
    Flit flit;
    bool sound = true;
  };
  void listen(End&);
  Flit send(End&, const Symbol&);
  std::vector<Arriving> spoil(End&, const Flit&);
  Symbol receive(unsigned end, const std::vector<Arriving>&);
  bool ask(Receiver&, uint64_t cycle);

  const uint64_t latency_, dead_after_;
  uint64_t cycle_ = 0;
  std::array<End, 2> ends_;
  std::optional<Death> death_;
  Counts counts_;
};

}  // namespace tessera::link
