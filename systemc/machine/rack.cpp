#include "systemc/machine/rack.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace tessera::machine {

// One chip among the others.
class Rack::Place : public pcie::Neighbours {
 public:
  Place(link::ChipRounds& rounds, uint32_t chip) : rounds_(rounds), chip_(chip) {}
  uint64_t before_access(uint64_t cycles) override { return rounds_.before_access(chip_, cycles); }
  uint64_t latest() const override { return rounds_.latest(chip_); }
  void call(const std::function<void()>& act) override { rounds_.call(chip_, act); }

 private:
  link::ChipRounds& rounds_;
  const uint32_t chip_;
};

Rack::Rack(sc_core::sc_module_name name, const spec::System& system, const std::vector<chip::Chip*>& chips, Run run)
    : sc_module(name), times_(chips.size()) {
  for (size_t c = 0; c < chips.size(); ++c)
    cards_.push_back(std::make_unique<Card>(("card" + std::to_string(c)).c_str(), *chips[c], times_[0]));
  gateway_of_.resize(chips.size());
  for (uint32_t g = 0; g < system.gateways.size(); ++g) {
    const std::string gateway_name = "gateway" + std::to_string(g);
    auto& made = *gateways_.emplace_back(
        std::make_unique<gateway::Gateway>(gateway_name.c_str(), system, g, cards_.front()->clock));
    const std::vector<uint32_t>& its_chips = system.gateways[g].chips;
    for (size_t i = 0; i < its_chips.size(); ++i) {
      cards_[its_chips[i]]->endpoint.remote.bind(made.chips[i]);
      gateway_of_[its_chips[i]] = &made;
    }
  }
  for (uint32_t l = 0; l < system.gateway_links.size(); ++l) {
    const spec::GatewayLink& link = system.gateway_links[l];
    const std::string link_name = "gateway_link" + std::to_string(l);
    auto& made = *gateway_links_.emplace_back(std::make_unique<gateway::GatewayLink>(link_name.c_str(), link.latency));
    for (unsigned e = 0; e < 2; ++e) {
      gateway::Gateway& at = *gateways_[link.ends[e]];
      at.link_out[at.place_of(l)].bind(made.ends[e].in);
      made.ends[e].out.bind(at.link_in[at.place_of(l)]);
    }
  }
  rounds_ = std::make_unique<link::ChipRounds>("rounds", system, chips, cards_.front()->clock, run.pace);
  if (!run.link_trace.empty()) {
    link_trace_ = std::make_unique<inspect::links::LinkTrace>(run.link_trace, system);
    for (const auto& gateway : gateways_) gateway->watch(*link_trace_);
  }
  if (chips.size() > 1) join(system, run);
  if (!link_trace_) return;
  rounds_->accompany(*link_trace_);  // behind the links, which call out to it
  rounds_->watch(*link_trace_);
}

void Rack::join(const spec::System& system, const Run& run) {
  for (uint32_t c = 0; c < cards_.size(); ++c) {
    places_.push_back(std::make_unique<Place>(*rounds_, c));
    cards_[c]->endpoint.stand_among(*places_.back());
  }
  for (const spec::Link& link : system.links) {
    const auto number = static_cast<uint32_t>(links_.size());
    const std::string link_name = "link" + std::to_string(number);
    if (const auto faults = run.link_faults.find(number); faults != run.link_faults.end()) {
      auto layered = std::make_unique<link::LayeredLink>(
          link_name.c_str(), link, number, system.chips[link.ends[0].chip].link_words, faults->second, run.tell);
      rounds_->accompany(*layered);
      layered_.emplace_back(layered.get(), 0);
      links_.push_back(std::move(layered));
    } else {
      links_.push_back(std::make_unique<link::Link>(link_name.c_str(), link.latency));
    }
    link::Link& made = *links_.back();
    if (link_trace_) made.watch(*link_trace_, number);
    for (unsigned e = 0; e < 2; ++e) {
      link::ChipPort& port = rounds_->port(link.ends[e]);
      port.out.bind(made.ends[e].in);
      made.ends[e].out.bind(port.in);
    }
  }
}

Rack::~Rack() = default;

std::vector<chip::Stop> Rack::run(uint64_t limit, uint64_t budget) {
  for (const auto& card : cards_) card->endpoint.let_go();
  std::vector<chip::Stop> stops;
  try {
    stops = rounds_->run(limit, budget);
  } catch (...) {
    for (const auto& card : cards_) card->endpoint.give_up();
    throw;
  }
  std::vector<size_t> order(stops.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t c) { return stops[c].cycle; });
  for (const size_t c : order) cards_[c]->endpoint.rest(stops[c]);
  return stops;
}

std::string Rack::link_report() {
  std::string lines;
  for (auto& [link, reported] : layered_) {
    const uint64_t faults = link->counts().faults;
    if (std::exchange(reported, faults) != faults) lines += (lines.empty() ? "" : "\n") + link->report();
  }
  return lines;
}

void Rack::reset() {
  for (const auto& card : cards_) card->endpoint.reset();
  for (const auto& gateway : gateways_) gateway->restart();
  rounds_->join();
  std::ranges::fill(times_, HostTime{});
  for (size_t c = 0; c < cards_.size(); ++c)
    cards_[c]->host.follow(times_[next_sharing_.independent ? c / next_sharing_.chips : 0]);
}

void Rack::share_out(const link::Sharing& sharing) {
  rounds_->share_out(sharing);
  next_sharing_ = sharing;
}

}  // namespace tessera::machine
