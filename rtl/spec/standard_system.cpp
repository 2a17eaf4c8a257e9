#include "rtl/spec/standard_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace tessera::spec {
namespace {

struct Shape {
  uint32_t chips;
  Grid grid;
};
constexpr std::array<Shape, 6> kShapes = {{{2, {2, 1, false}},
                                           {4, {2, 2, false}},
                                           {8, {2, 4, false}},
                                           {16, {4, 4, true}},
                                           {32, {4, 8, true}},
                                           {64, {8, 8, true}}}};
constexpr uint32_t kRungLinks = 3, kOtherLinks = 2, kChipsOfGateway = 4;
// Between gateways: some 0.3 us over the switch of a rack; the rate is that of a gateway to a chip.
constexpr uint32_t kGatewayLinkLatency = 400;
// Whose links, hops and gateway the others have.
constexpr const char* kBlade = "m2000";

// A ring in the order of the gateways.
std::vector<GatewayLink> gateway_ring(const std::vector<Gateway>& gateways) {
  std::vector<GatewayLink> links;
  const auto count = static_cast<uint32_t>(gateways.size());
  for (uint32_t g = 0; g + 1 < count; ++g)
    links.push_back({{g, g + 1}, kGatewayLinkLatency, gateways[g].bytes_per_cycle});
  if (count > 2) links.push_back({{count - 1, 0}, kGatewayLinkLatency, gateways[0].bytes_per_cycle});
  return links;
}

// Each joins a chip to those beside it that have a larger number; ports are given out in that order.
std::vector<Link> links_of(const Grid& grid, uint32_t chips, const Link& like) {
  std::vector<Link> links;
  std::vector<uint32_t> next_port(chips);
  for (uint32_t chip = 0; chip < chips; ++chip)
    for (const uint32_t other : grid.beside(chip)) {
      if (other < chip) continue;
      const bool rung = !grid.torus && grid.row(chip) == grid.row(other);
      for (uint32_t i = 0; i < (rung ? kRungLinks : kOtherLinks); ++i) {
        links.push_back(like);
        links.back().ends = {ChipPort{chip, next_port[chip]++}, ChipPort{other, next_port[other]++}};
      }
    }
  return links;
}

}  // namespace

std::optional<System> standard_system(const std::string& name) {
  const size_t x = name.rfind('x');
  if (x == std::string::npos) return std::nullopt;
  const std::string machine = name.substr(0, x), number = name.substr(x + 1);
  const auto shape =
      std::find_if(kShapes.begin(), kShapes.end(), [&](const Shape& s) { return std::to_string(s.chips) == number; });
  const std::vector<std::string> machines = machine_names();
  if (shape == kShapes.end() || std::find(machines.begin(), machines.end(), machine) == machines.end())
    return std::nullopt;
  const System blade = load_system(kBlade);
  System system;
  system.name = name;
  system.chips.assign(shape->chips, load_machine(machine));
  system.grid = shape->grid;
  Link like = blade.links.front();
  like.bytes_per_cycle = 4 * system.chips.front().link_words;
  system.links = links_of(shape->grid, shape->chips, like);
  std::vector<uint32_t> all(shape->chips);
  for (uint32_t chip = 0; chip < shape->chips; ++chip) all[chip] = chip;
  for (const auto zone : {SyncGroup::Zone::kGs1, SyncGroup::Zone::kGs2})
    system.groups.push_back({zone, all, blade.groups.front().hop_latency});
  for (uint32_t first = 0; first + kChipsOfGateway <= shape->chips; first += kChipsOfGateway) {
    system.gateways.push_back(blade.gateways.front());
    system.gateways.back().name = fmt::format("gateway{}", first / kChipsOfGateway);
    system.gateways.back().chips = {first, first + 1, first + 2, first + 3};
  }
  system.gateway_links = gateway_ring(system.gateways);
  system.hosts = {{"host", all}};
  return system;
}

std::string standard_sizes() {
  std::string text;
  for (const Shape& shape : kShapes)
    text += (text.empty() ? "" : &shape == &kShapes.back() ? " or " : ", ") + std::to_string(shape.chips);
  return text;
}

}  // namespace tessera::spec
