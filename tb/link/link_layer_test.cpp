// Lanes fail at random: every word and credit arrives once and in its order (docs/reference/link.md, Link layer).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <random>
#include <set>

#include "sim/link/link_layer.h"

using namespace tessera;
using link::Flit;
using link::LaneFault;
using link::LinkLayer;
using link::Symbol;

namespace {

Symbol random_symbol(std::mt19937& random) {
  Symbol symbol;
  if (random() % 4 != 0)
    symbol.word = chip::LinkWord{random() % 8 == 0, random() % 16 == 0, static_cast<uint8_t>(random() % 2),
                                 static_cast<uint32_t>(random())};
  symbol.credits = {random() % 6 == 0, random() % 6 == 0};
  return symbol;
}

bool same(const Symbol& a, const Symbol& b) {
  if (a.credits != b.credits || a.word.has_value() != b.word.has_value()) return false;
  return !a.word || (a.word->data == b.word->data && a.word->last == b.word->last && a.word->bad == b.word->bad &&
                     a.word->layer == b.word->layer);
}

struct Sent {
  uint64_t cycle;
  Symbol symbol;
};

}  // namespace

// What step() gives is at the ends `latency` cycles after the cycle that it was called for.
TEST_CASE("without a fault a symbol takes the latency, no cycle more or less") {
  std::mt19937 random(1);
  for (const uint64_t latency : {1u, 7u, 160u}) {
    LinkLayer layer(latency, 1000);
    std::array<std::deque<Sent>, 2> sent;
    for (int i = 0; i < 5000; ++i) {
      std::array<Symbol, 2> in;
      for (unsigned e = 0; e < 2; ++e) {
        if (random() % 3 != 0) in[e] = random_symbol(random);
        if (!in[e].empty()) sent[e].push_back({layer.cycle(), in[e]});
      }
      const uint64_t now = layer.cycle();
      const auto out = layer.step(in);
      for (unsigned e = 0; e < 2; ++e) {
        auto& from = sent[1 - e];
        const bool due = !from.empty() && from.front().cycle == now;
        REQUIRE(out[e].empty() == !due);
        if (!due) continue;
        REQUIRE(same(out[e], from.front().symbol));
        from.pop_front();
      }
    }
    CHECK(layer.counts().flits_again == 0);
    CHECK_FALSE(layer.death());
  }
}

TEST_CASE("100,000 faults of lanes: nothing is lost, doubled or out of its order") {
  std::mt19937 random(2);
  constexpr unsigned kFaults = 100000;
  const uint64_t latency = 20;
  LinkLayer layer(latency, 5000);
  std::array<std::deque<Sent>, 2> sent;
  unsigned faults = 0;
  uint64_t next_fault = 100, delivered = 0, late = 0;
  while (faults < kFaults || layer.undelivered()) {
    if (faults < kFaults && layer.cycle() == next_fault) {
      const auto kind = static_cast<LaneFault::Kind>(random() % 4);
      layer.add(static_cast<unsigned>(random() % 2),
                {layer.cycle(), kind, static_cast<uint32_t>(random()), layer.cycle() + 1 + random() % 60});
      ++faults;
      next_fault += 1 + random() % 60;
    }
    std::array<Symbol, 2> in;
    for (unsigned e = 0; e < 2; ++e) {
      // Credits keep a chip from having more than that on its way.
      if (faults < kFaults && random() % 3 == 0 && sent[e].size() < 200) in[e] = random_symbol(random);
      if (!in[e].empty()) sent[e].push_back({layer.cycle(), in[e]});
    }
    const uint64_t now = layer.cycle();
    const auto out = layer.step(in);
    for (unsigned e = 0; e < 2; ++e) {
      if (out[e].empty()) continue;
      auto& from = sent[1 - e];
      REQUIRE_FALSE(from.empty());
      REQUIRE(same(out[e], from.front().symbol));
      REQUIRE(from.front().cycle <= now);
      late += from.front().cycle < now;
      ++delivered;
      from.pop_front();
    }
    REQUIRE_FALSE(layer.death());
  }
  CHECK(sent[0].empty());
  CHECK(sent[1].empty());
  CHECK(delivered > 300000);
  CHECK(late > 100000);
  CHECK(layer.counts().wrong > 10000);
  CHECK(layer.counts().missing > 10000);
  CHECK(layer.counts().doubled > 10000);
  std::printf("%u faults\n", kFaults);
}

TEST_CASE("every single bit of a flit is guarded") {
  std::mt19937 random(3);
  for (unsigned bit = 0; bit < link::kFlitBits; ++bit) {
    LinkLayer layer(5, 1000);
    layer.add(0, {3, LaneFault::Kind::kFlip, bit, 0});
    std::deque<Symbol> sent;
    for (int i = 0; i < 100; ++i) {
      std::array<Symbol, 2> in;
      if (i < 20) in[0] = random_symbol(random);
      if (i == 3) in[0].word = chip::LinkWord{true, false, 1, 0x12345678};
      if (!in[0].empty()) sent.push_back(in[0]);
      const auto out = layer.step(in);
      CHECK(out[0].empty());
      if (out[1].empty()) continue;
      REQUIRE(same(out[1], sent.front()));
      sent.pop_front();
    }
    CHECK(sent.empty());
    CHECK(layer.counts().wrong == 1);
  }
}

TEST_CASE("a link that brings nothing for too long is dead, and from which cycle on is known") {
  LinkLayer layer(10, 300);
  layer.add(1, {50, LaneFault::Kind::kDown, 0, ~uint64_t{0}});
  while (!layer.death() && layer.cycle() < 10000) layer.step({});
  REQUIRE(layer.death());
  CHECK(layer.death()->end == 0);
  CHECK(layer.death()->heard == 49 + 10);
  CHECK(layer.death()->cycle == 49 + 10 + 301);
}

TEST_CASE("a layer that rests is what it would be after as many steps in which nothing is shown") {
  std::mt19937 random(4);
  const uint64_t latency = 15;
  LinkLayer stepped(latency, 2000), rested(latency, 2000);
  for (LinkLayer* layer : {&stepped, &rested}) layer->add({.seed = 5, .every = 400}, 0);
  uint64_t rests = 0;
  while (stepped.cycle() < 300000) {
    const bool shows = random() % 500 == 0;
    const uint64_t until = stepped.cycle() + random() % 100;
    if (!shows) {
      while (rested.cycle() < until) {
        const uint64_t to = std::min(until, rested.rests_until());
        rests += to - rested.cycle();
        rested.rest(to);
        if (to < until) CHECK(rested.step({})[0].empty());
      }
      while (stepped.cycle() < until) stepped.step({});
      continue;
    }
    for (int i = 0; i < 200; ++i) {
      const std::array<Symbol, 2> in = {random_symbol(random), random_symbol(random)};
      const auto a = stepped.step(in), b = rested.step(in);
      for (unsigned e = 0; e < 2; ++e) CHECK(same(a[e], b[e]));
    }
    // What is late comes, and nothing is told of the rest.
    while (stepped.undelivered() || rested.undelivered()) {
      const auto a = stepped.step({}), b = rested.step({});
      for (unsigned e = 0; e < 2; ++e) CHECK(same(a[e], b[e]));
    }
  }
  CHECK(stepped.counts() == rested.counts());
  CHECK(stepped.counts().faults > 1000);
  CHECK(rests > 50000);
  CHECK_FALSE(stepped.death());
}
