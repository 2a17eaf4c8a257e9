// exchange.sv against the page: what a tile hears in cycle y is what its source, selected in y - 1, showed in
// y - L(source, tile). The formula is written here once more, from docs/reference/exchange.md.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>
#include <vector>

#include "Vexchange.h"
#include "rtl/spec/machine.h"
#include "tb/port_bits.h"

using namespace tessera;
using test::get_field;
using test::set_field;

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

}  // namespace

TEST_CASE("every tile hears its selected source after exactly L cycles") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const unsigned tiles = m.tiles(), cycles = 3000;
  Vexchange exchange;
  exchange.rst_ni = 0;
  const auto clock = [&] {
    exchange.clk_i = 0;
    exchange.eval();
    exchange.clk_i = 1;
    exchange.eval();
  };
  clock();
  exchange.rst_ni = 1;

  std::mt19937 random(20240611);
  std::vector<std::vector<uint64_t>> shown(tiles, std::vector<uint64_t>(cycles));  // port, valid in bit 32
  std::vector<unsigned> select(tiles, 0x7ff);
  std::vector<std::vector<unsigned>> heard(tiles, std::vector<unsigned>(tiles));
  unsigned wrong = 0;
  for (unsigned y = 0; y < cycles; ++y) {
    // The inputs of tiles in cycle y follow from the selects of y - 1 and from words on their way.
    if (y > 200) {
      for (unsigned d = 0; d < tiles; ++d) {
        uint64_t expected = 0;
        if (select[d] < tiles) {
          expected = shown[select[d]][y - latency(m, select[d], d)];
          ++heard[d][select[d]];
        }
        wrong += get_field(exchange.words_o, 33 * d, 33) != expected;
      }
    }
    for (unsigned t = 0; t < tiles; ++t) {
      shown[t][y] = random() | uint64_t{random() % 4 != 0} << 32;
      set_field(exchange.words_i, 33 * t, 33, shown[t][y]);
      if (random() % 8 == 0) select[t] = random() % 16 == 0 ? 0x7ff : random() % tiles;
      set_field(exchange.selects_i, 11 * t, 11, select[t]);
    }
    clock();
  }
  CHECK(wrong == 0);
  for (unsigned d = 0; d < tiles; ++d)
    for (unsigned s = 0; s < tiles; ++s) CHECK(heard[d][s] > 0);
}

TEST_CASE("the description's latency is the page's") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  for (unsigned s = 0; s < m.tiles(); ++s)
    for (unsigned d = 0; d < m.tiles(); ++d) CHECK(static_cast<int>(m.latency(s, d)) == latency(m, s, d));
}
