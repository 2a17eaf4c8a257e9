// Intervals split between tiles and workers, by chance: what a part may be, from the header's words.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>
#include <random>

using namespace poplar;
using Intervals = std::vector<Interval>;

namespace {

std::vector<std::size_t> elements(const Intervals& regions) {
  std::vector<std::size_t> out;
  for (const Interval& i : regions) {
    for (std::size_t e = i.begin(); e < i.end(); ++e) out.push_back(e);
  }
  return out;
}

Intervals random_regions(std::mt19937& random) {
  Intervals out;
  std::size_t at = 0;
  for (unsigned n = random() % 6; n-- > 0;) {
    at += random() % 5;
    const std::size_t size = random() % 40;
    out.emplace_back(at, at + size);
    at += size;
  }
  return out;
}

}  // namespace

TEST_CASE("regions are split as the header says") {
  std::mt19937 random(20261126);
  for (int i = 0; i < 20000; ++i) {
    const Intervals regions = random_regions(random);
    const unsigned grain = 1 + random() % 9;
    const unsigned parts = 1 + random() % 12;
    const unsigned least = random() % 3 == 0 ? random() % 50 : 0;
    const unsigned most = random() % 4 == 0 ? grain + random() % 60 : UINT_MAX;
    const unsigned piece = random() % 4 == 0 ? grain + random() % 30 : UINT_MAX;
    CAPTURE(i, regions, grain, parts, least, most, piece);
    const auto split = poputil::splitRegions(regions, grain, parts, least, most, piece);
    const std::vector<std::size_t> all = elements(regions);
    const std::vector<std::size_t> dealt = elements(poputil::flattenIntervals(split));
    REQUIRE(dealt == all);
    if (all.empty()) {
      REQUIRE(split.empty());
      continue;
    }
    const std::size_t grains = (all.size() + grain - 1) / grain;
    if (most == UINT_MAX || least != 0) REQUIRE((split.size() <= parts || most != UINT_MAX));
    std::size_t largest = 0;
    for (std::size_t p = 0; p < split.size(); ++p) {
      const std::size_t size = elements(split[p]).size();
      largest = std::max(largest, size);
      REQUIRE(size != 0);
      if (p + 1 < split.size()) REQUIRE(size % grain == 0);
      if (p + 1 < split.size() && least != 0) REQUIRE(size >= std::min<std::size_t>(least, all.size()));
      if (least == 0) REQUIRE(size <= most);
      for (const Interval& r : split[p]) REQUIRE(r.size() <= piece);
    }
    // No fewer parts would do with parts of this size.
    const std::size_t largest_grains = (largest + grain - 1) / grain;
    REQUIRE((split.size() - 1) * largest_grains < grains);
  }
}

TEST_CASE("sequences are split like regions, and stay sequences") {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::vector<Intervals> sequences;
    for (unsigned n = random() % 5; n-- > 0;) sequences.push_back(random_regions(random));
    const unsigned grain = 1 + random() % 5;
    const unsigned parts = 1 + random() % 8;
    CAPTURE(i, sequences, grain, parts);
    const auto split = poputil::splitRegions(sequences, grain, parts);
    const std::size_t total = poputil::intervalSequenceNumElements(sequences);
    std::vector<Intervals> whole;
    for (const auto& part : split) whole.insert(whole.end(), part.begin(), part.end());
    REQUIRE(elements(poputil::flattenIntervals(whole)) == elements(poputil::flattenIntervals(sequences)));
    REQUIRE(poputil::intervalSequenceNumElements(whole) == total);
    // As many parts as one region of that size has, of the same sizes.
    const auto plain = poputil::splitRegions({Interval(0, total)}, grain, parts);
    REQUIRE(split.size() == plain.size());
    for (std::size_t p = 0; p < split.size(); ++p)
      REQUIRE(poputil::intervalSequenceNumElements(split[p]) == elements(plain[p]).size());
    // A part has a piece of each sequence once.
    for (const auto& part : split) REQUIRE(part.size() <= sequences.size());
  }
}

TEST_CASE("workers get a part each") {
  const Target target = Target::createIPUTarget(1, 4, "ipu2");
  CHECK(poputil::splitRegionsBetweenWorkers(target, {{0, 60}}, 2).size() == target.getNumWorkerContexts());
  CHECK(poputil::splitRegionsBetweenWorkers(target, {{0, 60}}, 2, 30).size() == 2);
  CHECK(poputil::splitRegionsBetweenWorkers(target, std::vector<Intervals>{{{0, 30}, {40, 70}}}, 2).size() ==
        target.getNumWorkerContexts());
}

TEST_CASE("a split that cannot be is refused") {
  using poputil::poplibs_error;
  using poputil::splitRegions;
  const Intervals regions = {{0, 8}};
  CHECK_THROWS_AS(splitRegions(regions, 0, 4), poplibs_error);
  CHECK_THROWS_AS(splitRegions(regions, 4, 0), poplibs_error);
  CHECK_THROWS_AS(splitRegions(regions, 4, 2, 0, 3), poplibs_error);
  CHECK_THROWS_AS(splitRegions(regions, 4, 2, 0, UINT_MAX, 3), poplibs_error);
}

TEST_CASE("regions that touch are merged") {
  Intervals regions = {{8, 9}, {0, 3}, {5, 5}, {3, 6}};
  poputil::mergeAdjacentRegions(regions);
  CHECK(regions == Intervals{{0, 6}, {8, 9}});
  std::vector<Intervals> mapping = {{{2, 3}, {1, 2}}, {}};
  poputil::mergeAdjacentRegions(mapping);
  CHECK(mapping == std::vector<Intervals>{{{1, 3}}, {}});
}

TEST_CASE("intervals out of order are put back") {
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) {
    Intervals intervals;
    std::size_t at = 0;
    for (unsigned n = 1 + random() % 6; n-- > 0;) {
      const std::size_t size = 1 + random() % 5;
      intervals.emplace_back(at, at + size);
      at += size;
    }
    std::shuffle(intervals.begin(), intervals.end(), random);
    const std::vector<std::size_t> shuffled = elements(intervals);
    std::vector<std::size_t> back;
    for (const std::size_t place : elements(poputil::calculateUnshufflingIntervals(intervals)))
      back.push_back(shuffled[place]);
    std::vector<std::size_t> order(at);
    std::iota(order.begin(), order.end(), std::size_t{0});
    REQUIRE(back == order);
  }
}

TEST_CASE("ranges are divided evenly") {
  CHECK(poputil::balancedPartition(11, 4) == std::vector<int>{3, 3, 3, 2});
  CHECK(poputil::balancedPartition(2, 3) == std::vector<int>{1, 1, 0});
  CHECK_THROWS_AS(poputil::balancedPartition(2, 0), poputil::poplibs_error);
}

TEST_CASE("places and coordinates") {
  const std::vector<std::size_t> shape = {2, 3, 4};
  for (std::size_t i = 0; i < 24; ++i) {
    const std::vector<std::size_t> at = poputil::unflattenIndex(shape, i);
    CHECK(at == std::vector<std::size_t>{i / 12, i / 4 % 3, i % 4});
    CHECK(poputil::flattenIndex(shape, at) == i);
  }
}
