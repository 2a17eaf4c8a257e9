#include "sw/card/stop_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "inspect/tile_groups.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/numbers.h"

namespace tessera::card {
namespace {

constexpr uint32_t kWorkers = 6;

class StopText {
 public:
  StopText(Client& client, const ProgramPlaces& places) : client_(client), places_(places) {}

  std::string exceptions(const chip::Stop& stop, size_t most) {
    auto all = client_.exceptions();
    // The one that the stop names first.
    std::stable_partition(all.begin(), all.end(), [&](const auto& one) { return one.tile == stop.tile; });
    std::string text;
    for (size_t i = 0; i < all.size() && i < most; ++i)
      text += (i == 0 ? "" : "\n") + exception(all[i].tile, all[i].status);
    text += superstep();
    return all.size() > most ? text + fmt::format("; {} more tiles excepted", all.size() - most) : text;
  }

  std::string budget(const chip::Stop& stop, uint64_t budget) {
    std::string text =
        fmt::format("Tile {} computed for more than {} cycles without reaching a sync", stop.tile, budget);
    client_.halt(stop.tile);
    const auto control = [&](uint32_t context, uint32_t number) {
      return client_.debug_read(stop.tile, chip::DebugSpace::kControl, context, number);
    };
    const uint32_t active = control(0, spec::DebugControl::kActive);
    const uint32_t supervisor = control(0, spec::DebugControl::kPc);
    text += step(stop.tile, supervisor);
    for (uint32_t worker = 0; worker < kWorkers; ++worker) {
      if ((active >> worker & 1) == 0) continue;
      const uint32_t pc = control(worker + 1, spec::DebugControl::kPc);
      text += fmt::format("; worker {} is at {}{}", worker, place_text(places_, pc), vertex(stop.tile, worker + 1, pc));
    }
    if (active == 0) text += "; the supervisor is at " + place_text(places_, supervisor);
    const std::string advice = places_.budget_advice();
    return text + superstep() + (advice.empty() ? advice : fmt::format(" ({})", advice));
  }

  std::string refused(const chip::Stop& stop) {
    const chip::Refusal& packet = stop.refusal.value();
    std::string text =
        fmt::format("Tile {}: {} memory refused a packet: {} of {} words at {} address {:#x}", packet.tile,
                    packet.memory(), packet.write ? "write" : "read", packet.words, packet.memory(), packet.address);
    for (const chip::TileWait& wait : client_.waits())
      if (wait.tile == packet.tile) text += step(packet.tile, wait.supervisor_pc);
    return text + fmt::format(", cycle {}", packet.cycle) + superstep();
  }

  std::string deadlock() { return "Deadlock: no tile can go on" + tiles_text(client_, places_) + superstep(); }

 private:
  std::string exception(uint32_t tile, const chip::ExceptionStatus& status) {
    const std::string context =
        status.context == 0 ? std::string("supervisor") : fmt::format("worker {}", status.context - 1);
    std::string text = fmt::format("Tile {}, {}: {} exception ({}), value {:#x}", tile, context,
                                   spec::cause_name(status.cause), spec::cause_reason(status.cause), status.value);
    uint32_t supervisor = status.pc;
    for (const chip::TileWait& wait : client_.waits())
      if (wait.tile == tile && (status.context != 0 || status.is_of_ports())) supervisor = wait.supervisor_pc;
    if (const std::string name = places_.variable(tile, status.value, supervisor); !name.empty())
      text += fmt::format(" in variable {}", name);
    if (!status.is_of_ports()) text += ", at " + place_text(places_, status.pc);
    if (status.context != 0) text += vertex(tile, status.context, status.pc);
    text += step(tile, supervisor);
    return text + fmt::format(", cycle {}", status.cycle);
  }

  std::string step(uint32_t tile, uint32_t pc) const {
    const std::string name = places_.step(tile, pc);
    return name.empty() ? name : fmt::format(", in {}", name);
  }
  std::string vertex(uint32_t tile, uint32_t context, uint32_t pc) {
    const std::string name = places_.vertex(client_, tile, context, pc);
    return name.empty() ? name : fmt::format(", {}", name);
  }
  std::string superstep() { return fmt::format(", superstep {}", client_.counters().supersteps); }

  Client& client_;
  const ProgramPlaces& places_;
};

}  // namespace

std::string ProgramPlaces::doing(const chip::TileWait& wait) const {
  const std::string name = step(wait.tile, wait.supervisor_pc);
  return name.empty() ? wait.state : wait.state + ", in " + name;
}

std::string tiles_text(Client& client, const ProgramPlaces& places) {
  std::string all;
  for (const auto& group : inspect::group_tiles(client.waits(), [&](const auto& wait) { return places.doing(wait); }))
    all += "; " + inspect::text(group);
  return all;
}

std::string place_text(const ProgramPlaces& places, uint32_t pc) {
  const std::string name = places.function(pc);
  return name.empty() ? fmt::format("pc {:#x}", pc) : fmt::format("pc {:#x} in {}", pc, name);
}

std::string stop_text(Client& client, const ProgramPlaces& places, const chip::Stop& stop, uint64_t budget,
                      size_t most) {
  StopText text(client, places);
  switch (stop.reason) {
    case chip::StopReason::kException:
      return text.exceptions(stop, most);
    case chip::StopReason::kBudget:
      return text.budget(stop, budget);
    case chip::StopReason::kDeadlock:
      return text.deadlock();
    case chip::StopReason::kRefused:
      return text.refused(stop);
    case chip::StopReason::kHalted:
      return "Every tile is halted in the middle of a program";
    case chip::StopReason::kGroupSync:
      return "Every tile waits at a sync with other chips, which do not come to it";
    case chip::StopReason::kHostSync:
    case chip::StopReason::kLimit:
    case chip::StopReason::kSuperstep:
      break;
  }
  return fmt::format("The chip stopped at cycle {} for no reason known", stop.cycle);
}

std::string advised(std::string report, const ProgramPlaces& places, const chip::Stop& stop) {
  const std::string advice = stop.reason == chip::StopReason::kBudget ? places.budget_advice() : "";
  if (!report.empty() && !advice.empty()) report += fmt::format("\n  {:<11} {}", "", advice);
  return report;
}

}  // namespace tessera::card
