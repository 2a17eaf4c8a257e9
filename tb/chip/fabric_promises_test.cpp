// What tiles and the host promise to the fabric (assertions of rtl/chip/fabric.sv and below): four tiles that keep
// every promise run syncs of all zones, exchange and packets, and one excepts; then each promise is broken once, and
// the assertion that says so has to fail.
#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "Vfabric.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "sim/engine/port_bits.h"

using namespace tessera;
using chip::get_bit;
using chip::get_word;
using chip::set_bit;
using chip::set_field;
using chip::set_word;
using spec::SyncZone;

namespace {

constexpr unsigned kTiles = 4;
constexpr uint64_t kLength = 4000, kExcepts = 3700;
constexpr unsigned kExcepted = 2;

struct Shown {  // by a tile, in a cycle
  bool request = false;
  unsigned zone = 0;
  bool value = false;
  bool sent = false;
  unsigned select = spec::kNoTile;
  bool packet_request = false;
  bool word = false, last = false;
  bool for_pair = false;
  uint32_t data = 0;
  bool exception = false;
};

// Works, asks for the next zone of the list, does what one may do behind it, and so on.
struct Tile {
  enum class Does { kWorks, kAsks, kAsksForGrant, kSends } does = Does::kWorks;
  uint64_t until = 0;  // works
  unsigned syncs = 0;
  bool value = false;
  uint64_t since = 0;  // in which what it does began
  unsigned words = 0;  // of a packet, left
  bool excepted = false;
};

struct Down {
  bool valid = false, first = false, last = false;
};

class Bench {
 public:
  // What a promise is broken by: what a tile shows, or the host's side, in a cycle.
  using OfTile = std::function<void(uint64_t cycle, unsigned tile, const Tile&, Shown&)>;
  using OfHost = std::function<void(uint64_t cycle, Down&)>;

  void run(const OfTile& tile_fault, const OfHost& host_fault) {
    std::mt19937 random(5);
    top_.alike_i = 1;
    for (uint64_t y = 0; y < kLength; ++y) {
      top_.rst_ni = y > 2;
      for (unsigned t = 0; t < kTiles; ++t) {
        Shown shown = y > 2 ? show(y, t, random) : Shown();
        if (tile_fault) tile_fault(y, t, tiles[t], shown);
        set(t, shown);
      }
      Down down = response(y);
      if (host_fault) host_fault(y, down);
      top_.down_i = spec::PacketDown{.last = down.last, .first = down.first, .valid = down.valid}.encode();
      const bool marks = top_.host_waiting_o && random() % 16 == 0;
      top_.mmio_i = spec::HostAccess{.wdata = 7, .address = spec::kRegMark, .write = marks, .valid = marks}.encode();
      top_.cycle_i = y;
      top_.clk_i = top_.clk_host_i = 0;
      top_.eval();
      if (y > 2) follow(y, random);
      top_.clk_i = top_.clk_host_i = 1;
      top_.eval();
    }
  }

  std::vector<Tile> tiles{kTiles};
  unsigned acknowledged = 0, granted = 0, answered = 0;
  bool in_response = false;

 private:
  unsigned zone_of(unsigned sync) const {
    constexpr unsigned kZones[] = {SyncZone::kExternal, SyncZone::kInternal, SyncZone::kInternal, SyncZone::kHost,
                                   SyncZone::kAutomatic};
    return kZones[sync % 5];
  }
  Shown show(uint64_t y, unsigned t, std::mt19937& random) {
    Tile& tile = tiles[t];
    Shown shown;
    if (t == kExcepted && y >= kExcepts) tile.excepted = true;
    if (tile.excepted) {
      shown.exception = true;
      return shown;
    }
    if (tile.does == Tile::Does::kWorks && y >= tile.until) {
      tile.does = Tile::Does::kAsks;
      tile.since = y;
      tile.value = random() % 2 != 0;
    }
    switch (tile.does) {
      case Tile::Does::kWorks:
        if (tile.syncs % 5 == 2 && y > tile.since + 5 && y < tile.since + 12) {
          shown.sent = true;
          shown.select = (t + 1) % kTiles;
        }
        break;
      case Tile::Does::kAsks:
        shown.request = true;
        shown.zone = zone_of(tile.syncs);
        shown.value = tile.value || shown.zone == SyncZone::kAutomatic;
        break;
      case Tile::Does::kAsksForGrant:
        shown.packet_request = true;
        break;
      case Tile::Does::kSends:
        if (y < tile.since + 3) break;
        shown.word = true;
        shown.last = --tile.words == 0;
        shown.data = tile.words == 2
                         ? spec::PacketHeader{.words = 1, .tile = t, .kind = spec::PacketKind::kReadHost}.encode()
                         : 0x80000;
        if (shown.last) {
          tile.does = Tile::Does::kWorks;
          tile.until = y + 60;
          tile.since = y;
        }
        break;
    }
    return shown;
  }
  // What the fabric gives in the cycle.
  void follow(uint64_t y, std::mt19937& random) {
    for (unsigned t = 0; t < kTiles; ++t) {
      Tile& tile = tiles[t];
      if (get_word<spec::SyncAnswer>(top_.sync_answer_o, t).ack && tile.does == Tile::Does::kAsks) {
        ++acknowledged;
        const bool external = zone_of(tile.syncs) == SyncZone::kExternal;
        ++tile.syncs;
        tile.since = y;
        tile.does = external ? Tile::Does::kAsksForGrant : Tile::Does::kWorks;
        tile.until = y + 100 + random() % 40;
      }
      if (get_bit(top_.packet_grant_o, t) && tile.does == Tile::Does::kAsksForGrant) {
        ++granted;
        tile.does = Tile::Does::kSends;
        tile.since = y;
        tile.words = 3;
      }
    }
    const auto up = spec::PacketUp::decode(top_.up_o);
    if (up.valid && up.last) responses_.push_back(y + 20 + 10 * responses_.size());
  }
  // Three words for each read.
  Down response(uint64_t y) {
    Down down;
    in_response = false;
    for (const uint64_t begins : responses_)
      if (y >= begins && y < begins + 3) {
        down = {true, y == begins, y == begins + 2};
        in_response = y > begins;
        answered += down.last;
      }
    return down;
  }
  void set(unsigned t, const Shown& s) {
    set_word(top_.sync_request_i, t, spec::SyncRequest{.value = s.value, .zone = s.zone, .valid = s.request});
    set_bit(top_.sent_valid_i, t, s.sent);
    set_field(top_.select_i, 11 * t, 11, s.select);
    set_bit(top_.pair_valid_i, t, s.for_pair);
    set_bit(top_.packet_request_i, t, s.packet_request);
    set_word(top_.packet_out_i, t, spec::TileSent{.data = s.data, .last = s.last, .valid = s.word});
    set_bit(top_.exception_i, t, s.exception);
  }

  Vfabric top_;
  std::vector<uint64_t> responses_;
};

// The label of the assertion that a run fails by; empty: by none.
std::string broken(const Bench::OfTile& tile_fault, const Bench::OfHost& host_fault) {
  Bench bench;
  try {
    bench.run(tile_fault, host_fault);
  } catch (const std::logic_error& error) {
    const std::string text = error.what(), begin = "an assertion of the RTL failed, ";
    REQUIRE(text.compare(0, begin.size(), begin) == 0);
    const size_t colon = text.rfind(':');
    std::ifstream file(text.substr(begin.size(), colon - begin.size()));
    std::string line;
    for (int n = std::stoi(text.substr(colon + 1)); n > 0; --n) std::getline(file, line);
    const size_t first = line.find_first_not_of(' ');
    return line.substr(first, line.find(' ', first) - first);
  }
  return "";
}

bool asks(const Tile& tile, uint64_t y, uint64_t after) {
  return tile.does == Tile::Does::kAsks && y >= tile.since + after;
}

}  // namespace

TEST_CASE("tiles that keep their promises break no assertion") {
  Bench bench;
  bench.run(nullptr, nullptr);
  CHECK(bench.acknowledged > 8 * kTiles);
  CHECK(bench.granted > kTiles);
  CHECK(bench.answered > kTiles);
  CHECK(bench.tiles[kExcepted].excepted);
}

TEST_CASE("each broken promise of a tile or of the host fails by its assertion") {
  struct Fault {
    const char* label;
    Bench::OfTile tile;
    Bench::OfHost host;
  };
  const Fault faults[] = {
      {"word_for_the_pair_goes_with_one",
       [](uint64_t y, unsigned t, const Tile&, Shown& s) {
         if (y > 50 && t == 1 && !s.sent) s.for_pair = true;
       },
       {}},
      {"zone_is_one_of_the_chip", [](uint64_t, unsigned, const Tile&, Shown& s) { s.zone = s.request ? 5 : 0; }, {}},
      {"zone_is_0_without_request",
       [](uint64_t y, unsigned t, const Tile&, Shown& s) {
         if (y > 50 && t == 1 && !s.request) s.zone = 2;
       },
       {}},
      {"request_stands_until_acknowledged",
       [](uint64_t y, unsigned t, const Tile& tile, Shown& s) {
         if (t == 1 && asks(tile, y, 5) && !asks(tile, y, 6)) s = Shown();
       },
       {}},
      {"zone_stands_until_acknowledged",
       [](uint64_t y, unsigned t, const Tile& tile, Shown& s) {
         if (t == 1 && asks(tile, y, 5)) s.zone ^= 1;
       },
       {}},
      {"value_stands_until_acknowledged",
       [](uint64_t y, unsigned t, const Tile& tile, Shown& s) {
         if (t == 1 && asks(tile, y, 5)) s.value = !s.value;
       },
       {}},
      {"request_falls_when_acknowledged",
       [](uint64_t y, unsigned t, const Tile& tile, Shown& s) {
         if (t == 0 && y == tile.since + 1 && tile.syncs == 1) s.request = true, s.zone = SyncZone::kExternal;
       },
       {}},
      {"drained_at_boundaries",
       [](uint64_t, unsigned t, const Tile& tile, Shown& s) {
         if (t == 0 && s.request && tile.syncs == 1) s.sent = true;
       },
       {}},
      {"packet_request_stands_until_granted",
       [](uint64_t y, unsigned, const Tile& tile, Shown& s) {
         if (tile.does == Tile::Does::kAsksForGrant && y == tile.since + 9) s.packet_request = false;
       },
       {}},
      {"last_only_of_a_word", [](uint64_t y, unsigned, const Tile&, Shown& s) { s.last |= y == 400; }, {}},
      {"excepted_tile_is_silent",
       [](uint64_t y, unsigned, const Tile& tile, Shown& s) { s.sent |= tile.excepted && y > kExcepts + 3; },
       {}},
      {"excepted_tile_listens_to_none",
       [](uint64_t y, unsigned, const Tile& tile, Shown& s) {
         if (tile.excepted && y > kExcepts + 3) s.select = 1;
       },
       {}},
      {"exception_stands_until_touched",
       [](uint64_t y, unsigned, const Tile&, Shown& s) { s.exception &= y < kExcepts + 9; },
       {}},
      {"selection_is_a_tile_or_none", [](uint64_t y, unsigned, const Tile&, Shown& s) { s.select -= y == 500; }, {}},
      {"response_comes_without_a_gap", {}, [](uint64_t, Down& down) { down.valid &= down.first || down.last; }},
      {"response_begins_once", {}, [](uint64_t, Down& down) { down.first = down.valid; }},
  };
  for (const Fault& fault : faults) {
    INFO(fault.label);
    CHECK(broken(fault.tile, fault.host) == fault.label);
  }
  std::printf("%zu promises broken\n", std::size(faults));
}
