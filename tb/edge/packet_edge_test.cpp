// packet_edge.sv against docs/reference/edge.md: who is granted when, which packet the host port takes when, when words
// arrive, when the edge is idle.
#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "Vpacket_edge.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/engine/port_bits.h"

using namespace tessera;
using chip::get_bit;
using chip::set_bit;
using chip::set_field;

namespace {

constexpr uint64_t kNever = ~0ull;

struct Tile {
  uint64_t request = kNever;  // cycle in which the request rises
  uint64_t falls = kNever;    // in which it falls, unless a grant has come before
  std::vector<uint32_t> words;
  size_t sent = 0;          // of them: with fewer than all it breaks off
  uint64_t first = kNever;  // cycle of the first on its port
};

struct DownWord {
  bool first, last;
  uint32_t data;
};

struct UpWord {
  bool last, bad;
  uint32_t data;
};

struct Packet {                 // in a block's FIFO
  uint64_t first;               // cycle in which its first word would be at the host port, with nothing before it
  std::vector<uint32_t> words;  // one more if it broke off
  bool bad;
};

struct Block {
  std::map<std::pair<uint64_t, unsigned>, uint64_t> waiting;  // request, tile -> cycle in which it fell
  uint64_t free = 0, decided = kNever;                        // F; cycle of the last decision to grant
  unsigned owner = 0;
  bool serving = false;
  unsigned credits = 0;
  std::map<uint64_t, unsigned> credits_back;  // by cycle
  std::deque<Packet> packets;
  uint64_t left = 0;  // the cycle behind the last word at the host port
};

bool asks(const spec::PacketHeader& header) {
  return header.kind == spec::PacketKind::kReadHost || header.kind == spec::PacketKind::kReadRemote;
}
// What a packet is to the host port, as the page says it.
bool sound(const spec::PacketHeader& header, unsigned tiles) {
  if (header.kind == spec::PacketKind::kWriteTile)
    return header.words > 0 && header.words <= spec::kMostLinkWords && header.tile < tiles;
  if (header.words > 256) return false;
  if (header.kind == spec::PacketKind::kWriteHost || header.kind == spec::PacketKind::kWriteRemote) return true;
  return asks(header) && header.words > 0 && header.tile < tiles;
}
size_t length(const spec::PacketHeader& header) { return asks(header) ? 3 : header.words + 2; }

}  // namespace

TEST_CASE("packets are served by request cycle and tile, each word in its cycle, and none keeps the edge") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const uint64_t e = m.edge_latency;
  const unsigned gap = GENERATE(20u, 400u, 3000u);  // mean time between a tile's packets
  const unsigned longest = GENERATE(32u, 258u);     // words of a packet
  const bool faults = GENERATE(false, true);        // requests fall, packets break off, lengths are wrong
  std::mt19937 random(gap + longest);
  Vpacket_edge dut;
  std::vector<Tile> tiles(m.tiles());
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const auto header = [&](size_t words, unsigned tile, uint32_t kind) {
    // Of a remote address it holds any bits.
    const uint32_t chip = kind > spec::PacketKind::kWriteTile ? static_cast<uint32_t>(random() % 64) : 0;
    return spec::PacketHeader{.words = static_cast<uint32_t>(words), .chip = chip, .tile = tile, .kind = kind}.encode();
  };
  const auto read_kind = [&] { return one_in(2) ? spec::PacketKind::kReadHost : spec::PacketKind::kReadRemote; };
  const auto write_kind = [&] { return one_in(2) ? spec::PacketKind::kWriteHost : spec::PacketKind::kWriteRemote; };
  const auto prepare = [&](unsigned t, uint64_t from) {
    Tile& tile = tiles[t];
    tile = Tile();
    tile.request = from + 6 + random() % gap;
    tile.words.assign(2 + random() % (longest - 1), 0);
    for (auto& word : tile.words) word = static_cast<uint32_t>(random());
    tile.words[0] = header(tile.words.size() - 2, t, one_in(4) ? 0 : write_kind());
    if (one_in(3)) tile.words = {header(1 + random() % 20, t, read_kind()), 0x40, 0x80000};
    if (one_in(6)) {
      const uint32_t words = 1 + random() % 64;  // what a link carries
      tile.words.resize(words + 2, 0x12345678);
      tile.words[0] = header(words, random() % m.tiles(), spec::PacketKind::kWriteTile);
    }
    if (faults && one_in(12))
      tile.words[0] = header(random() % 80, random() % (m.tiles() + 1), spec::PacketKind::kWriteTile);
    if (faults && one_in(6)) tile.words[0] = header(random() % 400, t, one_in(2) ? read_kind() : write_kind());
    if (faults && one_in(8)) tile.words[0] = header(2, m.tiles() + random() % 4, read_kind());
    tile.sent = tile.words.size();
    if (faults && one_in(5)) tile.sent = random() % tile.words.size();
    if (faults && one_in(5)) tile.falls = tile.request + 1 + random() % 100;
  };
  for (unsigned t = 0; t < m.tiles(); ++t) prepare(t, 10);

  std::vector<Block> blocks(m.blocks());
  for (Block& b : blocks) b.credits = m.block_packets;
  uint64_t port_free = 0;
  std::map<uint64_t, UpWord> up;                            // by cycle at the host port
  std::map<std::pair<uint64_t, unsigned>, UpWord> to_link;  // by cycle and block
  std::map<uint64_t, DownWord> down_in, down_out;
  uint64_t down_free = 0;
  std::map<uint64_t, int> in_flight_change;  // cycle -> reads more or less
  unsigned grants = 0, wrong = 0, broken = 0, dropped = 0, bad = 0, withdrawn = 0, queued = 0, out_of_credit = 0;
  int reads = 0;

  // The packet that block b has granted is over, whatever came of it: its first `sent` words were on the port from
  // `first` on.
  const auto over = [&](Block& b, uint64_t first, size_t sent, const std::vector<uint32_t>& words) {
    const bool all = sent == words.size();
    b.free = first + (all ? sent - 1 : sent) + e - 1;
    broken += !all;
    const bool forwards = sent > 0 && sound(spec::PacketHeader::decode(words[0]), m.tiles());
    dropped += sent > 0 && !forwards;
    if (!forwards) {
      ++b.credits_back[b.free];
      return;
    }
    Packet packet{first + e - 1, {words.begin(), words.begin() + static_cast<ptrdiff_t>(sent)}, false};
    if (!all) packet.words.push_back(0);
    packet.bad = !all || words.size() != length(spec::PacketHeader::decode(words[0]));
    bad += packet.bad;
    b.packets.push_back(packet);
  };
  // A packet for another chip leaves its block, as soon as it stands there, for the links, which take each word at
  // once. It is a cycle further to the host port.
  unsigned linked = 0;
  const auto leave_for_link = [&](Block& b, unsigned number, uint64_t y) {
    if (b.packets.empty() || y + 1 != std::max(b.packets.front().first, b.left)) return;
    if (spec::PacketHeader::decode(b.packets.front().words[0]).kind != spec::PacketKind::kWriteTile) return;
    const Packet packet = b.packets.front();
    b.packets.pop_front();
    const size_t n = packet.words.size();
    for (size_t i = 0; i < n; ++i) to_link[{y + i, number}] = {i + 1 == n, i + 1 == n && packet.bad, packet.words[i]};
    b.left = y + 1 + n;
    ++b.credits_back[y + n];
    ++linked;
  };
  // A packet begins at the host port in cycle y.
  const auto pass = [&](Block& b, uint64_t y) {
    const Packet packet = b.packets.front();
    b.packets.pop_front();
    queued += y > packet.first;
    const size_t n = packet.words.size();
    for (size_t i = 0; i < n; ++i) up[y + i] = {i + 1 == n, i + 1 == n && packet.bad, packet.words[i]};
    port_free = b.left = y + n;
    ++b.credits_back[y + n - 1];
    const auto word0 = spec::PacketHeader::decode(packet.words[0]);
    if (packet.bad || !asks(word0)) return;
    const uint64_t start = std::max(y + n - 1 + 100 + random() % 200, down_free);
    down_free = start + word0.words + 2;
    ++in_flight_change[y + n - 1];
    --in_flight_change[start + e + word0.words + 2];
    for (unsigned i = 0; i < word0.words + 2; ++i) {
      const DownWord w{i == 0, i == word0.words + 1, static_cast<uint32_t>(random())};
      down_in[start + i] = w;
      down_out[start + e - 1 + i] = w;  // the tile has the last register
    }
  };

  dut.rst_ni = 0;
  for (uint64_t y = 0; y < (m.tiles() > 64 ? 15000 : 60000); ++y) {
    dut.rst_ni = y > 2;
    dut.clk_i = 0;
    std::vector<bool> granted(m.tiles());
    for (const Block& b : blocks)
      if (b.serving && y == b.decided + e) granted[b.owner] = true;
    for (unsigned t = 0; t < m.tiles(); ++t) {
      Tile& tile = tiles[t];
      Block& block = blocks[m.block_of(t)];
      if (y == tile.request) block.waiting[{y, t}] = kNever;
      if (y == tile.falls && tile.first == kNever) {
        if (const auto entry = block.waiting.find({tile.request, t}); entry != block.waiting.end()) {
          entry->second = y;
          ++withdrawn;
        }
        prepare(t, y);
      }
      const bool requesting = y >= tile.request && tile.first == kNever;
      set_bit(dut.request_i, t, requesting);
      const bool valid = tile.first != kNever && y >= tile.first && y < tile.first + tile.sent;
      set_field(dut.words_i, 34 * t, 34,
                valid ? spec::TileSent{.data = tile.words[y - tile.first],
                                       .last = y - tile.first + 1 == tile.words.size(),
                                       .valid = true}
                            .encode()
                      : random() & 0xffffffff);
      if (granted[t]) {
        if (requesting) tile.first = y + 3;
        over(block, y + 3, requesting ? tile.sent : 0, tile.words);
        // An older request of this tile may have been meant: the one that took the grant waits no longer.
        if (requesting)
          if (const auto entry = block.waiting.find({tile.request, t}); entry != block.waiting.end())
            entry->second = y + 1;
      }
      // The next instruction issues one cycle behind the last read, two before the last word is on the port.
      if (tile.first != kNever && y == tile.first + tile.sent) prepare(t, y);
    }
    const auto in = down_in.find(y);
    dut.down_valid_i = in != down_in.end();
    if (dut.down_valid_i) {
      dut.down_first_i = in->second.first;
      dut.down_last_i = in->second.last;
      dut.down_data_i = in->second.data;
    }
    for (unsigned b = 0; b < m.blocks(); ++b) leave_for_link(blocks[b], b, y);
    // Which block has had its first packet for longest, when the host port can take one.
    if (y >= port_free) {
      Block* next = nullptr;
      uint64_t since = y + 1;
      for (Block& b : blocks) {
        if (b.packets.empty() ||
            spec::PacketHeader::decode(b.packets.front().words[0]).kind == spec::PacketKind::kWriteTile)
          continue;
        const uint64_t here = std::max(b.packets.front().first, b.left);
        if (here >= since) continue;
        since = here;
        next = &b;
      }
      if (next != nullptr) pass(*next, y);
    }
    // Who waits at each block, and what it decides.
    bool idle = true;
    for (Block& b : blocks) {
      b.credits += b.credits_back[y];
      std::erase_if(b.waiting, [&](const auto& entry) { return entry.second != kNever && entry.second + e <= y; });
      if (b.serving && y > b.decided + e && y >= b.free) b.serving = false;
      const bool somebody = !b.waiting.empty() && b.waiting.begin()->first.first + e <= y;
      idle = idle && !somebody && b.credits == m.block_packets;
      out_of_credit += !b.serving && somebody && b.credits == 0;
      if (b.serving || !somebody || b.credits == 0) continue;
      b.serving = true;
      b.decided = y;
      b.owner = b.waiting.begin()->first.second;
      b.waiting.erase(b.waiting.begin());
      --b.credits;
    }
    dut.eval();
    dut.link_take_i = dut.link_valid_o;
    dut.eval();
    for (unsigned b = 0; b < m.blocks(); ++b) {
      const auto leaving = to_link.find({y, b});
      wrong += get_bit(dut.link_valid_o, b) != (leaving != to_link.end());
      if (leaving == to_link.end()) continue;
      const auto shown = spec::BlockWord::decode(chip::get_field(dut.link_word_o, 34 * b, 34));
      wrong +=
          shown.last != leaving->second.last || shown.bad != leaving->second.bad || shown.data != leaving->second.data;
      to_link.erase(leaving);
    }

    // Words at the host port; a read is answered after a random time, one down packet after the other.
    const auto word = up.find(y);
    wrong += dut.up_valid_o != (word != up.end());
    if (word != up.end()) {
      wrong +=
          dut.up_last_o != word->second.last || dut.up_bad_o != word->second.bad || dut.up_data_o != word->second.data;
      up.erase(word);
    }
    const auto out = down_out.find(y);
    wrong += dut.down_valid_o != (out != down_out.end());
    if (out != down_out.end()) wrong += dut.down_first_o != out->second.first || dut.down_data_o != out->second.data;

    reads += in_flight_change[y];
    wrong += y > 2 && dut.idle_o != (idle && reads == 0);

    for (unsigned t = 0; t < m.tiles(); ++t) {
      wrong += get_bit(dut.grant_o, t) != granted[t];
      grants += get_bit(dut.grant_o, t);
    }
    dut.clk_i = 1;
    dut.eval();
  }
  CHECK(wrong == 0);
  CHECK(grants > 100);
  CHECK(dropped > 10);  // of kind 0
  CHECK(linked > 10);
  CHECK((bad > 10) == faults);
  CHECK((broken > 10) == faults);
  if (m.tiles() > 4 || !faults) CHECK((withdrawn > 2) == faults);
  if (m.blocks() == 1) {
    CHECK(queued == 0);
    CHECK(out_of_credit == 0);
  } else if (gap == 20) {
    CHECK(queued > 10);
    if (longest > 200) CHECK(out_of_credit > 10);
  }
}

namespace {

// The edge with its inputs as they were set last, cycle for cycle; tile 0 sends.
class Edge {
 public:
  explicit Edge(const spec::Machine& machine) : machine_(machine) { reset(); }
  Vpacket_edge dut;

  void step(unsigned cycles = 1) {
    for (unsigned n = 0; n < cycles; ++n) {
      dut.clk_i = 1;
      dut.eval();
      dut.clk_i = 0;
      dut.eval();
      for (unsigned t = 0; t < machine_.tiles(); ++t) grants += get_bit(dut.grant_o, t);
    }
  }
  void reset() {
    dut.rst_ni = 0;
    step(3);
    dut.rst_ni = 1;
    step();
  }
  void request(unsigned tile, bool on) { set_bit(dut.request_i, tile, on); }
  void send(const std::vector<uint32_t>& words) {
    request(0, true);
    for (unsigned waited = 0; !get_bit(dut.grant_o, 0); step()) REQUIRE(++waited < 500);
    step();
    request(0, false);
    step(2);
    for (const uint32_t& word : words) {
      set_field(dut.words_i, 0, 34,
                spec::TileSent{.data = word, .last = &word == &words.back(), .valid = true}.encode());
      step();
    }
    set_field(dut.words_i, 0, 34, 0);
  }
  unsigned grants = 0;

 private:
  const spec::Machine& machine_;
};

// One word from tile 0.
std::vector<uint32_t> one_word(uint32_t kind) {
  return {spec::PacketHeader{.words = 1, .tile = 0, .kind = kind}.encode(), 0x80000, 7};
}

}  // namespace

TEST_CASE("requests that fall count as long if all tiles have asked as if one has") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  // Whether somebody is granted, when there is room so long behind the cycle in which the requests fall.
  const auto granted = [&](bool all, unsigned behind) {
    Edge edge(m);
    // Packets that no link takes, until the block has room for no more.
    for (unsigned n = 0; n < m.block_packets; ++n) edge.send(one_word(spec::PacketKind::kWriteTile));
    edge.step(100);
    edge.grants = 0;
    for (const bool on : {true, false}) {
      for (unsigned t = 0; t < m.tiles(); ++t)
        if (m.block_of(t) == 0 && (all || t == 0)) edge.request(t, on);
      edge.step(on ? 60 : behind);
    }
    CHECK(edge.grants == 0);
    for (unsigned n = 0; n < 200; ++n) {
      edge.dut.link_take_i = edge.dut.link_valid_o;
      edge.step();
    }
    return edge.grants != 0;
  };
  for (const bool all : {false, true}) CHECK(granted(all, 0));
  bool ended = false;
  for (unsigned behind = 1; behind < 2 * m.edge_latency; ++behind) {
    const bool one = granted(false, behind);
    CHECK(granted(true, behind) == one);
    CHECK_FALSE((ended && one));
    ended |= !one;
  }
  CHECK(ended);
}

TEST_CASE("a reset leaves no packet that waits for a link") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  Edge edge(m);
  edge.send(one_word(spec::PacketKind::kWriteTile));
  edge.step(100);
  CHECK(get_bit(edge.dut.link_valid_o, 0));
  CHECK_FALSE(edge.dut.idle_o);
  edge.reset();
  for (unsigned n = 0; n < 100; ++n) {
    CHECK_FALSE(get_bit(edge.dut.link_valid_o, 0));
    CHECK_FALSE(edge.dut.up_valid_o);
    edge.step();
  }
  CHECK(edge.dut.idle_o);
  const std::vector<uint32_t> to_host = one_word(spec::PacketKind::kWriteHost);
  edge.send(to_host);
  std::vector<uint32_t> up;
  for (unsigned n = 0; n < 100; ++n) {
    if (edge.dut.up_valid_o) up.push_back(edge.dut.up_data_o);
    edge.step();
  }
  CHECK(up == to_host);
}
