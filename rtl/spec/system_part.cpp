#include "rtl/spec/system_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tessera::spec {
namespace {

// The members that are in the part, by their numbers there.
std::vector<uint32_t> within(const std::vector<uint32_t>& chips, uint32_t first, uint32_t last) {
  std::vector<uint32_t> inside;
  for (const uint32_t chip : chips)
    if (chip >= first && chip <= last) inside.push_back(chip - first);
  return inside;
}

// Whole rows of a torus are one only where the last is beside the first all the same.
std::optional<Grid> grid_of(const System& whole, uint32_t first, uint32_t chips) {
  if (!whole.grid || chips == 1) return std::nullopt;
  Grid grid = *whole.grid;
  if (first % grid.columns != 0 || chips % grid.columns != 0) return std::nullopt;
  constexpr uint32_t kRowsOfEveryTorus = 2;
  const uint32_t rows = chips / grid.columns;
  if (grid.torus && rows != grid.rows && rows > kRowsOfEveryTorus) return std::nullopt;
  grid.rows = rows;
  return grid;
}

template <class Named>
std::vector<Named> named_within(const std::vector<Named>& objects, uint32_t first, uint32_t last) {
  std::vector<Named> inside;
  for (Named object : objects) {
    object.chips = within(object.chips, first, last);
    if (!object.chips.empty()) inside.push_back(std::move(object));
  }
  return inside;
}

// The links of a system both of whose gateways a part has, by their numbers there.
std::vector<GatewayLink> links_among(const std::vector<Gateway>& gateways, const System& whole) {
  std::vector<GatewayLink> inside;
  for (GatewayLink link : whole.gateway_links) {
    bool there = true;
    for (uint32_t& end : link.ends) {
      const auto at = std::ranges::find(gateways, whole.gateways[end].name, &Gateway::name);
      there &= at != gateways.end();
      end = static_cast<uint32_t>(at - gateways.begin());
    }
    if (there) inside.push_back(link);
  }
  return inside;
}

std::optional<uint32_t> number(const std::string& text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

System system_part(const System& whole, uint32_t first, uint32_t last) {
  const auto size = static_cast<uint32_t>(whole.chips.size());
  const std::string name = part_text(whole.name, first, last);
  if (first > last) throw SystemError(fmt::format("system {}: chip {} comes behind chip {}", name, first, last));
  if (last >= size)
    throw SystemError(
        fmt::format("system {}: there is no chip {}: {} has {}, from 0 on", name, last, whole.name, size));
  System part;
  part.name = name;
  part.chips.assign(whole.chips.begin() + first, whole.chips.begin() + last + 1);
  for (Link link : whole.links) {
    if (std::any_of(link.ends.begin(), link.ends.end(),
                    [&](const ChipPort& end) { return end.chip < first || end.chip > last; }))
      continue;
    for (ChipPort& end : link.ends) end.chip -= first;
    part.links.push_back(link);
  }
  part.grid = grid_of(whole, first, last - first + 1);
  for (SyncGroup group : whole.groups) {
    group.members = within(group.members, first, last);
    if (group.members.size() > 1) part.groups.push_back(std::move(group));
  }
  part.gateways = named_within(whole.gateways, first, last);
  part.gateway_links = links_among(part.gateways, whole);
  part.hosts = named_within(whole.hosts, first, last);
  check_system(part);
  return part;
}

std::optional<PartName> part_name(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const std::string chips = text.substr(colon + 1);
  const size_t dash = chips.find('-');
  const auto first = number(chips.substr(0, dash));
  const auto last = dash == std::string::npos ? first : number(chips.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return PartName{text.substr(0, colon), *first, *last};
}

std::string part_text(const std::string& whole, uint32_t first, uint32_t last) {
  return first == last ? fmt::format("{}:{}", whole, first) : fmt::format("{}:{}-{}", whole, first, last);
}

}  // namespace tessera::spec
