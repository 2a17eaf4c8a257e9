#include "inspect/links/link_trace.h"

#include <algorithm>

namespace tessera::inspect::links {

LinkTrace::LinkTrace(const std::string& path, const spec::System& system) : file_(make_passage_file(path, system)) {}

void LinkTrace::keep(const Passage& passage) {
  kept_.emplace(std::tuple(passage.cycle, passage.kind == Passage::Kind::kSync, passage.lane), passage);
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
