// The chip edge for packets: the exchange block's arbitration and the up and down paths (docs/reference/edge.md).
// Cycles are chip cycles. The block serves one packet at a time, in the order of (request cycle, tile).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/port/chip.h"
#include "sim/port/packet_edge_state.h"

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

  // The port `packet_request` of a tile rose in `cycle`.
  void request(unsigned tile, uint64_t cycle) { state_.queue.insert({cycle, tile}); }

  // The next grant, if it is decided: no request before or in cycle `known` is still unheard of.
  std::optional<Grant> grant(uint64_t known);

  // A word on the port `packet out` of the granted tile in `cycle`. After the last one the packet's effects take place;
  // a read gives its response. What the host refuses has no effect and no response.
  std::optional<Response> word(unsigned tile, uint64_t cycle, uint32_t data, bool last);
  bool refused() const { return refused_; }                                 // the packet of the last word()
  const std::optional<Refusal>& refusal() const { return state_.refusal; }  // the first of all

  // Cycle of the oldest request that waits for a grant.
  std::optional<uint64_t> oldest_request() const;
  bool busy() const { return state_.busy; }

  // The first cycle in which no packet is in flight; meaningless while a request waits or busy().
  uint64_t drained() const { return state_.drained; }

 private:
  std::optional<Response> finish(unsigned tile, uint64_t at_host);
  void refuse(const Refusal&);

  const spec::Machine machine_;
  HostBus* bus_ = nullptr;
  State state_;
  bool refused_ = false;
};

}  // namespace tessera::chip
