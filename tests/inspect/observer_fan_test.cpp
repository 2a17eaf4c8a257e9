// Several observers as one.
#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "sim/port/observer_fan.h"

using namespace tessera;

namespace {

struct Listener : chip::Observer {
  explicit Listener(std::set<unsigned> tiles) : wanted(std::move(tiles)) {}
  bool wants(unsigned tile) const override { return wanted.count(tile) != 0; }
  void retire(unsigned tile, const chip::Retire&) override { tiles.push_back(tile); }
  void sent(unsigned tile, uint64_t, uint32_t) override { tiles.push_back(tile); }
  void debug_written(unsigned tile, uint64_t, chip::DebugSpace, unsigned, uint32_t, uint32_t) override {
    tiles.push_back(tile);
  }
  void superstep(uint64_t index, uint64_t) override { supersteps.push_back(index); }
  std::set<unsigned> wanted;
  std::vector<unsigned> tiles;
  std::vector<uint64_t> supersteps;
};

}  // namespace

TEST_CASE("fan: each observer sees the tiles that it wants, and all see what has no tile") {
  Listener a({0, 1}), b({1, 3}), none({});
  chip::ObserverFan fan(4);
  fan.set({&a, nullptr, &b, &none});
  CHECK(fan.observers().size() == 3);
  CHECK(fan.wants(0));
  CHECK(fan.wants(1));
  CHECK_FALSE(fan.wants(2));
  for (unsigned tile = 0; tile < 4; ++tile) {
    fan.retire(tile, {});
    fan.sent(tile, 5, 6);
  }
  fan.superstep(7, 100);
  fan.debug_written(chip::kNoTile, 1, chip::DebugSpace::kMemory, 0, 0, 0);
  CHECK(a.tiles == std::vector<unsigned>{0, 0, 1, 1, chip::kNoTile});
  CHECK(b.tiles == std::vector<unsigned>{1, 1, 3, 3, chip::kNoTile});
  CHECK(none.tiles == std::vector<unsigned>{chip::kNoTile});
  CHECK(none.supersteps == std::vector<uint64_t>{7});
}

TEST_CASE("fan: what is wanted is asked again when the chip asks") {
  Listener a({});
  chip::ObserverFan fan(2);
  fan.set({&a});
  fan.retire(1, {});
  a.wanted = {1};
  CHECK(fan.wants(1));
  fan.retire(1, {});
  a.wanted = {};
  CHECK_FALSE(fan.wants(1));
  fan.retire(1, {});
  CHECK(a.tiles == std::vector<unsigned>{1});
}

TEST_CASE("fan: a chip calls the only one that wants a tile itself") {
  Listener a({0, 1}), b({1});
  chip::ObserverFan inner(3), fan(3);
  inner.set({&a});
  fan.set({&inner, &b});
  CHECK(fan.of_tile(0) == &a);
  CHECK(fan.of_tile(1) == &fan);
  CHECK(fan.of_tile(2) == nullptr);
  a.wanted = {2};
  CHECK(fan.of_tile(0) == nullptr);
  CHECK(fan.of_tile(1) == &b);
  CHECK(fan.of_tile(2) == &a);
}

TEST_CASE("fan: too many observers are refused") {
  Listener a({0});
  chip::ObserverFan fan(1);
  CHECK_THROWS_AS(fan.set(std::vector<chip::Observer*>(33, &a)), std::logic_error);
}
