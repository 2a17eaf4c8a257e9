#include "inspect/waves/signals.h"

#include <fmt/format.h>

#include "rtl/spec/causes.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/register_names.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::waves {
namespace {

std::vector<Scope> all_scopes() {
  std::vector<Scope> scopes;
#define TILE_SIGNALS
#define SCOPE(id, name, title, closed) scopes.push_back({name, title, closed, {}});
#define SIGNAL(id, name, bits, shown, names, color) \
  scopes.back().signals.push_back({name, bits, Shown::shown, Names::names, color});
#include "inspect/waves/signals.def"
#undef SIGNAL
#undef SCOPE
#undef TILE_SIGNALS
  std::vector<Signal> signals;
#define CONTEXT_SIGNALS
#define SIGNAL(id, name, bits, shown, names, color) signals.push_back({name, bits, Shown::shown, Names::names, color});
#include "inspect/waves/signals.def"
#undef SIGNAL
#undef CONTEXT_SIGNALS
  scopes.push_back({"supervisor", "supervisor", false, signals});
  static constexpr std::array<const char*, 6> kScopes = {"worker0", "worker1", "worker2",
                                                         "worker3", "worker4", "worker5"};
  static constexpr std::array<const char*, 6> kTitles = {"worker 0", "worker 1", "worker 2",
                                                         "worker 3", "worker 4", "worker 5"};
  for (unsigned worker = 0; worker < 6; ++worker)
    scopes.push_back({kScopes[worker], kTitles[worker], worker > 0, signals});
  return scopes;
}

std::string flag_names(unsigned flags) {
  static constexpr std::array<const char*, 5> kNames = {"inexact", "underflow", "overflow", "divide by 0", "invalid"};
  std::string text;
  for (unsigned bit = 5; bit-- > 0;)
    if (flags >> bit & 1) text += (text.empty() ? "" : ", ") + std::string(kNames[bit]);
  return text;
}

}  // namespace

std::string chip_scope(uint32_t chip) { return fmt::format("chip{}", chip); }
std::string tile_scope(uint32_t tile) { return fmt::format("tile{}", tile); }
std::string scope_of(spec::TileId tile) { return chip_scope(tile.chip) + "." + tile_scope(tile.tile); }

const std::vector<Scope>& tile_scopes() {
  static const std::vector<Scope> scopes = all_scopes();
  return scopes;
}

const char* file_of(Names names) {
  switch (names) {
    case Names::None:
      return "";
    case Names::States:
      return "states";
    case Names::Zones:
      return "zones";
    case Names::Tiles:
      return "tiles";
    case Names::Causes:
      return "causes";
    case Names::Contexts:
      return "contexts";
    case Names::Registers:
      return "registers";
    case Names::Flags:
      return "float_flags";
    case Names::Instructions:
      return "";
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> value_names(Names table) {
  std::vector<std::pair<std::string, std::string>> names;
  const auto add = [&](unsigned digits, unsigned code, const std::string& name) {
    names.emplace_back(fmt::format("{:0{}X}", code, digits), name);
  };
  switch (table) {
    case Names::None:
    case Names::Instructions:
      break;
    case Names::States: {
      static constexpr std::array<const char*, 12> kStates = {"?gray30?halted",
                                                              "?DarkGreen?computing",
                                                              "?DarkOliveGreen?waits for its workers",
                                                              "?gray30?waits at exchange sync",
                                                              "?SteelBlue4?exchanging",
                                                              "?gray30?waits at internal sync",
                                                              "?gray30?waits at external sync",
                                                              "?gray30?waits at host sync",
                                                              "?gray30?waits for host words",
                                                              "?DarkOrchid4?sends a packet",
                                                              "?red?stopped by an exception",
                                                              "?gray30?waits at replica sync"};
      for (unsigned state = 0; state < kStates.size(); ++state) add(1, state, kStates[state]);
      break;
    }
    case Names::Zones:
      for (unsigned zone = 0; zone < 8; ++zone)
        if (spec::is_waited_for(zone)) add(1, zone, spec::zone_name(zone));
      add(1, spec::SyncZone::kAutomatic, spec::zone_name(spec::SyncZone::kAutomatic));
      break;
    case Names::Tiles:
      for (unsigned tile = 0; tile < chip::kNoTile; ++tile) add(3, tile, fmt::format("tile {}", tile));
      add(3, chip::kNoTile, "none");
      break;
    case Names::Causes:
      for (unsigned cause = 0; cause < 16; ++cause)
        if (spec::cause_name(static_cast<uint8_t>(cause)) != "unknown")
          add(1, cause, (cause == 0 ? "" : "?red?") + std::string(spec::cause_name(static_cast<uint8_t>(cause))));
      break;
    case Names::Contexts:
      add(1, 0, "supervisor");
      for (unsigned worker = 0; worker < 6; ++worker) add(1, worker + 1, fmt::format("worker {}", worker));
      break;
    case Names::Registers:
      for (unsigned n = 0; n < 32; ++n) add(2, n, spec::kIntegerRegisters[n]);
      for (unsigned n = 0; n < 32; ++n) add(2, 32 + n, spec::kFloatRegisters[n]);
      add(2, kNoRegister, "-");
      break;
    case Names::Flags:
      add(2, 0, "-");
      for (unsigned flags = 1; flags < 32; ++flags) add(2, flags, flag_names(flags));
      break;
  }
  return names;
}

}  // namespace tessera::inspect::waves
