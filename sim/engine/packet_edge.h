// The chip edge for packets: exchange blocks, the host port's turns and the down path (docs/reference/edge.md).
// Cycles are chip cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/engine/link_edge.h"
#include "sim/port/chip.h"
#include "sim/port/packet_edge_state.h"
#include "sim/port/sync_barrier.h"

namespace tessera::chip {

class PacketEdge {
 public:
  struct Grant {
    unsigned tile = 0;
    uint64_t cycle = 0;  // G
  };
  struct Response {  // a packet on the down path
    unsigned tile = 0;
    uint64_t cycle = 0;  // B: word i is in the tile's register in cycle + i, and on its port before
    std::vector<uint32_t> words;
  };

  explicit PacketEdge(const spec::Machine& machine) : machine_(machine) { reset(); }

  using State = PacketEdgeState;
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

  void reset();
  // As after a reset but for what is left of an edge in which nothing is in flight.
  void rest(const PacketEdgeRest& rest) {
    reset();
    static_cast<PacketEdgeRest&>(state_) = rest;
  }
  void attach(HostBus* bus) { bus_ = bus; }

  // The port `packet_request` of a tile rose, or fell, in `cycle`.
  void request(unsigned tile, uint64_t cycle) { block_of(tile).queue[{cycle, tile}] = kNever; }
  void withdraw(unsigned tile, uint64_t cycle);

  // In these, what tiles show in the cycles up to `known` is known.
  // The next grant, if one is decided.
  std::optional<Grant> grant(uint64_t known);
  // A packet that broke off: its tile had no word on its port. The tile.
  std::optional<unsigned> broken(uint64_t known);
  // The next word at the host port, if it is decided. Of a packet that no tile means to send there is none; one whose
  // length contradicts its first word, or that broke off, is bad with its last. After the last word the packet's
  // effects take place; a read gives its response.
  struct Up {
    uint64_t cycle = 0;
    uint32_t data = 0;
    bool last = false, bad = false;
  };
  struct Passed {
    Up up;
    std::optional<Response> response;
  };
  // until: no word is decided that would be at the host port in a later cycle. links_from: unanswered() will be asked
  // of no earlier cycle.
  std::optional<Passed> pass(uint64_t known, uint64_t until = kNever, uint64_t links_from = kNever);

  // Packets for other chips, which leave their block in a cycle that the links decide (link.md). The first cycle in
  // which a word of one could; kNever: none is first in its block.
  uint64_t link_begins() const;
  // Whether all that blocks may have for them in `cycle` is known.
  bool link_known(uint64_t cycle, uint64_t known) const {
    return known >= cycle || cycle - known + 2 <= machine_.edge_latency;
  }
  // What block `block` has then, and that it leaves.
  LinkEdge::Word link_word(unsigned block, uint64_t cycle) const;
  void link_taken(unsigned block, uint64_t cycle);
  // Whether a read that has left the host port up to `cycle` is unanswered in it.
  bool unanswered(uint64_t cycle) const;

  // Whether a word on the port `packet out` of this tile in `cycle` is of the packet that is under way; and that word.
  // `refused`: with it the packet is refused by the host, it will have no effect and no response. `reads`: with it a
  // read is complete, whose response will come to that tile.
  struct Taken {
    bool refused = false;
    std::optional<unsigned> reads;
  };
  bool takes(unsigned tile, uint64_t cycle) const {
    const State::Block& b = state_.blocks[machine_.block_of(tile)];
    return b.busy && b.owner == tile && b.expected == cycle;
  }
  Taken word(unsigned tile, uint64_t cycle, uint32_t data, bool last);

  const std::optional<Refusal>& refusal() const { return state_.refusal; }  // the first of all

  bool requested() const;  // a request is not granted
  bool busy() const;       // a packet is granted and has not left its block

  // The first cycle in which no packet is in flight; meaningless while a request stands or busy().
  uint64_t drained() const { return state_.drained; }

 private:
  State::Block& block_of(unsigned tile) { return state_.blocks[machine_.block_of(tile)]; }
  // Cycle at the host port, with nothing before it, of a word on a tile's port: one less than edge_latency, which
  // counts from the memory read.
  uint64_t at_host(uint64_t cycle) const { return cycle + machine_.edge_latency - 1; }
  bool sound(uint32_t word0) const;
  size_t length(uint32_t word0) const;
  void end(State::Block&, uint64_t cycle);
  bool choose(uint64_t known, uint64_t until);
  std::optional<Response> act(const State::Packet&, uint64_t cycle, uint64_t links_from);

  const spec::Machine machine_;
  HostBus* bus_ = nullptr;
  State state_;
};

}  // namespace tessera::chip
