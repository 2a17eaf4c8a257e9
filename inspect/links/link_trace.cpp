#include "inspect/links/link_trace.h"

#include <algorithm>

namespace tessera::inspect::links {
namespace {

constexpr unsigned kRequestWords = 3;  // of a packet that reads

}  // namespace

LinkTrace::LinkTrace(const std::string& path, const spec::System& system)
    : file_(make_passage_file(path, system)), gateway_links_(system.gateway_links) {
  for (uint32_t g = 0; g < system.gateways.size(); ++g)
    windows_.push_back(spec::remote_windows(system.gateways, system.gateway_links, g));
}

void LinkTrace::keep(const Passage& passage) {
  const bool on_link = passage.kind == Passage::Kind::kAgain;
  kept_.emplace(std::tuple(passage.cycle, on_link ? Passage::Kind::kPacket : passage.kind, passage.lane), passage);
}

void LinkTrace::left(const Lane& lane, uint64_t cycle, const chip::LinkWord& word) {
  Traffic& traffic = traffic_[lane];
  if (!traffic.leaving) {
    Passage& packet = traffic.under_way.emplace_back();
    packet.lane = lane;
    packet.run = run_;
    packet.left = cycle;
    packet.layer = word.layer;
    packet.header = word.data;
  }
  Passage& packet = traffic.under_way.back();
  if (packet.words == 1) packet.address = word.data;
  ++packet.words;
  packet.left_last = cycle;
  packet.bad |= word.bad;
  traffic.leaving = !word.last;
}

void LinkTrace::arrived(const Lane& lane, uint64_t cycle, const chip::LinkWord& word) {
  Traffic& traffic = traffic_[lane];
  Passage& packet = traffic.under_way.front();
  if (traffic.here++ == 0) packet.arrived = cycle;
  packet.cycle = cycle;
  if (!word.last) return;
  keep(packet);
  traffic.under_way.pop_front();
  traffic.here = 0;
}

void LinkTrace::sent_again(const Lane& lane, uint64_t cycle) {
  Passage flit;
  flit.lane = lane;
  flit.run = run_;
  flit.kind = Passage::Kind::kAgain;
  flit.cycle = cycle;
  keep(flit);
}

void LinkTrace::synchronised(uint32_t group, uint32_t chip, uint64_t left, uint64_t answered) {
  Passage sync;
  sync.lane = {group, chip, 0};
  sync.run = run_;
  sync.kind = Passage::Kind::kSync;
  sync.left = left;
  sync.cycle = answered;
  keep(sync);
}

void LinkTrace::accessed(const link::RemoteAccess& access) {
  const spec::RemoteWindow& window = *spec::window_of(windows_[access.gateway], access.address, 4 * access.words);
  Passage packet;
  packet.lane = {access.gateway, access.chip, 0};
  packet.run = run_;
  packet.kind = Passage::Kind::kRemote;
  packet.reads = !access.write;
  packet.words = access.words + 2;
  packet.left_last = access.cycle;
  packet.left = access.cycle + 1 - (access.write ? packet.words : kRequestWords);
  packet.address = access.address;
  packet.chip = access.chip;
  packet.tile = access.tile;
  packet.to = window.gateway;
  const uint64_t serial = (4 * access.words + window.bytes_per_cycle - 1) / window.bytes_per_cycle;
  packet.cycle = access.write ? access.cycle : access.answered;
  packet.arrived = access.write ? packet.left : access.answered - serial;
  keep(packet);
  packet.kind = Passage::Kind::kGatewayLink;
  for (const spec::RemoteWindow::Hop& hop : window.way) {
    const spec::GatewayLink& link = gateway_links_[hop.link];
    packet.lane = {hop.link, hop.from, access.chip};
    packet.to = link.ends[1 - hop.from];
    Passage here = packet;
    if (access.write) {
      here.cycle += link.latency;
      here.arrived += link.latency;
    }
    keep(here);
    // At the next.
    packet.left += link.latency;
    packet.left_last += link.latency;
    packet.cycle = access.write ? here.cycle : packet.cycle - link.latency;
    packet.arrived = access.write ? here.arrived : packet.arrived - link.latency;
  }
}

void LinkTrace::follow(uint64_t end) {
  followed_ = end;
  for (; !kept_.empty() && std::get<0>(kept_.begin()->first) < end; kept_.erase(kept_.begin()))
    if (file_) file_->write(kept_.begin()->second);
  if (!file_) return;
  for (const auto& [lane, traffic] : traffic_)
    if (!traffic.under_way.empty()) end = std::min(end, traffic.under_way.front().left);
  for (const auto& [key, passage] : kept_)
    end = std::min(end, passage.kind == Passage::Kind::kAgain ? passage.cycle : passage.left);
  file_->settled(end);
}

void LinkTrace::restart() {
  const bool has_run = followed_ != 0;
  follow(~uint64_t{0});
  if (has_run) ++run_;
  traffic_.clear();
  followed_ = 0;
}

void LinkTrace::finish() {
  if (!file_) return;
  for (const auto& [key, passage] : kept_) file_->write(passage);
  kept_.clear();
  file_->close();
  file_.reset();
}

}  // namespace tessera::inspect::links
