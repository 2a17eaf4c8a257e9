#include "sw/libs/gcl/turns.h"

namespace gcl {

Turns around(unsigned n, bool clockwise) {
  // The rank so many behind another, in the direction in which units go; so many units too.
  const auto behind = [=](unsigned rank, unsigned steps) {
    return clockwise ? (rank + n - steps % n) % n : (rank + steps) % n;
  };
  const auto from = [=](unsigned rank, unsigned) { return behind(rank, 1); };
  return {.reduce = n - 1,
          .gather = n - 1,
          .own = [=](unsigned rank) { return behind(rank, n - 1); },
          .reduce_from = from,
          .gather_from = from,
          .gets = [=](unsigned rank, unsigned turn) { return Units{behind(rank, turn + 1)}; },
          .gives = [=](unsigned rank, unsigned turn) { return Units{behind(rank, turn + n - 1)}; }};
}

namespace {

struct Halving {
  unsigned bits, first;

  unsigned partner(unsigned rank, unsigned turn) const { return rank ^ 1u << (first + turn) % bits; }
  // Units of ranks that differ in the first bits stand farthest from each other.
  unsigned own(unsigned rank) const {
    unsigned unit = 0;
    for (unsigned turn = 0; turn < bits; ++turn) unit = 2 * unit + (rank >> (first + turn) % bits & 1);
    return unit;
  }
  // What the rank has left before a turn: first what it gives in that turn, in the order of who gets it.
  Units left(unsigned rank, unsigned turn) const {
    if (turn == bits) return {own(rank)};
    Units units = left(partner(rank, turn), turn + 1);
    for (const unsigned unit : left(rank, turn + 1)) units.push_back(unit);
    return units;
  }
  // After undoing the last turns down to this one, its own first.
  Units gathered(unsigned rank, unsigned turn) const {
    if (turn == bits) return {own(rank)};
    Units units = gathered(rank, turn + 1);
    for (const unsigned unit : gathered(partner(rank, turn), turn + 1)) units.push_back(unit);
    return units;
  }
};

}  // namespace

Turns halving(unsigned n, unsigned first) {
  unsigned bits = 0;
  while (1u << bits < n) ++bits;
  const Halving h{bits, first};
  return {.reduce = bits,
          .gather = bits,
          .own = [=](unsigned rank) { return h.own(rank); },
          .reduce_from = [=](unsigned rank, unsigned turn) { return h.partner(rank, turn); },
          .gather_from = [=](unsigned rank, unsigned turn) { return h.partner(rank, h.bits - 1 - turn); },
          .gets = [=](unsigned rank, unsigned turn) { return h.left(rank, turn + 1); },
          .gives = [=](unsigned rank, unsigned turn) { return h.gathered(rank, h.bits - turn); }};
}

}  // namespace gcl
