// What carries the words of a channel over lanes that may fail (docs/reference/link.md, Link layer): flits with a
// sequence number and a checksum, asked for again where one is wrong or missing. One channel, both directions.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

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
constexpr unsigned kFlitBits = 36 + 2 + 32 + 32 + 1 + 16;

// What happens to the lanes of one direction, to the flit that leaves in `cycle`.
struct LaneFault {
  enum class Kind : uint8_t { kFlip, kDrop, kDouble, kDown };
  uint64_t cycle = 0;
  unsigned end = 0;  // that it leaves from
  Kind kind = Kind::kFlip;
  uint32_t bit = 0;    // flip: of the flit, modulo kFlitBits
  uint64_t until = 0;  // down: up to this cycle, which is not among them, nothing arrives
};

class LinkLayer {
 public:
  // latency: cycles from a flit at one end to it at the other. dead_after: cycles without any sound flit.
  LinkLayer(uint64_t latency, uint64_t dead_after) : latency_(latency), dead_after_(dead_after) {}

  void add(const LaneFault& fault) { faults_.push_back(fault); }  // by cycle

  // One cycle, in which the chips at both ends show something, or nothing. What the other ends get in it.
  std::array<Symbol, 2> step(const std::array<Symbol, 2>& sent);

  uint64_t cycle() const { return cycle_; }
  bool idle() const;                                      // nothing is on its way
  std::optional<uint64_t> dead() const { return dead_; }  // the cycle in which it was found to be so

  struct Counts {
    uint64_t flits_again = 0;  // sent once more
    uint64_t wrong = 0;        // whose checksum was
    uint64_t missing = 0;      // gaps in the sequence
    uint64_t doubled = 0;      // had come before
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Arriving {
    uint64_t cycle;
    std::vector<Flit> flits;  // none, one, or two
  };
  struct End {
    // Sends.
    std::deque<Symbol> buffer;  // from sequence number `first` on, what the other end may ask for again
    uint32_t first = 0, next = 0;
    uint32_t sent = 0;  // the first that has never been sent
    // Receives.
    uint32_t expects = 0;
    bool asks = false;         // in the flit of this cycle
    uint64_t asked_until = 0;  // not again before this cycle
    uint64_t heard = 0;        // the last sound flit
    std::deque<Arriving> arriving;
  };
  std::vector<Flit> spoil(unsigned end, const Flit&);
  void receive(End&, const Flit&, Symbol& out);
  void ask(End&);

  const uint64_t latency_, dead_after_;
  uint64_t cycle_ = 0;
  std::array<End, 2> ends_;
  std::deque<LaneFault> faults_;
  std::array<uint64_t, 2> down_until_{};
  std::optional<uint64_t> dead_;
  Counts counts_;
};

}  // namespace tessera::link
