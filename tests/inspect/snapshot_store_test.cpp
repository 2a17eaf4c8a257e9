// Snapshots within a bound of memory.
#include "inspect/snapshot_store.h"

#include <catch2/catch.hpp>

using tessera::inspect::SnapshotStore;

namespace {

struct Sized : tessera::chip::Snapshot {
  explicit Sized(uint64_t cycle) : at(cycle) {}
  uint64_t cycle() const override { return at; }
  uint64_t superstep() const override { return 0; }
  size_t bytes() const override { return 10; }
  uint64_t at;
};

std::vector<uint64_t> cycles(const SnapshotStore& store, uint64_t end) {
  std::vector<uint64_t> list;
  for (uint64_t cycle = 0; cycle <= end; ++cycle)
    if (const auto* kept = store.before(cycle); list.empty() || kept->cycle != list.back()) list.push_back(kept->cycle);
  return list;
}

}  // namespace

TEST_CASE("snapshots: the further back, the fewer; the first and the newest stay") {
  SnapshotStore store;
  for (uint64_t cycle = 0; cycle <= 1000; cycle += 10) {
    store.add({std::make_shared<Sized>(cycle), cycle, {}});
    store.thin_out(80);
    CHECK(store.bytes() <= 80);
    CHECK(store.first().cycle == 0);
    CHECK(store.last().cycle == cycle);
  }
  const auto kept = cycles(store, 1000);
  REQUIRE(kept.size() == 8);
  CHECK(kept[6] == 990);
  CHECK(kept[5] >= 960);
  CHECK(kept[1] <= 700);
  // Gaps shrink towards the present, give or take one step of thinning.
  for (size_t i = 2; i < kept.size(); ++i) CHECK(kept[i] - kept[i - 1] <= 2 * (kept[i - 1] - kept[i - 2]));
}

TEST_CASE("snapshots: the last before a cycle is found, and those after one forgotten") {
  SnapshotStore store;
  for (uint64_t cycle : {5, 10, 15}) store.add({std::make_shared<Sized>(cycle), cycle, {}});
  CHECK(store.before(4) == nullptr);
  CHECK(store.before(5)->cycle == 5);
  CHECK(store.before(14)->cycle == 10);
  CHECK(store.before(99)->cycle == 15);
  store.forget_after(10);
  CHECK(store.last().cycle == 10);
  store.forget_first();
  CHECK(store.first().cycle == 10);
}
