#include "sw/poplar/profile_summary.h"

#include <fmt/format.h>

#include <utility>

namespace tessera::runtime {

void print_cycles(std::ostream& os, const chip::Counters& counters) {
  os << fmt::format("\nCycles since the load:\n  Total: {}, {} supersteps\n", counters.cycles, counters.supersteps);
  for (const auto& [name, cycles] : {std::pair("Compute", counters.compute), std::pair("Sync", counters.sync),
                                     std::pair("Exchange", counters.exchange), std::pair("Host", counters.host)})
    os << fmt::format(
        "  {:<10}{:>14}  {:5.1f} %\n", name, cycles,
        counters.cycles == 0 ? 0.0 : 100.0 * static_cast<double>(cycles) / static_cast<double>(counters.cycles));
}

}  // namespace tessera::runtime
