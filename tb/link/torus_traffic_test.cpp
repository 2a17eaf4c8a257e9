// Random packets from all exchange blocks of the chips of a torus to all their tiles, as many as the links take
// (sim/engine/link_edge.h, docs/reference/link.md): none is lost, doubled or out of place, those of a block for a tile
// stay in their order, and the links carry what they can.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "rtl/spec/link_tables.h"
#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"
#include "rtl/spec/words.h"
#include "sim/engine/link_edge.h"
#include "tb/tier.h"

using namespace tessera;
using chip::LinkEdge;

namespace {

constexpr uint32_t kPayload = spec::kMostLinkWords;
constexpr unsigned kPacket = kPayload + 2;

struct End {
  uint32_t chip = 0;
  unsigned channel = 0;
};

// Words of a cycle between the halves of a torus, each way, when each chip gives a word: of packets to random other
// chips, those that cross share the links that do.
double bisection_bound(const spec::System& system) {
  const spec::Grid& grid = *system.grid;
  const double chips = static_cast<double>(system.chips.size());
  double across = 0;  // words a cycle, one way, between the left columns and the right ones
  for (const spec::Link& link : system.links) {
    const bool left = grid.column(link.ends[0].chip) < grid.columns / 2;
    if (left != (grid.column(link.ends[1].chip) < grid.columns / 2)) across += link.bytes_per_cycle / 4.0;
  }
  const double crossing = chips / 2 / (chips - 1);  // of a chip's packets
  return across / (chips / 2 * crossing);
}

}  // namespace

TEST_CASE("random packets of all blocks to all tiles of a torus") {
  const spec::System system = spec::load_system("mk2-16x16");
  const spec::Machine& m = system.chips[0];
  const spec::Routes routes(system);
  const auto number = static_cast<uint32_t>(system.chips.size());
  const unsigned channels = m.links * m.link_words, blocks = m.blocks();
  const uint64_t latency = system.links[0].latency;
  std::vector<LinkEdge> chips;
  std::vector<std::vector<End>> other(number, std::vector<End>(channels, End{number, 0}));
  for (uint32_t c = 0; c < number; ++c) {
    LinkEdge& edge = chips.emplace_back(m);
    edge.set(c);
    const spec::LinkTables tables = spec::link_tables(system, routes, c);
    for (uint32_t i = 0; i < tables.routes.size(); ++i) edge.set(i, tables.routes[i]);
    for (unsigned i = 0; i < channels; ++i) edge.set(i, tables.sites[i]);
  }
  for (const spec::Link& link : system.links) {
    REQUIRE(link.latency == latency);
    for (unsigned e = 0; e < 2; ++e)
      for (unsigned w = 0; w < m.link_words; ++w)
        other[link.ends[e].chip][link.ends[e].port * m.link_words + w] = {link.ends[1 - e].chip,
                                                                          link.ends[1 - e].port * m.link_words + w};
  }

  struct Source {
    std::vector<uint32_t> words;
    size_t sent = 0;
    uint32_t numbers = 0;  // of packets before
  };
  std::mt19937 random(1);
  const uint64_t packets = test::in_tier(20'000, 1'000'000);
  std::vector<std::vector<Source>> sources(number, std::vector<Source>(blocks));
  std::vector<std::vector<std::vector<uint32_t>>> coming(number, std::vector<std::vector<uint32_t>>(blocks));
  std::map<std::array<uint32_t, 4>, std::deque<uint32_t>>
      expected;  // numbers of packets by source, target chip and tile
  std::vector<std::deque<LinkEdge::Outputs>> wires(number);
  for (uint32_t c = 0; c < number; ++c) wires[c].assign(latency - 1, chips[c].outputs());

  uint64_t begun = 0, received = 0, wrong = 0, cycle = 0, full_cycles = 0, full_words = 0;
  for (; received < packets && cycle < 100 * packets; ++cycle) {
    uint64_t words = 0;
    for (uint32_t c = 0; c < number; ++c) {
      const LinkEdge::Outputs& out = chips[c].outputs();
      wires[c].push_back(out);
      for (unsigned b = 0; b < blocks; ++b) {
        if (!out.down[b].valid) continue;
        ++words;
        coming[c][b].push_back(out.down[b].data);
        if (!out.down[b].last) continue;
        const std::vector<uint32_t> packet = std::exchange(coming[c][b], {});
        ++received;
        const auto header = spec::PacketHeader::decode(packet[0]);
        auto& of_pair = expected[{packet[1], packet[2], header.chip, header.tile}];
        const bool right = packet.size() == kPacket && header.chip == c && m.block_of(header.tile) == b &&
                           !of_pair.empty() && of_pair.front() == packet[3] &&
                           std::all_of(packet.begin() + 3, packet.end(), [&](uint32_t w) { return w == packet[3]; });
        wrong += !right;
        if (!of_pair.empty()) of_pair.pop_front();
      }
    }
    // Between filling and emptying.
    if (received > packets / 10 && begun < packets) {
      ++full_cycles;
      full_words += words;
    }
    for (uint32_t c = 0; c < number; ++c) {
      LinkEdge::Inputs in{std::vector<LinkEdge::Word>(blocks), std::vector<LinkEdge::Word>(channels),
                          std::vector<LinkEdge::Credits>(channels), false};
      for (unsigned i = 0; i < channels; ++i) {
        const End& from = other[c][i];
        if (from.chip == number) continue;
        in.channels[i] = wires[from.chip].front().channels[from.channel];
        in.credits[i] = wires[from.chip].front().credits[from.channel];
      }
      for (unsigned b = 0; b < blocks; ++b) {
        Source& source = sources[c][b];
        if (source.words.empty() && begun < packets) {
          ++begun;
          const uint32_t target = (c + 1 + static_cast<uint32_t>(random() % (number - 1))) % number;
          const auto tile = static_cast<uint32_t>(random() % m.tiles());
          source.sent = 0;
          source.words.assign(kPacket, source.numbers);
          source.words[0] =
              spec::PacketHeader{.words = kPayload, .chip = target, .tile = tile, .kind = spec::PacketKind::kWriteTile}
                  .encode();
          source.words[1] = c;
          source.words[2] = b;
          expected[{c, b, target, tile}].push_back(source.numbers++);
        }
        if (!source.words.empty())
          in.blocks[b] = {true, source.sent + 1 == kPacket, false, 0, source.words[source.sent]};
      }
      const std::vector<bool> taken = chips[c].step(in);
      for (unsigned b = 0; b < blocks; ++b)
        if (taken[b] && ++sources[c][b].sent == kPacket) sources[c][b].words.clear();
    }
    for (auto& wire : wires) wire.pop_front();
  }
  CHECK(received == packets);
  CHECK(wrong == 0);
  for (const auto& [pair, left] : expected) CHECK(left.empty());
  const double throughput = static_cast<double>(full_words) / static_cast<double>(full_cycles) / number;
  const double bound = bisection_bound(system);
  std::printf("%llu random packets on %s, %llu wrong; %.3f words a cycle and chip, %.3f of the bisection bound\n",
              static_cast<unsigned long long>(received), system.name.c_str(), static_cast<unsigned long long>(wrong),
              throughput, throughput / bound);
  CHECK(throughput / bound > 0.75);
}
