// The fabric of a run as RTL: exchange, sync and edge beside the instances of the tile, of which the chip engine runs
// only those that have something to do. The engine still knows when something comes, since it has to know whom to wake;
// what comes to a tile is the RTL's, and where the two differ, in any cycle that is run, the run ends with
// std::logic_error.
//
// The RTL is evaluated in the cycles in which something may be on its way: from the first change at a tile's ports or
// of the host's until all has become still. Nothing in it depends on the number of cycles in which nothing moves.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/packet_edge.h"

namespace tessera::chip {

class Fabric {
 public:
  Fabric(const spec::Machine&, std::unique_ptr<FabricPins>);

  void reset(uint64_t cycle = 0);

  // What a tile's ports show from `cycle` on, which has not been passed.
  void show(unsigned tile, uint64_t cycle, const TileOutputs&);
  // A response enters at the host port: word i in cycle + i.
  void down(uint64_t cycle, std::span<const uint32_t> words);
  // A word of a packet is to reach the host port.
  void expect(const PacketEdge::Up&);
  void mark(uint64_t cycle, uint16_t value);
  // Of a chip in a system of several. What comes on a channel, and what is to be on one, each by cycle; and the group's
  // answer.
  void join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped);
  void turns(std::span<const unsigned> first) {
    if (place_) pins_->turns(first);
  }
  void link_in(const LinkEvent& event) { state_.link_in.push_back(event); }
  void expect(const LinkEvent& event) { state_.link_out.push_back(event); }
  void group_answer(uint64_t cycle, uint8_t zone, bool consensus);
  void cancel_answers();  // of host and group, that have not come
  // An access of the debug port in the present cycle; and what a read of a tile has given, four cycles later. `select`:
  // spec::DebugSelect.
  void access(uint32_t select, uint32_t address, bool write, uint32_t data);
  uint32_t answer();

  uint64_t cycle() const { return state_.cycle; }
  // To the beginning of `cycle`: all tiles have shown what they show before it. Nothing reaches a tile in the cycles
  // between.
  void run_to(uint64_t cycle);
  // The present cycle's inputs and what follows from them are there to be seen.
  void settle() {
    apply_shown();
    pins_->settle();
  }
  // What a tile gets in the present cycle, in place of what the engine worked out; the two have to be equal.
  void give(unsigned tile, TileInputs&) const;
  // A tile that is not run in the present cycle gets nothing in it. Where gives() is false, no tile gets anything.
  bool gives() const { return pins_->gives(); }
  void check_idle(unsigned tile) const;
  // Whether the host is told of a sync in the present cycle has to be what the engine says.
  void check_host(bool waits) const;

  struct State {
    uint64_t cycle = 0, moved = 0;
    std::vector<TileOutputs> shown, last;  // by tile: in the present cycle; what was told last
    std::map<uint64_t, std::vector<std::pair<unsigned, TileOutputs>>> later;
    std::deque<std::pair<uint64_t, FabricPins::Word>> down;  // by cycle, one after the other
    uint64_t marked = ~0ull;                                 // cycle of the host's answer
    uint16_t mark = 0;
    uint64_t answered = ~0ull;  // cycle of the group's answer
    uint8_t zone = 0;           // of it
    bool consensus = false;
    std::deque<LinkEvent> link_in, link_out;
    bool accessed = false;                                 // in the present cycle
    std::deque<std::pair<uint64_t, FabricPins::Word>> up;  // expected
  };
  struct Snapshot {
    State state;
    Pages pages;
  };
  Snapshot snapshot(size_t& bytes);
  void restore(const Snapshot&);

 private:
  void apply(unsigned tile, const TileOutputs&);
  void apply_shown();
  void step();
  bool expects_link() const { return !state_.link_out.empty() && state_.link_out.front().cycle == state_.cycle; }
  [[noreturn]] void differs(const std::string& what) const;

  const spec::Machine machine_;
  const uint64_t still_;  // cycles after which nothing moves any more
  std::unique_ptr<FabricPins> pins_;
  State state_;
  Pages stored_;
  // What the host has told it.
  struct Place {
    uint32_t chip;
    spec::LinkTables tables;
    Grouped grouped;
  };
  std::optional<Place> place_;
};

}  // namespace tessera::chip
