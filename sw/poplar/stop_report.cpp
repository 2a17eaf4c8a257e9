#include "sw/poplar/stop_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "rtl/spec/causes.h"
#include "rtl/spec/registers.h"

namespace tessera::runtime {
namespace {

constexpr uint32_t kCsrVertexBase = 0xfc2;
constexpr uint32_t kRegisterList = 8;  // s0: where the worker start routine is in its list (codelet-abi.md)
constexpr uint32_t kListHead = 8, kListPair = 8;
constexpr uint32_t kMostVertices = 4096;  // of a worker's list; a damaged list ends here
constexpr int kDrainReads = 4;            // of four cycles each: longer than a pipeline
constexpr size_t kMostTiles = 8;          // told one by one

class Report {
 public:
  Report(machine::Client& client, const image::Executable& executable) : client_(client), debug_(executable.debug) {}

  std::string exception(const chip::Stop& stop) {
    const auto all = client_.exceptions();
    std::string text;
    for (const machine::ExceptionReport& one : all)
      if (one.tile == stop.tile || text.empty()) text = exception_of(one.tile, one.status);
    text += superstep();
    if (all.size() > 1) text += fmt::format("; {} more tiles excepted", all.size() - 1);
    return text;
  }

  std::string budget(const chip::Stop& stop, uint64_t budget) {
    std::string text =
        fmt::format("Tile {} computed for more than {} cycles without reaching a sync", stop.tile, budget);
    halt(stop.tile);
    const auto control = [&](uint32_t context, uint32_t number) {
      return debug_read(stop.tile, chip::DebugSpace::kControl, context, number);
    };
    const uint32_t active = control(0, pcie::kControlActive);
    const uint32_t supervisor = control(0, pcie::kControlPc);
    text += step(stop.tile, supervisor);
    for (uint32_t worker = 0; worker < 6; ++worker) {
      if ((active >> worker & 1) == 0) continue;
      const uint32_t pc = control(worker + 1, pcie::kControlPc);
      text += fmt::format("; worker {} is at {}{}", worker, place(pc), vertex(stop.tile, worker + 1, pc));
    }
    if (active == 0) text += fmt::format("; the supervisor is at {}", place(supervisor));
    return text + superstep() +
           " (an endless loop, or raise the engine option target.computeBudget; 0 takes the limit away)";
  }

  std::string deadlock() {
    // Tiles that do the same thing are told together.
    std::map<std::string, std::vector<uint32_t>> groups;
    for (const chip::TileWait& wait : client_.waits())
      groups[wait.state + step(wait.tile, wait.supervisor_pc)].push_back(wait.tile);
    std::string text = "Deadlock: no tile can go on";
    for (const auto& [what, tiles] : groups) text += fmt::format("; {} {}", tile_list(tiles), what);
    return text + superstep();
  }

 private:
  std::string exception_of(uint32_t tile, const chip::ExceptionStatus& status) {
    const std::string context =
        status.context == 0 ? std::string("supervisor") : fmt::format("worker {}", status.context - 1);
    std::string text = fmt::format("Tile {}, {}: {} exception ({})", tile, context, spec::cause_name(status.cause),
                                   spec::cause_reason(status.cause));
    if (const auto* variable = image::find_variable(debug_, tile, status.value))
      text += fmt::format(", value {:#x} in variable '{}'", status.value, debug_.variables.at(variable->variable));
    else
      text += fmt::format(", value {:#x}", status.value);
    if (status.pc != 0) text += ", at " + place(status.pc);
    if (status.context != 0) text += vertex(tile, status.context, status.pc);
    for (const chip::TileWait& wait : client_.waits())
      if (wait.tile == tile) text += step(tile, status.context == 0 && status.pc != 0 ? status.pc : wait.supervisor_pc);
    return text + fmt::format(", cycle {}", status.cycle);
  }

  // A tile that computes is asked exactly where it is only when it stands still. Its run is over in any case.
  void halt(uint32_t tile) {
    constexpr uint32_t kControl = static_cast<uint32_t>(chip::DebugSpace::kControl);
    for (uint32_t context = 0; context < 7; ++context) {
      client_.write(pcie::kDebugSelect, pcie::debug_select(tile, kControl, context));
      client_.write(pcie::kDebugAddress, pcie::kControlHalt);
      client_.write(pcie::kDebugData, 1);
    }
    for (int i = 0; i < kDrainReads; ++i) debug_read(tile, chip::DebugSpace::kControl, 0, pcie::kControlPc);
  }

  std::string place(uint32_t pc) const {
    const image::SymbolRange* symbol = image::find_symbol(debug_, pc);
    return symbol != nullptr ? fmt::format("pc {:#x} in {}", pc, symbol->name) : fmt::format("pc {:#x}", pc);
  }

  std::string step(uint32_t tile, uint32_t pc) const {
    const std::string* step = image::find_step(debug_, tile, pc);
    return step != nullptr ? ", in " + *step : "";
  }

  std::string superstep() { return fmt::format(", superstep {}", client_.counters().supersteps); }

  std::string tile_list(const std::vector<uint32_t>& tiles) const {
    std::string text = tiles.size() == 1 ? "tile" : "tiles";
    for (size_t i = 0; i < tiles.size() && i < kMostTiles; ++i) text += fmt::format(" {}", tiles[i]);
    return tiles.size() > kMostTiles ? text + fmt::format(" and {} more", tiles.size() - kMostTiles) : text;
  }

  uint32_t debug_read(uint32_t tile, chip::DebugSpace space, uint32_t context, uint32_t number) {
    client_.write(pcie::kDebugSelect, pcie::debug_select(tile, static_cast<uint32_t>(space), context));
    client_.write(pcie::kDebugAddress, number);
    return client_.read(pcie::kDebugData);
  }

  // The vertex a worker runs: where its list pointer stands, or the only one of its list, or else how many it may be.
  std::string vertex(uint32_t tile, uint32_t context, uint32_t pc) {
    try {
      const uint32_t list = debug_read(tile, chip::DebugSpace::kCsr, context, kCsrVertexBase);
      const uint32_t at = debug_read(tile, chip::DebugSpace::kInteger, context, kRegisterList);
      std::vector<const image::VertexPlace*> places;
      const image::VertexPlace* current = nullptr;
      for (uint32_t i = 0; i < kMostVertices; ++i) {
        const auto pair = client_.peek(tile, list + kListHead + i * kListPair, 2);
        if (pair.at(0) == 0) break;
        const image::VertexPlace* found = image::find_vertex(debug_, tile, pair.at(1));
        if (found == nullptr) continue;
        places.push_back(found);
        if (at == list + i * kListPair) current = found;
      }
      if (current == nullptr && places.size() == 1) current = places.front();
      if (current == nullptr) {
        // Code below the vertex has saved the list pointer: its function still tells the codelet.
        const image::SymbolRange* symbol = image::find_symbol(debug_, pc);
        for (const image::VertexPlace* one : places)
          if (symbol != nullptr && symbol->name.find(debug_.codelets.at(one->codelet)) != std::string::npos)
            return describe(*one, "a vertex");
        return places.empty() ? "" : describe(*places.front(), "a vertex");
      }
      return describe(*current, fmt::format("vertex {}", current->vertex));
    } catch (const machine::MachineRefused&) {
      return "";  // a list that is no list: the exception itself is told all the same
    }
  }

  std::string describe(const image::VertexPlace& place, const std::string& what) const {
    return fmt::format(", {} of codelet '{}' in compute set '{}'", what, debug_.codelets.at(place.codelet),
                       debug_.compute_sets.at(place.compute_set));
  }

  machine::Client& client_;
  const image::DebugInfo& debug_;
};

}  // namespace

std::string describe_stop(machine::Client& client, const image::Executable& executable, const chip::Stop& stop,
                          uint64_t budget) {
  Report report(client, executable);
  switch (stop.reason) {
    case chip::StopReason::kException:
      return report.exception(stop);
    case chip::StopReason::kBudget:
      return report.budget(stop, budget);
    case chip::StopReason::kDeadlock:
      return report.deadlock();
    case chip::StopReason::kHalted:
      return "Every tile is halted in the middle of a program";
    case chip::StopReason::kHostSync:
    case chip::StopReason::kLimit:
    case chip::StopReason::kSuperstep:
      break;
  }
  return fmt::format("The chip stopped at cycle {} for no reason known", stop.cycle);
}

std::string tell_stop(machine::Client& client, const image::Executable& executable, const chip::Stop& stop,
                      uint64_t budget, const std::string& what) {
  std::string text;
  try {
    // First: the debug registers change what the machine would look at.
    text = client.failure();
  } catch (const machine::MachineRefused& error) {
    text = describe_stop(client, executable, stop, budget) +
           "\n  the last supersteps cannot be looked at: " + error.what();
  }
  if (text.empty()) text = describe_stop(client, executable, stop, budget);
  return text.insert(std::min(text.find('\n'), text.size()), ", while " + what);
}

}  // namespace tessera::runtime
