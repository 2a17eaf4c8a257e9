// All chips of a system as cards in a host, joined by their links, with their gateways and the links of these.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "inspect/links/link_trace.h"
#include "rtl/spec/system.h"
#include "sim/port/chip.h"
#include "systemc/gateway/gateway.h"
#include "systemc/link/chip_rounds.h"
#include "systemc/link/layered_link.h"
#include "systemc/link/link.h"
#include "systemc/machine/card.h"

namespace tessera::machine {

class Rack : public sc_core::sc_module {
 public:
  // What changes the links and the pace of a run; tell: gets a line for each fault of a link (LayeredLink).
  struct Run {
    link::Pace pace;
    std::map<uint32_t, link::LinkFaults> link_faults;  // by link; others are mere latencies
    link::LayeredLink::Tell tell;
    std::string link_trace;  // path (inspect/links/link_trace.h); empty: none
  };
  // chips: by id; not owned. Throws std::runtime_error for a pace that ChipRounds refuses.
  Rack(sc_core::sc_module_name name, const spec::System& system, const std::vector<chip::Chip*>& chips, Run run);

  ~Rack() override;

  Card& card(uint32_t chip) { return *cards_.at(chip); }
  // What the chip reaches; null: it has no gateway.
  const gateway::Gateway* gateway(uint32_t chip) const { return gateway_of_.at(chip); }

  // From an SC_THREAD with a large stack: lets all chips run until none moves (ChipRounds::run). A stop for each.
  std::vector<chip::Stop> run(uint64_t limit, uint64_t budget);
  // Not owned. Is called between the rounds of the chips.
  void look_between(link::BetweenRounds& looker) { rounds_->look_between(looker); }
  // From the next reset on (ChipRounds::share_out).
  void share_out(const link::Sharing& sharing);
  // All of them as after power-up; what is in the memory of gateways stays.
  void reset();
  // What became of the faults of links since it was asked last: a line for each link with new ones.
  std::string link_report();
  // The file of the links is whole. Throws std::runtime_error.
  void finish() {
    if (link_trace_) link_trace_->finish();
  }

 private:
  class Place;
  void join(const spec::System& system, const Run& run);  // several chips, by their links

  std::vector<HostTime> times_;  // by replica that the host deals with by itself; else one
  link::Sharing next_sharing_;
  std::vector<std::unique_ptr<Card>> cards_;
  std::unique_ptr<link::ChipRounds> rounds_;
  std::unique_ptr<inspect::links::LinkTrace> link_trace_;
  std::vector<std::unique_ptr<link::Link>> links_;
  std::vector<std::pair<link::LayeredLink*, uint64_t>> layered_;  // of links_; the faults that were reported
  std::vector<std::unique_ptr<Place>> places_;
  std::vector<std::unique_ptr<gateway::Gateway>> gateways_;
  std::vector<std::unique_ptr<gateway::GatewayLink>> gateway_links_;
  std::vector<const gateway::Gateway*> gateway_of_;  // by chip
};

}  // namespace tessera::machine
