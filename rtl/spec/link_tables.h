// What the host tells each chip of the links around it (docs/reference/link.md, Routes).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"
#include "rtl/spec/words.h"

namespace tessera::spec {

struct LinkTables {
  std::vector<RouteEntry> routes;  // by chip of the system
  std::vector<ChannelSite> sites;  // by channel
};
LinkTables link_tables(const System&, const Routes&, uint32_t chip);

}  // namespace tessera::spec
