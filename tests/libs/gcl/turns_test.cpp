// Who sends what in which turn, simulated with sets: what all have in the end, and that all ranks do the same.
#include "sw/libs/gcl/turns.h"

#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace gcl;
using Ranks = std::set<unsigned>;

void check(const Turns& turns, unsigned n) {
  // By rank and unit: of whom it has the sum.
  std::vector<std::vector<Ranks>> sums(n, std::vector<Ranks>(n));
  for (unsigned rank = 0; rank < n; ++rank)
    for (Ranks& of : sums[rank]) of.insert(rank);
  for (unsigned turn = 0; turn < turns.reduce; ++turn) {
    const auto before = sums;
    Ranks senders;
    for (unsigned rank = 0; rank < n; ++rank) {
      const unsigned from = turns.reduce_from(rank, turn);
      CHECK(from != rank);
      CHECK(senders.insert(from).second);
      CHECK(turns.gets(rank, turn).size() == turns.gets(0, turn).size());
      for (const unsigned unit : turns.gets(rank, turn))
        for (const unsigned of : before[from][unit]) CHECK(sums[rank][unit].insert(of).second);  // nobody twice
    }
  }
  std::vector<std::set<unsigned>> whole(n);
  for (unsigned rank = 0; rank < n; ++rank) {
    CHECK(sums[rank][turns.own(rank)].size() == n);
    whole[rank].insert(turns.own(rank));
  }
  for (unsigned turn = 0; turn < turns.gather; ++turn) {
    const auto before = whole;
    for (unsigned rank = 0; rank < n; ++rank) {
      const unsigned from = turns.gather_from(rank, turn);
      for (const unsigned unit : turns.gives(from, turn)) {
        CHECK(before[from].contains(unit));
        CHECK(whole[rank].insert(unit).second);
      }
      // Its own first or never, as all.
      const Units gives = turns.gives(rank, turn), of_first = turns.gives(0, turn);
      CHECK(gives.size() == of_first.size());
      for (std::size_t i = 0; i < gives.size(); ++i)
        CHECK((gives[i] == turns.own(rank)) == (of_first[i] == turns.own(0)));
    }
  }
  for (unsigned rank = 0; rank < n; ++rank) CHECK(whole[rank].size() == n);
  // What a rank has got in some place it gives from that place, whatever its number.
  for (unsigned rank = 0; rank < n; ++rank)
    for (unsigned turn = 0; turn < turns.reduce; ++turn)
      for (unsigned later = turn + 1; later < turns.reduce; ++later) {
        const auto given = [&](unsigned giver) {
          std::vector<std::ptrdiff_t> places;
          const Units got = turns.gets(giver, turn);
          for (unsigned to = 0; to < n; ++to)
            if (turns.reduce_from(to, later) == giver)
              for (const unsigned unit : turns.gets(to, later))
                places.push_back(std::find(got.begin(), got.end(), unit) - got.begin());
          return places;
        };
        CHECK(given(rank) == given(0));
      }
}

TEST_CASE("turns round a circle bring everything together") {
  const unsigned n = GENERATE(2u, 3u, 4u, 6u, 16u);
  check(around(n, true), n);
  check(around(n, false), n);
}

TEST_CASE("halving brings everything together") {
  const unsigned n = GENERATE(2u, 4u, 8u, 16u), first = GENERATE(0u, 1u, 2u);
  check(halving(n, first), n);
}

}  // namespace
