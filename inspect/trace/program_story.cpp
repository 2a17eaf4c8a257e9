#include "inspect/trace/program_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inspect/trace/touches.h"

namespace tessera::inspect::trace {
namespace {

// What a program names and no comparison is about: where something lies, and what a context keeps for itself.
bool is_private(const std::string& name) {
  return name.starts_with("pointer of ") || name.starts_with("stack of ") || name == "shared buffer";
}

}  // namespace

uint32_t TextNumbers::of(const std::string& text) {
  const auto [at, fresh] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return at->second;
}

std::vector<SuperstepOutline> outline(TraceReader& reader, size_t run, const Selection& chosen) {
  const RunOfFile& of = reader.runs().at(run);
  Names names(of.program);
  std::vector<SuperstepOutline> all;
  std::set<std::string> steps;
  const uint64_t from = std::max({of.blocks.front().info.first_cycle, of.blocks.front().info.keep_from, chosen.from});
  SuperstepOutline now{of.blocks.front().info.first_superstep, from, 0, ""};
  const auto close = [&](uint64_t end) {
    now.end = end;
    for (const std::string& step : steps) now.steps += (now.steps.empty() ? "" : ", ") + step;
    all.push_back(std::move(now));
    steps.clear();
  };
  Selection selection = chosen;
  selection.lanes = 1u | 1u << kLanePorts;
  reader.read(run, selection, [&](const Event& e) {
    if (e.kind == EventKind::kRetire) {
      names.follow(e);
      if (const std::string& step = names.step(e); !step.empty()) steps.insert(step);
    } else if (e.kind == EventKind::kSuperstep) {
      close(e.cycle + 1);
      now = {e.from + 1, e.cycle + 1, 0, ""};
    }
  });
  close(std::max(now.begin, std::min(end_of(reader, run), chosen.to)));
  return all;
}

ProgramStory::ProgramStory(TraceReader& reader, size_t run, const Selection& selection, TextNumbers& texts,
                           bool addresses)
    : reader_(reader),
      run_(run),
      events_(reader, run, selection),
      names_(reader.runs().at(run).program, reader.place()),
      texts_(texts),
      addresses_(addresses),
      superstep_(reader.runs().at(run).blocks.front().info.first_superstep) {
  const BlockInfo& first = reader.runs().at(run).blocks.front().info;
  cycle_ = std::max({first.first_cycle, first.keep_from, selection.from});
}

std::optional<SuperstepStory> ProgramStory::next() {
  if (over_) return std::nullopt;
  SuperstepStory story;
  story.index = superstep_;
  story.begin = cycle_;
  while (const Event* e = events_.next()) {
    if (e->kind == EventKind::kSuperstep) {
      story.end = cycle_ = e->cycle + 1;
      superstep_ = e->from + 1;
      return story;
    }
    add(*e, story);
  }
  over_ = true;
  story.end = end_of(reader_, run_);
  return story;
}

void ProgramStory::add(const Event& e, SuperstepStory& story) {
  names_.follow(e);
  switch (e.kind) {
    case EventKind::kEntered:
      inside_[{e.tile, e.context}] = {
          e.cycle,
          {e.tile, texts_.of(names_.vertex_of(e) != nullptr ? names_.vertex(e) : names_.codelet(e)),
           texts_.of(names_.codelet(e))}};
      return;
    case EventKind::kLeft: {
      const auto entered = inside_.find({e.tile, e.context});
      if (entered == inside_.end()) return;  // entered before the trace began
      story.vertices[entered->second.vertex].add(e.cycle - entered->second.since);
      inside_.erase(entered);
      return;
    }
    case EventKind::kRetire:
      if (e.context == 0)
        if (const std::string& step = names_.step(e); !step.empty()) steps_[e.tile] = texts_.of(step);
      [[fallthrough]];
    case EventKind::kExchangeWrite:
    case EventKind::kPacketWrite:
      return write(e, story);
    default:
      return;
  }
}

uint32_t ProgramStory::part_of(const Event& e) {
  if (e.kind == EventKind::kExchangeWrite) return texts_.of("exchange");
  if (e.kind == EventKind::kPacketWrite) return texts_.of("host packets");
  if (const auto vertex = inside_.find({e.tile, e.context}); vertex != inside_.end()) return vertex->second.vertex.name;
  const auto step = steps_.find(e.tile);
  if (e.context == 0 && step != steps_.end()) return step->second;
  return texts_.of(context_name(e.context));
}

void ProgramStory::write(const Event& e, SuperstepStory& story) {
  std::map<ElementByte, WrittenByte>* part = nullptr;
  for (const Touch& t : touches(e)) {
    if (!t.write) continue;
    for (unsigned byte = 0; byte < t.bytes; ++byte) {
      if ((t.strobe >> byte & 1) == 0) continue;
      const auto at = element(e, t.address + byte);
      if (!at) continue;
      if (part == nullptr) part = &story.parts[{e.tile, part_of(e)}];
      const bool supervisor = e.kind == EventKind::kRetire && e.context == 0 && !inside_.contains({e.tile, 0});
      const auto [written, fresh] = part->try_emplace(*at);
      written->second = {e.cycle, e.lane, static_cast<uint8_t>(t.value >> 8 * byte), supervisor && !fresh};
    }
  }
}

std::optional<ElementByte> ProgramStory::element(const Event& e, uint32_t address) {
  const names::Vertex* by = names_.inside(e);
  const names::Step* step = names_.in(e);
  const uint64_t looks = by != nullptr     ? 2 + 2 * static_cast<uint64_t>(by - names_.program().vertices.data())
                         : step != nullptr ? 1 + 2 * uint64_t{step->id}
                                           : 0;
  const uint64_t key = looks << 32 | uint64_t{e.tile} << 20 | (address & 0xfffff);  // 2^20 bytes a tile
  if (const auto known = elements_.find(key); known != elements_.end()) return known->second;
  std::string name = names_.data(e, address);
  std::optional<ElementByte> at;
  if (name.empty() && addresses_) name = fmt::format("[{:x}]", address);
  if (!name.empty() && !is_private(name)) {
    at = ElementByte{texts_.of(name), 0};
    while (at->offset < address && names_.data(e, address - at->offset - 1) == name) ++at->offset;
  }
  return elements_.emplace(key, at).first->second;
}

}  // namespace tessera::inspect::trace
