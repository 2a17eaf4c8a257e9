// The sync zones of docs/reference/exchange.md: numbers and the names that every message, wave and trace gives them.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::chip {

enum SyncZone : uint8_t { kZoneLocal, kZoneExchange, kZoneInternal, kZoneExternal, kZoneHost, kZoneReceive };

constexpr std::array<const char*, 6> kZoneNames = {"local", "exchange", "internal", "external", "host", "receive"};

constexpr const char* zone_name(unsigned zone) { return zone < kZoneNames.size() ? kZoneNames[zone] : "unknown"; }

}  // namespace tessera::chip
