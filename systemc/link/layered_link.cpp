#include "systemc/link/layered_link.h"

#include <algorithm>
#include <stdexcept>

#include "systemc/link/link_transaction.h"

namespace tessera::link {
namespace {

std::string plural(uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace

LayeredLink::LayeredLink(sc_core::sc_module_name name, const spec::Link& link, uint32_t number, unsigned channels,
                         LinkFaults faults, Tell tell)
    : Link(name, link.latency),
      link_(link),
      number_(number),
      channel_count_(channels),
      faults_(std::move(faults)),
      tell_(std::move(tell)) {
  std::ranges::stable_sort(faults_.given, {}, [](const LinkFaults::Given& given) { return given.fault.cycle; });
  restart();
}

LayeredLink::~LayeredLink() { tell_missed(); }

void LayeredLink::restart() {
  tell_missed();
  channels_.clear();
  for (unsigned c = 0; c < channel_count_; ++c) {
    LinkLayer& layer = channels_.emplace_back(Channel{LinkLayer(latency(), faults_.dead_after), {}}).layer;
    for (const LinkFaults::Given& given : faults_.given)
      for (unsigned e = 0; e < 2; ++e)
        if (given.channel.value_or(c) == c && given.end.value_or(e) == e) layer.add(e, given.fault);
    for (const RandomFaults& random : faults_.random) layer.add(random, uint64_t{number_} << 32 | c);
  }
  followed_ = 0;
  told_ = 0;
}

void LayeredLink::carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
  const auto* extension = transaction.get_extension<LinkExtension>();
  if (extension == nullptr || !transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  const chip::LinkEvent& event = extension->event;
  if (event.channel >= channels_.size() || event.cycle < channels_[event.channel].layer.cycle()) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  tell_left(end, event);
  auto& shown = channels_[event.channel].shown[static_cast<size_t>(end)];
  if (shown.empty() || shown.back().first != event.cycle) shown.emplace_back(event.cycle, Symbol());
  Symbol& symbol = shown.back().second;
  if (event.word)
    symbol.word = event.word;
  else
    symbol.credits[event.layer] = true;
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

void LayeredLink::call_out(unsigned end, const chip::LinkEvent& event) {
  LinkTransaction transaction(event);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  ends[end].out->b_transport(transaction.payload(), delay);
  if (!transaction.ok())
    throw std::runtime_error("what stands behind " + text() + " does not take what is on its channel " +
                             std::to_string(event.channel) + " in cycle " + std::to_string(event.cycle) + ": " +
                             transaction.payload().get_response_string());
}

void LayeredLink::follow(uint64_t end) {
  if (end <= followed_) return;
  for (unsigned c = 0; c < channels_.size(); ++c) follow(c, end);
  followed_ = end;
  for (; told_ < faults_.given.size() && faults_.given[told_].fault.cycle < end; ++told_)
    if (tell_)
      tell_("link " + std::to_string(number_) + ": fault '" + faults_.given[told_].text + "' strikes in cycle " +
            std::to_string(faults_.given[told_].fault.cycle));
}

void LayeredLink::follow(unsigned channel, uint64_t end) {
  auto& [layer, shown] = channels_[channel];
  while (layer.cycle() < end) {
    const uint64_t now = layer.cycle();
    uint64_t rests = std::min(end, layer.rests_until());
    for (const auto& of_end : shown)
      if (!of_end.empty()) rests = std::min(rests, of_end.front().first);
    if (rests > now) {
      layer.rest(rests);
      continue;
    }
    std::array<Symbol, 2> sent;
    for (unsigned e = 0; e < 2; ++e)
      if (!shown[e].empty() && shown[e].front().first == now) {
        sent[e] = shown[e].front().second;
        shown[e].pop_front();
      }
    const std::array<Symbol, 2> arrives = layer.step(sent);
    for (unsigned e = 0; e < 2; ++e) {
      if (layer.sent_again(e)) tell_sent_again(static_cast<int>(e), channel, now);
      chip::LinkEvent event{now + latency(), channel, arrives[e].word, 0};
      if (event.word) {
        tell_arrived(static_cast<int>(1 - e), event);
        call_out(e, event);
      }
      event.word.reset();
      for (; event.layer < arrives[e].credits.size(); ++event.layer)
        if (arrives[e].credits[event.layer]) call_out(e, event);
    }
  }
}

bool LayeredLink::holds() const {
  return std::ranges::any_of(channels_, [](const Channel& channel) {
    return channel.layer.undelivered() || !channel.shown[0].empty() || !channel.shown[1].empty();
  });
}

void LayeredLink::check(uint64_t cycle) const {
  const LinkLayer::Death* first = nullptr;
  size_t at = 0;
  for (size_t c = 0; c < channels_.size(); ++c)
    if (const auto& death = channels_[c].layer.death(); death && (first == nullptr || death->cycle < first->cycle)) {
      first = &*death;
      at = c;
    }
  if (first == nullptr || first->cycle > cycle) return;
  throw std::runtime_error(text() + " is dead: its channel " + std::to_string(at) +
                           " has brought nothing sound to chip " + std::to_string(link_.ends[first->end].chip) +
                           " since cycle " + std::to_string(first->heard) + ", for longer than its time-out of " +
                           plural(faults_.dead_after, "cycle"));
}

LinkLayer::Counts LayeredLink::counts() const {
  LinkLayer::Counts counts;
  for (const Channel& channel : channels_) counts += channel.layer.counts();
  return counts;
}

std::string LayeredLink::text() const {
  const auto end = [&](unsigned e) {
    return "chip " + std::to_string(link_.ends[e].chip) + " port " + std::to_string(link_.ends[e].port);
  };
  return "link " + std::to_string(number_) + " (" + end(0) + ", " + end(1) + ")";
}

std::string LayeredLink::report() const {
  const LinkLayer::Counts n = counts();
  if (n.faults == 0) return "";
  return text() + ": " + plural(n.faults, "fault") + " to cycle " + std::to_string(followed_) + ": " +
         plural(n.wrong, "flit") + " with a wrong checksum, " + std::to_string(n.missing) + " behind a missing one, " +
         std::to_string(n.doubled) + " doubled, " + std::to_string(n.flits_again) + " sent again";
}

void LayeredLink::tell_missed() {
  if (!tell_ || followed_ == 0) return;
  for (; told_ < faults_.given.size(); ++told_)
    tell_("link " + std::to_string(number_) + ": fault '" + faults_.given[told_].text +
          "' never strikes: the run ends in cycle " + std::to_string(followed_));
}

}  // namespace tessera::link
