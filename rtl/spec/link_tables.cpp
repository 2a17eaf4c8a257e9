#include "rtl/spec/link_tables.h"

#include <algorithm>

namespace tessera::spec {
namespace {

struct Channels {
  uint32_t first = 0, count = 0;
};

// Those of `chip` that lead to `other`, whose ports follow each other.
Channels channels_to(const System& system, const Routes& routes, uint32_t chip, uint32_t other) {
  const uint32_t words = system.chips[chip].link_words;
  uint32_t first = System::kLinkPorts;
  const std::vector<uint32_t> links = routes.links(chip, other);
  for (const uint32_t link : links)
    for (const ChipPort& end : system.links[link].ends)
      if (end.chip == chip) first = std::min(first, end.port);
  return {first * words, static_cast<uint32_t>(links.size()) * words};
}

}  // namespace

LinkTables link_tables(const System& system, const Routes& routes, uint32_t chip) {
  const uint32_t chips = static_cast<uint32_t>(system.chips.size());
  const auto upright = [&](uint32_t other) {
    return system.grid && system.grid->column(chip) == system.grid->column(other);
  };
  LinkTables tables;
  tables.routes.resize(chips);
  tables.sites.resize(system.chips[chip].links * system.chips[chip].link_words);
  for (uint32_t target = 0; target < chips; ++target) {
    if (target == chip) continue;
    const uint32_t next = routes.next(chip, target);
    const Channels channels = channels_to(system, routes, chip, next);
    RouteEntry& entry = tables.routes[target];
    entry.valid = 1;
    entry.wraps = routes.layer(nullptr, chip, next);
    entry.upright = upright(next);
    entry.first = channels.first;
    entry.count = channels.count;
    for (uint32_t i = 0; i < channels.count; ++i) {
      ChannelSite& site = tables.sites[channels.first + i];
      site.upright = upright(next);
      site.index = i;
    }
  }
  return tables;
}

}  // namespace tessera::spec
