// exchange_block.sv against docs/reference/edge.md: who is granted when, when words arrive, when the edge is idle.
#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "Vexchange_block.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/engine/port_bits.h"

using namespace tessera;
using chip::get_bit;
using chip::set_bit;
using chip::set_field;

namespace {

struct Tile {
  uint64_t request = ~0ull;  // cycle in which the request rises
  std::vector<uint32_t> words;
  uint64_t grant = ~0ull;
};

struct DownWord {
  bool first, last;
  uint32_t data;
};

}  // namespace

TEST_CASE("packets are served by request cycle and tile, each word in its cycle") {
  const auto m = spec::load_machine("mk2-16");
  const uint64_t e = m.edge_latency;
  const unsigned gap = GENERATE(20u, 400u, 3000u);  // mean time between a tile's packets
  std::mt19937 random(gap);
  Vexchange_block dut;
  std::vector<Tile> tiles(m.tiles());
  const auto prepare = [&](unsigned t, uint64_t from) {
    Tile& tile = tiles[t];
    tile.request = from + 6 + random() % gap;
    tile.words.assign(2 + random() % 30, 0);
    for (auto& word : tile.words) word = random();
    const auto header = [&](size_t words, uint32_t kind) {
      return spec::PacketHeader{.words = static_cast<uint32_t>(words), .tile = t, .kind = kind}.encode();
    };
    tile.words[0] = header(tile.words.size() - 2, static_cast<uint32_t>(random() % 3));
    if (random() % 3 == 0)
      tile.words = {header(1 + static_cast<uint32_t>(random()) % 20, spec::PacketKind::kReadHost), 0x40, 0x80000};
    tile.grant = ~0ull;
  };
  for (unsigned t = 0; t < m.tiles(); ++t) prepare(t, 10);

  std::set<std::pair<uint64_t, unsigned>> waiting;
  uint64_t free = 0;                                 // F
  std::map<uint64_t, std::pair<bool, uint32_t>> up;  // cycle at the host port -> last, data
  std::map<uint64_t, DownWord> down_in, down_out;
  uint64_t down_free = 0;
  std::map<uint64_t, int> in_flight_change;  // cycle -> reads more or less
  unsigned packets = 0, wrong = 0;
  int reads = 0;

  dut.rst_ni = 0;
  for (uint64_t y = 0; y < 30000; ++y) {
    dut.rst_ni = y > 2;
    dut.clk_i = 0;
    for (unsigned t = 0; t < m.tiles(); ++t) {
      Tile& tile = tiles[t];
      const bool requesting = y >= tile.request && tile.grant == ~0ull;
      if (y == tile.request) waiting.insert({y, t});
      set_bit(dut.request_i, t, requesting);
      const uint64_t first = tile.grant + 3, count = tile.words.size();
      const bool valid = tile.grant != ~0ull && y >= first && y < first + count;
      set_field(dut.words_i, 34 * t, 34,
                valid ? uint64_t{1} << 33 | uint64_t{y == first + count - 1} << 32 | tile.words[y - first]
                      : random() & 0xffffffff);
      // The next instruction issues in grant + 1 + count; the last word is on the port until two cycles later.
      if (tile.grant != ~0ull && y == first + count) prepare(t, y - 2);
    }
    const auto in = down_in.find(y);
    dut.down_valid_i = in != down_in.end();
    if (dut.down_valid_i) {
      dut.down_first_i = in->second.first;
      dut.down_last_i = in->second.last;
      dut.down_data_i = in->second.data;
    }
    dut.eval();

    // Words at the host port; a read is answered after a random time, one down packet after the other.
    const auto word = up.find(y);
    wrong += dut.up_valid_o != (word != up.end());
    if (word != up.end()) {
      wrong += dut.up_last_o != word->second.first || dut.up_data_o != word->second.second;
      up.erase(word);
    }
    const auto out = down_out.find(y);
    wrong += dut.down_valid_o != (out != down_out.end());
    if (out != down_out.end()) wrong += dut.down_first_o != out->second.first || dut.down_data_o != out->second.data;

    reads += in_flight_change[y];
    wrong += dut.idle_o != (waiting.empty() && y >= free && reads == 0);

    for (unsigned t = 0; t < m.tiles(); ++t) {
      if (!get_bit(dut.grant_o, t)) continue;
      ++packets;
      Tile& tile = tiles[t];
      REQUIRE_FALSE(waiting.empty());
      CHECK(waiting.begin()->second == t);
      CHECK(y == std::max(free, tile.request + e) + e);
      waiting.erase(waiting.begin());
      tile.grant = y;
      free = y + 1 + tile.words.size() + e;
      for (size_t i = 0; i < tile.words.size(); ++i) up[y + 2 + i + e] = {i + 1 == tile.words.size(), tile.words[i]};
      const auto header = spec::PacketHeader::decode(tile.words[0]);
      if (header.kind == spec::PacketKind::kReadHost && tile.words.size() == 3 && header.words != 0) {
        const unsigned n = header.words;
        const uint64_t start = std::max(free + 100 + random() % 200, down_free);
        down_free = start + n + 2;
        ++in_flight_change[free];
        --in_flight_change[start + e + n + 2];
        for (unsigned i = 0; i < n + 2; ++i) {
          const DownWord w{i == 0, i == n + 1, static_cast<uint32_t>(random())};
          down_in[start + i] = w;
          down_out[start + e + i] = w;
        }
      }
    }
    dut.clk_i = 1;
    dut.eval();
  }
  CHECK(wrong == 0);
  CHECK(packets > 100);
}
