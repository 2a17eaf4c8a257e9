// exchange.sv against the page: what a tile hears in cycle y is what its source, selected in y - 11 - 2 * row, showed
// in y - L(source, tile). The formula is written here once more, from docs/reference/exchange.md.
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "Vexchange.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "sim/engine/exchange_wires.h"
#include "sim/engine/port_bits.h"

using namespace tessera;
using chip::get_bit;
using chip::get_field;
using chip::set_bit;
using chip::set_field;

namespace {

struct Place {
  int lane, k, row, h, f;
};

Place place(const spec::Machine& m, int tile) {
  const int lanes = m.lanes, columns = m.columns, half = columns / 2;
  Place p{tile % lanes, tile / lanes % columns, tile / lanes / columns, 0, 0};
  p.h = p.k >= half;
  p.f = p.k < half ? p.k : columns - 1 - p.k;
  return p;
}

int latency(const spec::Machine& m, int source, int destination) {
  const Place s = place(m, source), d = place(m, destination);
  const int columns = m.columns, half = columns / 2;
  const int e = d.lane >= 2 ? (d.h == d.lane % 2 ? 2 : 4) : (d.h == d.lane % 2 ? 1 : 5);
  const int distance = 6 * (d.f - s.f - (s.h ^ (s.lane % 2))) + e;
  const int turn = s.h == d.h ? s.k % half + 1 : columns - s.k % half;
  const int t = half * s.h + 3 - d.k + 4 * (s.f - d.f) + turn + std::abs(distance) - 34;
  return 52 + t + s.row + d.row;
}

// The exchange with what its tiles show and select, cycle by cycle.
class Wires {
 public:
  explicit Wires(const spec::Machine& machine) : m(machine), tiles(machine.tiles()) {
    exchange_.rst_ni = 0;
    for (unsigned n = 0; n < 4; ++n) clock();
    exchange_.rst_ni = 1;
  }

  // Valid in bit 32.
  uint64_t heard(unsigned tile) const {
    return get_field(exchange_.data_o, 32 * tile, 32) | uint64_t{get_bit(exchange_.valid_o, tile)} << 32;
  }
  void show(unsigned tile, uint64_t word) {
    set_field(exchange_.data_i, 32 * tile, 32, word & 0xffffffff);
    set_bit(exchange_.valid_i, tile, word >> 32 & 1);
  }
  // Of the other tile of its pair, and what it sends by that one's port.
  uint64_t heard_by_pair(unsigned tile) const {
    return get_field(exchange_.pair_data_o, 32 * tile, 32) | uint64_t{get_bit(exchange_.pair_valid_o, tile)} << 32;
  }
  void show_for_pair(unsigned tile, uint64_t word, bool listens) {
    set_field(exchange_.pair_data_i, 32 * tile, 32, word & 0xffffffff);
    set_bit(exchange_.pair_valid_i, tile, word >> 32 & 1);
    set_bit(exchange_.paired_i, tile, listens);
  }
  void select(unsigned tile, unsigned source) { set_field(exchange_.selects_i, 11 * tile, 11, source); }
  void clock() {
    exchange_.clk_i = 0;
    exchange_.eval();
    exchange_.clk_i = 1;
    exchange_.eval();
  }
  // From a tile's selection to the word on its input, a cycle before it is in the tile's register, to which L counts.
  unsigned wait(unsigned tile) const { return 10 + 2 * (tile / (m.lanes * m.columns)); }

  const spec::Machine m;
  const unsigned tiles;

 private:
  Vexchange exchange_;
};

}  // namespace

TEST_CASE("every tile hears what it selected after exactly L cycles, and nothing when it selects none") {
  Wires wires(spec::load_machine(TESSERA_TEST_MACHINE));
  constexpr unsigned kCycles = 3000, kFirst = 300;
  std::mt19937 random(20240611);
  std::vector<std::vector<uint64_t>> shown(wires.tiles, std::vector<uint64_t>(kCycles));
  std::vector<std::vector<unsigned>> selects(wires.tiles, std::vector<unsigned>(kCycles));
  unsigned wrong = 0;
  for (unsigned y = 0; y < kCycles; ++y) {
    for (unsigned d = 0; d < wires.tiles && y > kFirst; ++d) {
      const unsigned source = selects[d][y - wires.wait(d)];
      const uint64_t expected = source < wires.tiles ? shown[source][y + 1 - latency(wires.m, source, d)] : 0;
      wrong += expected >> 32 != wires.heard(d) >> 32 || (expected >> 32 != 0 && expected != wires.heard(d));
    }
    for (unsigned t = 0; t < wires.tiles; ++t) {
      shown[t][y] = random() | uint64_t{random() % 4 != 0} << 32;
      wires.show(t, shown[t][y]);
      selects[t][y] = y != 0 && random() % 8 != 0 ? selects[t][y - 1]
                      : random() % 16 == 0        ? unsigned{spec::kNoTile}
                                                  : random() % wires.tiles;
      wires.select(t, selects[t][y]);
    }
    wires.clock();
  }
  CHECK(wrong == 0);
}

TEST_CASE("the latency of every pair of tiles is the formula's") {
  Wires wires(spec::load_machine(TESSERA_TEST_MACHINE));
  constexpr unsigned kFirst = 300, kAfter = 300;
  const auto word = [](unsigned tile, unsigned cycle) {
    return uint64_t{1} << 32 | static_cast<uint32_t>(tile * 2654435761u ^ (cycle * 40503u + 12345));
  };
  const auto source = [&](unsigned tile, unsigned cycle) { return (tile + cycle - kFirst) % wires.tiles; };
  std::size_t equal = 0;
  for (unsigned y = 0; y < kFirst + wires.tiles + kAfter; ++y) {
    for (unsigned d = 0; d < wires.tiles && y >= kFirst + wires.wait(d); ++d) {
      const unsigned selected = y - wires.wait(d);
      if (selected >= kFirst + wires.tiles) continue;
      const unsigned s = source(d, selected);
      equal += wires.heard(d) == word(s, y + 1 - latency(wires.m, s, d));
    }
    for (unsigned t = 0; t < wires.tiles; ++t) {
      wires.show(t, word(t, y));
      wires.select(t, y < kFirst ? unsigned{spec::kNoTile} : source(t, y));
    }
    wires.clock();
  }
  std::printf("%zu of %u pairs equal the formula\n", equal, wires.tiles * wires.tiles);
  CHECK(equal == std::size_t{wires.tiles} * wires.tiles);
}

TEST_CASE("random schedules of all tiles bring the same words as the engine's wires, in every cycle") {
  Wires wires(spec::load_machine(TESSERA_TEST_MACHINE));
  chip::ExchangeWires engine(wires.m, 0);
  constexpr unsigned kSchedules = 20, kCycles = 400;
  std::vector<uint64_t> left(wires.tiles);  // of the run of words that a tile sends, or of the pause behind it
  std::vector<bool> sends(wires.tiles);
  std::vector<std::vector<unsigned>> selects(wires.tiles, std::vector<unsigned>(kSchedules * kCycles, spec::kNoTile));
  std::vector<unsigned> listens(wires.tiles);
  std::vector<bool> in_pairs(wires.tiles), hears_pair(wires.tiles);
  std::size_t words = 0, different = 0, of_pairs = 0, lost = 0;
  for (unsigned schedule = 0; schedule < kSchedules; ++schedule) {
    std::mt19937 random(7000 + schedule);
    const unsigned longest = 1 + random() % 100;
    for (unsigned y = schedule * kCycles; y < (schedule + 1) * kCycles; ++y) {
      for (unsigned d = 0; d < wires.tiles && y >= wires.wait(d); ++d) {
        const unsigned source = selects[d][y - wires.wait(d)];
        uint32_t data = 0;
        const bool valid = source < wires.tiles && y + 1 >= wires.m.latency(source, d) &&
                           engine.sent(source, y + 1 - wires.m.latency(source, d), data);
        const uint64_t heard = wires.heard(d);
        words += valid;
        different += valid ? heard != (uint64_t{1} << 32 | data) : heard >> 32 != 0;
        const uint64_t by_pair = wires.m.pairs() ? wires.heard(spec::Machine::pair_of(d)) : 0;
        const uint64_t expected = hears_pair[d] ? by_pair : 0, got = wires.heard_by_pair(d);
        different += got >> 32 != expected >> 32 || (got >> 32 != 0 && got != expected);
        of_pairs += got >> 32;
      }
      for (unsigned t = 0; t < wires.tiles; ++t) {
        if (left[t] == 0) {
          sends[t] = !sends[t];
          in_pairs[t] = sends[t] && random() % 3 == 0;
          left[t] = 1 + random() % longest;
        }
        --left[t];
        const uint32_t word = random();
        if (sends[t]) engine.send(t, y, word);
        wires.show(t, sends[t] ? word | uint64_t{1} << 32 : 0);
        // In a pair it sends half of its words by the port of the other, whose own words are lost with them.
        const uint32_t high = ~word;
        if (in_pairs[t] && wires.m.pairs()) {
          lost += sends[spec::Machine::pair_of(t)];
          engine.send(spec::Machine::pair_of(t), y, high);
        }
        if (y % 32 == 0) hears_pair[t] = random() % 2 == 0;
        wires.show_for_pair(t, in_pairs[t] ? high | uint64_t{1} << 32 : 0, hears_pair[t]);
        if (listens[t] == 0) {
          listens[t] = 1 + random() % longest;
          selects[t][y] = random() % 8 == 0 ? unsigned{spec::kNoTile} : random() % wires.tiles;
        } else {
          selects[t][y] = selects[t][y - 1];
        }
        --listens[t];
        wires.select(t, selects[t][y]);
      }
      wires.clock();
    }
  }
  std::printf("%u schedules of %u tiles, %zu words, %zu differences\n", kSchedules, wires.tiles, words, different);
  CHECK(different == 0);
  CHECK(words > std::size_t{wires.tiles} * kSchedules * kCycles / 5);
  CHECK((of_pairs > words / 3) == wires.m.pairs());
  CHECK((lost > 0) == wires.m.pairs());
}

TEST_CASE("the description's latency is the page's") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  for (unsigned s = 0; s < m.tiles(); ++s)
    for (unsigned d = 0; d < m.tiles(); ++d) CHECK(static_cast<int>(m.latency(s, d)) == latency(m, s, d));
}
