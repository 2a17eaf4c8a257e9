// The chip edge for packets: the exchange block's arbitration and the up and down paths (docs/reference/edge.md).
// Cycles are chip cycles. The block serves one packet at a time, in the order of (request cycle, tile).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rtl/spec/machine.h"
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
    uint64_t cycle = 0;  // B: word i is on the tile's port in cycle + i
    std::vector<uint32_t> words;
  };

  explicit PacketEdge(const spec::Machine& machine) : machine_(machine) {}

  using State = PacketEdgeState;
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

  void reset() { state_ = State(); }
  void attach(HostBus* bus) { bus_ = bus; }

  // The port `packet_request` of a tile rose, or fell, in `cycle`.
  void request(unsigned tile, uint64_t cycle) { state_.queue[{cycle, tile}] = kNever; }
  void withdraw(unsigned tile, uint64_t cycle);

  // The next grant, if it is decided: what tiles show in the cycles up to `known` is known.
  std::optional<Grant> grant(uint64_t known);

  // A word at the host port. Of a packet that no tile means to send there is none; one whose length contradicts its
  // first word, or that broke off, is bad with its last.
  struct Up {
    uint64_t cycle = 0;
    uint32_t data = 0;
    bool last = false, bad = false;
  };
  struct Arrived {
    std::optional<Up> up;
    bool refused = false;  // by the host: the packet has no effect and no response
    std::optional<Response> response;
  };
  // Whether a word on the port `packet out` of this tile in `cycle` is of the packet that is under way; and that word.
  // After the last one the packet's effects take place; a read gives its response.
  bool takes(unsigned tile, uint64_t cycle) const {
    return state_.busy && state_.owner == tile && state_.expected == cycle;
  }
  Arrived word(uint64_t cycle, uint32_t data, bool last);
  // The packet under way broke off: the tile had no word on its port in a cycle up to `known`.
  struct Broken {
    unsigned tile = 0;
    std::optional<Up> up;
  };
  std::optional<Broken> broken(uint64_t known);

  const std::optional<Refusal>& refusal() const { return state_.refusal; }  // the first of all

  // Cycle of the oldest request that waits for a grant.
  std::optional<uint64_t> oldest_request() const;
  bool busy() const { return state_.busy; }

  // The first cycle in which no packet is in flight; meaningless while a request stands or busy().
  uint64_t drained() const { return state_.drained; }

 private:
  bool sound(uint32_t word0) const;
  size_t length(uint32_t word0) const;
  void end(uint64_t at_host);
  void act(uint64_t at_host, Arrived&);

  const spec::Machine machine_;
  HostBus* bus_ = nullptr;
  State state_;
};

}  // namespace tessera::chip
