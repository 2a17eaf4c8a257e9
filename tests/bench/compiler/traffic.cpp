// How near the schedules of exchange phases come to what the busiest tile needs, and the longest latency of the phase.
// A tile needs a cycle for each word that it sends, for each that it receives, and for each event: words go both ways
// at once, events do not.
#include <algorithm>
#include <random>
#include <vector>

#include "compiler/passes/exchange/schedule_exchange.h"
#include "rtl/spec/machine.h"
#include "tests/bench/figure.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

constexpr unsigned kSeeds = 50, kTransfers = 2000, kMostWords = 16;
constexpr std::uint32_t kWrite = 2;  // cycles from the port to memory

void add(Traffic& traffic, std::uint32_t source, const std::vector<std::uint32_t>& to, std::uint32_t words) {
  traffic.transfers.push_back({.source = source,
                               .words = words,
                               .first_receiver = static_cast<std::uint32_t>(traffic.receivers.size()),
                               .receivers = static_cast<std::uint32_t>(to.size())});
  for (const std::uint32_t tile : to) traffic.receivers.push_back({tile, {}});
}

// Each transfer goes to at most `most_receivers` other tiles.
Traffic random_traffic(std::uint32_t tiles, unsigned seed, unsigned most_receivers) {
  std::mt19937 random(seed);
  Traffic traffic;
  for (unsigned n = 0; n < kTransfers; ++n) {
    const std::uint32_t source = random() % tiles;
    const std::size_t receivers = 1 + random() % most_receivers;
    std::vector<std::uint32_t> to;
    while (to.size() < receivers) {
      const std::uint32_t tile = random() % tiles;
      if (tile != source && std::find(to.begin(), to.end(), tile) == to.end()) to.push_back(tile);
    }
    add(traffic, source, to, 1 + random() % kMostWords);
  }
  return traffic;
}

double times_the_bound(const Traffic& traffic, const spec::Machine& machine) {
  std::vector<std::uint64_t> sent(machine.tiles()), received(machine.tiles()), events(machine.tiles());
  std::uint32_t latency = 0;
  for (const Transfer& t : traffic.transfers) {
    sent[t.source] += t.words;
    ++events[t.source];
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
      const std::uint32_t tile = traffic.receivers[r].tile;
      received[tile] += t.words;
      ++events[tile];
      latency = std::max(latency, machine.latency(t.source, tile));
    }
  }
  std::uint64_t busiest = 0;
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile)
    busiest = std::max({busiest, sent[tile], received[tile], events[tile]});
  return schedule_exchange(traffic, machine).cycles / static_cast<double>(busiest + latency + kWrite);
}

void random_phases(const char* name, unsigned most_receivers) {
  const spec::Machine machine = spec::load_machine("mk2-64");
  double worst = 0, sum = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const double times = times_the_bound(random_traffic(machine.tiles(), seed, most_receivers), machine);
    worst = std::max(worst, times);
    sum += times;
  }
  print_figure(name, worst, "times the bound", Goal::kAtMost, 1.1,
               {{"mean", sum / kSeeds}, {"seeds", kSeeds}, {"most receivers", most_receivers}, {"machine", "mk2-64"}});
}

void all_to_all() {
  const spec::Machine machine = spec::load_machine("mk2");
  Traffic traffic;
  for (std::uint32_t source = 0; source < machine.tiles(); ++source)
    for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile)
      if (tile != source) add(traffic, source, {tile}, 1);
  print_figure("compiler_traffic_all_to_all", times_the_bound(traffic, machine), "times the bound", Goal::kAtMost, 1.15,
               {{"machine", "mk2"}, {"words", 1}});
}

}  // namespace

int main() {
  random_phases("compiler_traffic_random", 1);
  random_phases("compiler_traffic_random_multicast", 3);
  all_to_all();
}
