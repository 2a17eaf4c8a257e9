// What comes to tiles: whose input is next, and the words on their way, beside lists that are looked through.
#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "sim/port/engine_state.h"
#include "sim/port/next_inputs.h"
#include "tb/random/random.h"

using namespace tessera;
using chip::DownWord;
using chip::DownWords;

TEST_CASE("The next input of all tiles is the least of theirs, whatever comes, goes and is forgotten") {
  constexpr unsigned kTiles = 23;
  test::Random random(7);
  std::vector<std::multiset<uint64_t>> inputs(kTiles);
  const auto next_of = [&](unsigned tile) { return inputs[tile].empty() ? chip::kNever : *inputs[tile].begin(); };
  chip::NextInputs queue(kTiles);
  uint64_t now = 0;
  unsigned visits = 0;
  for (unsigned turn = 0; turn < 20'000; ++turn) {
    const unsigned tile = random.below(kTiles);
    if (random.one_in(2)) {
      inputs[tile].insert(now + random.below(300));
      queue.note(tile, next_of(tile));
    }
    if (random.one_in(50)) inputs[random.below(kTiles)].clear();
    uint64_t least = chip::kNever;
    for (unsigned t = 0; t < kTiles; ++t) least = std::min(least, next_of(t));
    REQUIRE(queue.first(next_of) == least);
    const uint64_t end = now + random.below(40);
    std::vector<std::pair<uint64_t, unsigned>> expected, seen;
    for (unsigned t = 0; t < kTiles; ++t)
      if (next_of(t) < end) expected.emplace_back(next_of(t), t);
    std::ranges::sort(expected);
    queue.each_before(end, next_of, [&](unsigned t, uint64_t cycle) { seen.emplace_back(cycle, t); });
    REQUIRE(seen == expected);
    visits += static_cast<unsigned>(seen.size());
    for (const auto& [cycle, t] : seen)
      if (random.one_in(2)) inputs[t].erase(inputs[t].begin());
    now = end;
  }
  CHECK(visits > 1000);
}

TEST_CASE("Words on their way to a tile come in the order of cycles, from packets and one by one, and from copies") {
  test::Random random(8);
  for (unsigned turn = 0; turn < 300; ++turn) {
    DownWords words;
    std::deque<DownWord> expected;
    uint64_t now = 1000, last = now;  // the cycle behind all packets
    for (unsigned step = 0; step < 200; ++step) {
      if (random.one_in(4)) {
        std::vector<uint32_t> packet(random.below(20));
        last += random.below(30);
        for (size_t i = 0; i < packet.size(); ++i) {
          packet[i] = random.word();
          expected.push_back({last + i, packet[i], i == 0});
        }
        words.push_packet(last, packet);
        last += packet.size();
      }
      if (random.one_in(4)) {  // between packets
        const DownWord one{last += random.below(9), random.word(), random.one_in(2)};
        words.insert(one);
        expected.push_back(one);
        ++last;
      }
      if (random.one_in(10)) {  // before what comes later
        const DownWord one{expected.empty() ? last++ : std::max(now, expected.front().cycle - random.below(2)), 5,
                           true};
        const bool begins = expected.empty() || expected.front().first;
        if (begins && (expected.empty() || one.cycle < expected.front().cycle)) {
          words.insert(one);
          expected.push_front(one);
        }
      }
      DownWords copy = words;
      if (random.one_in(20)) std::swap(copy, words);
      for (unsigned n = random.below(12); n > 0 && !expected.empty(); --n) {
        REQUIRE_FALSE(words.empty());
        const DownWord word = words.front();
        REQUIRE(word.cycle == expected.front().cycle);
        REQUIRE(word.data == expected.front().data);
        REQUIRE(word.first == expected.front().first);
        now = word.cycle;
        words.pop_front();
        expected.pop_front();
      }
      REQUIRE(words.empty() == expected.empty());
    }
    words.clear();
    CHECK(words.empty());
    CHECK(words.bytes() == 0);
  }
}
