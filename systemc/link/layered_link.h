// A link whose lanes may fail: what is on its channels goes in flits, which are sent again where they do not arrive
// (docs/reference/link.md, Link layer). Without a fault it is a Link, to the cycle.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "rtl/spec/system.h"
#include "sim/link/link_faults.h"
#include "sim/link/link_layer.h"
#include "sim/link/round_follower.h"
#include "systemc/link/link.h"

namespace tessera::link {

class LayeredLink : public Link, public RoundFollower {
 public:
  using Tell = std::function<void(const std::string& line)>;
  // number: of the link in its system. channels: that it has. tell: gets a line for each given fault when it strikes,
  // and at the run's end (restart, or the link's end) for each that has not.
  LayeredLink(sc_core::sc_module_name name, const spec::Link& link, uint32_t number, unsigned channels,
              LinkFaults faults, Tell tell = {});
  ~LayeredLink() override;

  void follow(uint64_t end) override;
  uint64_t followed() const override { return followed_; }
  bool holds() const override;
  void check(uint64_t cycle) const override;
  void restart() override;

  // Of all channels, since power-up or restart().
  LinkLayer::Counts counts() const;
  // "link 3 (chip 0 port 1, chip 1 port 1)"
  std::string text() const;
  // One line; empty: no fault has struck.
  std::string report() const;

 private:
  struct Channel {
    LinkLayer layer;
    std::array<std::deque<std::pair<uint64_t, Symbol>>, 2> shown;  // by cycle, for the layer to take
  };
  void carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) override;
  void follow(unsigned channel, uint64_t end);
  void call_out(unsigned end, const chip::LinkEvent& event);
  void tell_missed();

  const spec::Link link_;
  const uint32_t number_;
  const unsigned channel_count_;
  LinkFaults faults_;  // given ones by cycle
  const Tell tell_;
  std::vector<Channel> channels_;
  uint64_t followed_ = 0;
  size_t told_ = 0;  // of the given faults
};

}  // namespace tessera::link
