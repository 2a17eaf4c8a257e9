#include "sw/poplar/profile_summary.h"

#include <fmt/format.h>

#include <utility>

namespace tessera::runtime {

void print_cycles(std::ostream& os, const chip::Counters& counters) {
  os << fmt::format("\nCycles since the load:\n  Total: {}, {} supersteps\n", counters.cycles, counters.supersteps);
  for (const auto& [name, cycles] : {std::pair("Compute", counters.compute), std::pair("Sync", counters.sync),
                                     std::pair("Exchange", counters.exchange), std::pair("Transfer", counters.transfer),
                                     std::pair("Host", counters.host)})
    os << fmt::format(
        "  {:<10}{:>14}  {:5.1f} %\n", name, cycles,
        counters.cycles == 0 ? 0.0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(counters.cycles));
}

poplar::ProfileValue graph_profile(const image::Executable& executable) {
  using image::TileUsage;
  using poplar::ProfileValue;
  ProfileValue target, by_tile, memory, out;
  size_t tiles = 0;
  for (const image::ChipImage& chip : executable.chips) tiles += chip.tiles.size();
  target["machine"] = executable.chips.front().machine;
  target["tiles"] = tiles;
  const auto add = [&](const char* name, auto member) {
    ProfileValue::Vector values;
    for (const image::ChipImage& chip : executable.chips)
      for (const TileUsage& tile : chip.usage) values.emplace_back(tile.*member);
    by_tile[name] = std::move(values);
  };
  add("total", &TileUsage::total);
  add("available", &TileUsage::available);
  add("codelets", &TileUsage::text);
  add("controlCode", &TileUsage::control);
  add("exchangeEvents", &TileUsage::events);
  add("variables", &TileUsage::variables);
  add("vertexState", &TileUsage::vertices);
  add("buffers", &TileUsage::buffers);
  add("stacks", &TileUsage::stacks);
  add("alwaysLive", &TileUsage::always_live);
  add("notAlwaysLive", &TileUsage::not_always_live);
  memory["byTile"] = std::move(by_tile);
  out["target"] = std::move(target);
  out["memory"] = std::move(memory);
  out["hostBytes"] = executable.host.bytes;
  return out;
}

poplar::ProfileValue execution_profile(const chip::Counters& counters) {
  poplar::ProfileValue cycles, out;
  cycles["total"] = counters.cycles;
  cycles["compute"] = counters.compute;
  cycles["sync"] = counters.sync;
  cycles["exchange"] = counters.exchange;
  cycles["transfer"] = counters.transfer;
  cycles["host"] = counters.host;
  out["supersteps"] = counters.supersteps;
  out["cycles"] = std::move(cycles);
  return out;
}

}  // namespace tessera::runtime
