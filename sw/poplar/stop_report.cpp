#include "sw/poplar/stop_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "inspect/tile_groups.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/numbers.h"
#include "sw/card/stop_text.h"

namespace tessera::runtime {
namespace {

constexpr uint32_t kRegisterList = 8;  // s0: where the worker start routine is in its list (codelet-abi.md)
constexpr uint32_t kListHead = 8, kListPair = 8;
constexpr uint32_t kMostVertices = 4096;  // of a worker's list; a damaged list ends here

// An executable's own names.
class Places : public card::ProgramPlaces {
 public:
  Places(card::Client& client, const names::ProgramInfo& info) : client_(client), info_(info) {}

  std::string function(uint32_t pc) const override {
    const names::Symbol* symbol = info_.symbol_at(pc);
    return symbol != nullptr ? info_.name(symbol->name) : "";
  }
  std::string step(uint32_t tile, uint32_t pc) const override {
    const names::Step* step = info_.step_at(tile, pc);
    return info_.step_text(step, step != nullptr && step->calls != 0 ? table(tile) : std::nullopt);
  }
  std::string variable(uint32_t tile, uint32_t address, uint32_t supervisor_pc) const override {
    std::optional<names::Step> step;
    if (const names::Step* held = info_.step_at(tile, supervisor_pc))
      step = info_.run_by(*held, held->calls != 0 ? table(tile) : std::nullopt);
    std::string names;
    for (const names::Variable* variable : info_.variables_at(tile, address))
      if (!step || info_.lives_in(variable->life, *step))
        names += (names.empty() ? "'" : " or '") + info_.name(variable->name) + "'";
    return names;
  }
  std::string budget_advice() const override {
    return "an endless loop, or raise the engine option target.computeBudget; 0 takes the limit away";
  }

  // Where the worker's list pointer stands, or the only vertex of its list, or else one of those that it may be.
  std::string vertex(card::Client& client, uint32_t tile, uint32_t context, uint32_t pc) const override {
    try {
      const uint32_t list =
          client.debug_read(tile, chip::DebugSpace::kCsr, context, static_cast<uint32_t>(spec::Csr::Xvbase));
      const uint32_t at = client.debug_read(tile, chip::DebugSpace::kInteger, context, kRegisterList);
      std::vector<const names::Vertex*> places;
      const names::Vertex* current = nullptr;
      for (uint32_t i = 0; i < kMostVertices; ++i) {
        const auto pair = client.peek(tile, list + kListHead + i * kListPair, 2);
        if (pair.at(0) == 0) break;
        const names::Vertex* found = info_.vertex_at(tile, pair.at(1));
        if (found == nullptr) continue;
        places.push_back(found);
        if (at == list + i * kListPair) current = found;
      }
      if (current == nullptr && places.size() == 1) current = places.front();
      if (current != nullptr) return describe(*current, fmt::format("vertex {}", current->id));
      // Code below the vertex has saved the list pointer: its function still tells the codelet.
      const names::Symbol* symbol = info_.symbol_at(tile, pc);
      for (const names::Vertex* one : places)
        if (symbol != nullptr && info_.name(symbol->name).find(info_.name(one->codelet)) != std::string::npos)
          return describe(*one, "a vertex");
      return places.empty() ? "" : describe(*places.front(), "a vertex");
    } catch (const card::Refused&) {
      return "";  // a list that is no list: the exception itself is told all the same
    }
  }

 private:
  std::string describe(const names::Vertex& place, const std::string& what) const {
    return fmt::format("{} of codelet '{}' in compute set '{}'", what, info_.name(place.codelet),
                       info_.name(place.compute_set));
  }

  // What the table register of a tile holds, if the tile can be asked.
  std::optional<uint32_t> table(uint32_t tile) const {
    try {
      return client_.debug_read(tile, chip::DebugSpace::kInteger, 0, names::kTableRegister);
    } catch (const card::Refused&) {
      return std::nullopt;
    }
  }

  card::Client& client_;
  const names::ProgramInfo& info_;
};

std::string late_host_sync(card::Client& client, const card::ProgramPlaces& places, uint64_t limit) {
  return fmt::format("No host sync for {} cycles{} (raise the engine option target.hostSyncTimeout, or leave it out)",
                     limit, card::tiles_text(client, places));
}

// Of one chip, which is chosen.
std::string tell_stop_of_chip(card::Client& client, const names::ProgramInfo& info, const chip::Stop& stop,
                              const RunLimits& limits) {
  const Places places(client, info);
  const auto told = [&] {
    return stop.reason == chip::StopReason::kLimit ? late_host_sync(client, places, limits.host_sync)
                                                   : card::stop_text(client, places, stop, limits.compute);
  };
  std::string text;
  try {
    // First: the debug registers change what the machine would look at.
    text = card::advised(client.failure(), places, stop);
  } catch (const card::Refused& error) {
    text = told() + "\n  the last supersteps cannot be looked at: " + error.what();
  }
  return text.empty() ? told() : text;
}

bool may_follow_budget(const chip::Stop& stop) {
  return waits_for_others(stop) || stop.reason == chip::StopReason::kLimit;
}
bool may_follow_any(const chip::Stop& stop) {
  return may_follow_budget(stop) || stop.reason == chip::StopReason::kDeadlock;
}

// Who waits for words of packets, and what those do that could have sent them. Empty: nobody does.
std::string missing_words(card::Client& client, uint32_t chips) {
  constexpr size_t kMostRows = 8;  // of a chip
  std::string words, senders;
  for (uint32_t number = 0; number < chips; ++number) {
    client.choose(number);
    size_t waiting = 0;
    std::string others;
    const auto state = [](const chip::TileWait& wait) { return wait.state; };
    for (const inspect::TileGroup& group : inspect::group_tiles(client.waits(), state)) {
      if (!group.what.ends_with("of packets"))
        others += (others.empty() ? "" : "; ") + inspect::text(group);
      else if (++waiting <= kMostRows)
        words += fmt::format("\n  {:<11} {}", "words", inspect::text(group, {number, chips}));
    }
    if (waiting > kMostRows) words += fmt::format("\n  {:<11} ... and {} more", "", waiting - kMostRows);
    if (!others.empty()) senders += fmt::format("\n  {:<11} chip {}: {}", "senders", number, others);
  }
  return words.empty() ? "" : words + senders;
}

// Every chip is right in itself, and they do not meet.
std::string at_different_syncs(const std::vector<chip::Stop>& stops) {
  std::string text;
  const auto tell = [&](const char* where, const auto& is_there) {
    std::vector<size_t> chips;
    for (size_t chip = 0; chip < stops.size(); ++chip)
      if (is_there(stops[chip])) chips.push_back(chip);
    if (chips.empty()) return;
    text += fmt::format("{} chip{} {} at a sync {}", text.empty() ? "" : ",", chips.size() == 1 ? "" : "s",
                        fmt::join(chips, ", "), where);
  };
  const auto in_group = [](const chip::Stop& stop) { return stop.reason == chip::StopReason::kGroupSync; };
  const auto in_replica = [&](const chip::Stop& stop) {
    return in_group(stop) && stop.zone == spec::SyncZone::kReplica;
  };
  tell("with the host", [](const chip::Stop& stop) { return stop.reason == chip::StopReason::kHostSync; });
  tell("of all chips", [&](const chip::Stop& stop) { return in_group(stop) && !in_replica(stop); });
  tell("of their replica", in_replica);
  return "Deadlock between chips:" + text;
}

}  // namespace

bool waits_for_others(const chip::Stop& stop) {
  return stop.reason == chip::StopReason::kHostSync || stop.reason == chip::StopReason::kGroupSync;
}

std::string tell_stop(card::Client& client, const image::Executable& executable, const std::vector<chip::Stop>& stops,
                      const RunLimits& limits, const std::string& what) {
  auto cause = stops.end();
  // Chips stand still, or are cut short, since another does not go on: that one is told.
  for (const auto& may_follow : {may_follow_any, may_follow_budget, waits_for_others})
    if (cause == stops.end())
      cause = std::find_if(stops.begin(), stops.end(), [&](const chip::Stop& stop) { return !may_follow(stop); });
  std::string text;
  if (cause == stops.end()) {
    text = at_different_syncs(stops);
  } else {
    const auto number = static_cast<uint32_t>(cause - stops.begin());
    client.choose(number);
    text = tell_stop_of_chip(client, executable.chips[number % executable.chips.size()].info, *cause, limits);
    if (stops.size() > 1) {
      text = fmt::format("Chip {}: {}", number, text);
      if (cause->reason == chip::StopReason::kDeadlock)
        text += missing_words(client, static_cast<uint32_t>(stops.size()));
    }
  }
  return text.insert(std::min(text.find('\n'), text.size()), ", while " + what);
}

}  // namespace tessera::runtime
