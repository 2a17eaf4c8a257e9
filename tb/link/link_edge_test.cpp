// link_edge.sv against sim/engine/link_edge.h, cycle by cycle, in whole systems: random packets from all blocks of all
// chips; and what has become of them (docs/reference/link.md).
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "Vlink_edge.h"
#include "rtl/spec/link_tables.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"
#include "rtl/spec/words.h"
#include "sim/engine/link_edge.h"
#include "sim/engine/port_bits.h"
#include "tb/tier.h"

using namespace tessera;
using chip::get_bit;
using chip::get_field;
using chip::LinkEdge;
using chip::set_bit;
using chip::set_field;

namespace {

using Words = std::vector<uint32_t>;

LinkEdge::Word word_of(uint64_t bits) {
  const auto shown = spec::ChannelWord::decode(bits);
  LinkEdge::Word word;
  word.valid = shown.valid;
  word.layer = shown.layer;
  word.last = shown.last;
  word.bad = shown.bad;
  word.data = shown.data;
  return word.valid ? word : LinkEdge::Word();
}

// A chip's links: RTL and engine, which must show the same in every cycle.
class Links {
 public:
  Links(const spec::System& system, const spec::Routes& routes, uint32_t chip)
      : m_(system.chips[chip]), engine_(m_), rtl_(std::make_unique<Vlink_edge>()), channels_(m_.links * m_.link_words) {
    engine_.set(chip);
    rtl_->rst_ni = 0;
    rtl_->chip_i = static_cast<uint8_t>(chip);
    clock();
    for (unsigned c = 0; c < channels_; ++c) CHECK(get_field(rtl_->channel_o, 36 * c, 36) == 0);
    rtl_->rst_ni = 1;
    const spec::LinkTables tables = spec::link_tables(system, routes, chip);
    for (uint32_t i = 0; i < tables.routes.size(); ++i) {
      engine_.set(i, tables.routes[i]);
      write(i, tables.routes[i].encode());
    }
    // Of chips that are not there: not valid, of no channels, or with one beyond the last, they lead nowhere and say
    // so.
    for (uint32_t i = static_cast<uint32_t>(system.chips.size()); i < spec::kMostChips; ++i) {
      const uint32_t first = i % channels_, left = channels_ - first;
      const std::array<uint32_t, 4> counts = {0, left + 1, left + i % 7 + 1, left};
      const uint32_t count = counts[i % 4];
      const spec::RouteEntry entry{.valid = count != left, .first = first, .count = count};
      engine_.set(i, entry);
      write(i, entry.encode(), spec::RouteEntry{.valid = 0, .first = first, .count = count}.encode());
    }
    for (uint32_t c = 0; c < channels_; ++c) {
      engine_.set(c, tables.sites[c]);
      write(64 + c, tables.sites[c].encode());
    }
  }

  const LinkEdge::Outputs& outputs() const { return engine_.outputs(); }

  std::vector<bool> step(const LinkEdge::Inputs& in) {
    for (unsigned b = 0; b < m_.blocks(); ++b) {
      const LinkEdge::Word& w = in.blocks[b];
      set_bit(rtl_->valid_i, b, w.valid);
      set_field(rtl_->word_i, 34 * b, 34, spec::BlockWord{.data = w.data, .bad = w.bad, .last = w.last}.encode());
    }
    for (unsigned c = 0; c < channels_; ++c) {
      const LinkEdge::Word& w = in.channels[c];
      set_field(rtl_->channel_i, 36 * c, 36,
                spec::ChannelWord{.data = w.data, .bad = w.bad, .last = w.last, .layer = w.layer != 0, .valid = w.valid}
                    .encode());
      for (unsigned l = 0; l < LinkEdge::kLayers; ++l) set_bit(rtl_->credit_i, 2 * c + l, in.credits[c][l]);
    }
    rtl_->hold_i = in.hold;
    rtl_->clk_i = 0;
    rtl_->eval();
    compare();
    const std::vector<bool> taken = engine_.step(in);
    for (unsigned b = 0; b < m_.blocks(); ++b) {
      INFO("cycle " << cycle_ << " block " << b);
      if (get_bit(rtl_->take_o, b) != taken[b]) FAIL("RTL and engine differ in what they take");
    }
    rtl_->clk_i = 1;
    rtl_->eval();
    ++cycle_;
    return taken;
  }

 private:
  void clock() {
    rtl_->clk_i = 0;
    rtl_->eval();
    rtl_->clk_i = 1;
    rtl_->eval();
  }
  void write(uint32_t select, uint32_t data) { write(select, data, data); }
  void write(uint32_t select, uint32_t data, uint32_t read_back) {
    rtl_->table_write_i = 1;
    rtl_->table_select_i = static_cast<uint8_t>(select);
    rtl_->table_data_i = data;
    clock();
    rtl_->table_write_i = 0;
    rtl_->eval();
    CHECK(rtl_->table_data_o == read_back);
  }
  void compare() {
    const LinkEdge::Outputs& out = engine_.outputs();
    down_.push_back(out.down);
    INFO("cycle " << cycle_);
    for (unsigned c = 0; c < channels_; ++c) {
      if (word_of(get_field(rtl_->channel_o, 36 * c, 36)) != out.channels[c]) FAIL("channel " << c << " differs");
      for (unsigned l = 0; l < LinkEdge::kLayers; ++l)
        if (get_bit(rtl_->credit_o, 2 * c + l) != out.credits[c][l]) FAIL("credit of channel " << c << " differs");
    }
    if (down_.size() < m_.edge_latency) return;  // the tile has the last register
    for (unsigned b = 0; b < m_.blocks(); ++b) {
      const LinkEdge::Word& w = down_.front()[b];
      const bool first = w.valid && !inside_[b];
      if (w.valid) inside_[b] = !w.last;
      if (get_bit(rtl_->down_valid_o, b) != w.valid || get_bit(rtl_->down_first_o, b) != first ||
          get_field(rtl_->down_data_o, 32 * b, 32) != w.data)
        FAIL("the way down of block " << b << " differs");
    }
    down_.pop_front();
  }

  const spec::Machine m_;
  LinkEdge engine_;
  std::unique_ptr<Vlink_edge> rtl_;
  const unsigned channels_;
  uint64_t cycle_ = 0;
  std::deque<std::vector<LinkEdge::Word>> down_;
  std::map<unsigned, bool> inside_;
};

// What is on the wires of a chip's channels.
struct Wires {
  std::deque<LinkEdge::Outputs> on_the_way;
  std::vector<std::deque<LinkEdge::Word>> late;  // by channel: behind a word that was sent again
};

}  // namespace

TEST_CASE("packets go from chip to chip, each word in its cycle, none is lost and none comes twice") {
  const std::string chips = GENERATE("x2", "x4", "x16");
  const unsigned longest = GENERATE(1u, 64u);
  const bool faults = GENERATE(false, true);  // packets end bad or lead nowhere, words come late, ways down are held
  const spec::System system = spec::load_system(TESSERA_TEST_MACHINE + chips);
  const spec::Routes routes(system);
  const spec::Machine& m = system.chips[0];
  const unsigned channels = m.links * m.link_words;
  const auto number = static_cast<uint32_t>(system.chips.size());
  INFO(system.name << " longest " << longest << " faults " << faults);
  std::mt19937 random(number + longest + faults);
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const unsigned latency = 20 + random() % 20;  // shorter than systems have it: more goes on in fewer cycles

  std::vector<Links> links;
  for (uint32_t c = 0; c < number; ++c) links.emplace_back(system, routes, c);
  std::map<std::pair<uint32_t, unsigned>, std::pair<uint32_t, unsigned>> other_end;  // (chip, channel)
  for (const spec::Link& link : system.links)
    for (unsigned e = 0; e < 2; ++e)
      for (unsigned w = 0; w < m.link_words; ++w)
        other_end[{link.ends[e].chip, link.ends[e].port * m.link_words + w}] = {
            link.ends[1 - e].chip, link.ends[1 - e].port * m.link_words + w};

  struct Sending {
    Words words;
    size_t sent = 0;
    bool bad = false;
  };
  std::vector<std::vector<Sending>> blocks(number, std::vector<Sending>(m.blocks()));
  std::vector<Wires> wires(number);
  for (Wires& w : wires) {
    w.on_the_way.assign(latency - 1, links[0].outputs());
    w.late.resize(channels);
  }
  // Packets by sender (chip, block), target chip and tile, in their order.
  std::map<std::array<uint32_t, 4>, std::deque<Words>> expected;
  std::vector<std::vector<Words>> coming(number, std::vector<Words>(m.blocks()));
  const uint64_t packets = test::in_tier(800, 3000);
  uint64_t sent = 0, sound = 0, received = 0, last_received = 0, cycle = 0;
  for (; cycle < 2000000 && (sent < packets || received < sound); ++cycle) {
    for (uint32_t c = 0; c < number; ++c) wires[c].on_the_way.push_back(links[c].outputs());
    for (uint32_t c = 0; c < number; ++c) {
      for (unsigned b = 0; b < m.blocks(); ++b) {
        const LinkEdge::Word& w = links[c].outputs().down[b];
        if (!w.valid) continue;
        coming[c][b].push_back(w.data);
        if (!w.last) continue;
        const Words words = std::exchange(coming[c][b], {});
        const auto header = spec::PacketHeader::decode(words[0]);
        CHECK(header.chip == c);
        CHECK(m.block_of(header.tile) == b);
        const uint32_t sender = words[1] >> 16, block = words[1] & 0xffff;
        auto& of_pair = expected[{sender, block, c, header.tile}];
        REQUIRE_FALSE(of_pair.empty());
        REQUIRE(of_pair.front() == words);
        of_pair.pop_front();
        ++received;
        last_received = cycle;
      }
    }
    for (uint32_t c = 0; c < number; ++c) {
      LinkEdge::Inputs in{std::vector<LinkEdge::Word>(m.blocks()), std::vector<LinkEdge::Word>(channels),
                          std::vector<LinkEdge::Credits>(channels), faults && one_in(3)};
      for (unsigned i = 0; i < channels; ++i) {
        const auto other = other_end.find({c, i});
        if (other == other_end.end()) continue;
        const auto [from, channel] = other->second;
        const LinkEdge::Outputs& there = wires[from].on_the_way.front();
        in.credits[i] = there.credits[channel];
        auto& late = wires[c].late[i];
        if (there.channels[channel].valid) late.push_back(there.channels[channel]);
        if (late.empty() || (faults && one_in(10))) continue;
        in.channels[i] = late.front();
        late.pop_front();
      }
      for (unsigned b = 0; b < m.blocks(); ++b) {
        Sending& s = blocks[c][b];
        if (s.words.empty() && sent < packets && one_in(4)) {
          ++sent;
          const uint32_t size = 1 + random() % longest;
          uint32_t target = random() % number, tile = random() % m.tiles();
          bool nowhere = target == c;
          if (nowhere && !faults) target = (c + 1) % number, nowhere = false;
          if (faults && one_in(20)) target = number + random() % (64 - number), nowhere = true;
          if (faults && one_in(20)) tile = m.tiles() + random() % 4, nowhere = true;
          s = Sending();
          s.words.assign(size + 2, 0);
          for (uint32_t& w : s.words) w = static_cast<uint32_t>(random());
          s.words[0] =
              spec::PacketHeader{.words = size, .chip = target, .tile = tile, .kind = spec::PacketKind::kWriteTile}
                  .encode();
          s.words[1] = c << 16 | b;
          s.bad = faults && one_in(8);
          if (s.bad && one_in(2)) s.words.resize(1 + random() % s.words.size());
          if (!s.bad && !nowhere) {
            expected[{c, b, target, tile}].push_back(s.words);
            ++sound;
          }
        }
        if (!s.words.empty()) {
          const bool last = s.sent + 1 == s.words.size();
          in.blocks[b] = {true, last, last && s.bad, 0, s.words[s.sent]};
        }
      }
      const std::vector<bool> taken = links[c].step(in);
      for (unsigned b = 0; b < m.blocks(); ++b) {
        Sending& s = blocks[c][b];
        if (taken[b] && ++s.sent == s.words.size()) s = Sending();
      }
    }
    for (Wires& w : wires) w.on_the_way.pop_front();
  }
  CHECK(sent == packets);
  CHECK(received == sound);
  CHECK(last_received + 1 == cycle);
  for (const auto& [pair, left] : expected) CHECK(left.empty());
}
