// Random stops in the past of a run: a step back and a step forward again end in the same state of all tiles.
#pragma once

#include <optional>
#include <random>

#include "formats/fnv.h"
#include "inspect/gdb/navigator.h"
#include "rtl/spec/machine.h"

namespace tessera::test {

// Of all registers and pcs, and of some words of memory.
inline uint64_t state_hash(inspect::gdb::View& view, unsigned tiles, uint64_t seed) {
  uint64_t hash = formats::Fnv::kBasis;
  const auto add = [&](uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29; };
  for (unsigned tile = 0; tile < tiles; ++tile) {
    add(view.active(tile));
    for (unsigned context = 0; context < 7; ++context) {
      add(view.pc(tile, context));
      for (unsigned n = 0; n < 32; ++n) {
        add(view.x(tile, context, n));
        if (context != 0) add(view.f(tile, context, n));
      }
    }
    for (uint32_t n = 0; n < 16; ++n)
      add(view.word(tile, 0x80000 + static_cast<uint32_t>((seed * 977 + n * 4) % 0x4000)));
  }
  return hash;
}

struct RandomStops {
  unsigned made = 0, differing = 0;
};

inline RandomStops random_stops(inspect::gdb::Target& target, unsigned count, uint64_t seed) {
  using namespace inspect::gdb;
  const unsigned tiles = target.tiles();
  const auto never = [] { return false; };
  std::mt19937_64 random(seed);
  Navigator navigator;
  navigator.interrupt(target);
  RandomStops result;
  while (result.made < count) {
    const uint64_t cycle = target.oldest() + 40 + random() % (target.frontier() - target.oldest() - 80);
    navigator.run_to_cycle(cycle);
    if (cycle < navigator.position()) {
      navigator.reverse_continue(target, never);
    } else {
      navigator.resume(target, {});
      if (!navigator.search(target, never)) navigator.interrupt(target);
    }
    const Thread thread{static_cast<unsigned>(random() % tiles), static_cast<unsigned>(random() % 7)};
    const uint64_t before = state_hash(navigator.view(target), tiles, cycle);
    const auto back = navigator.reverse_step(target, thread);
    if (back.kind == StopKind::kBegin) continue;  // that context had done nothing yet
    ++result.made;
    const uint64_t there = navigator.position();
    navigator.resume(target, {{{thread}}, {thread}});
    const auto forth = navigator.search(target, never);
    const bool same = forth && forth->thread == thread && there < cycle && navigator.position() == cycle &&
                      state_hash(navigator.view(target), tiles, cycle) == before;
    result.differing += !same;
  }
  return result;
}

}  // namespace tessera::test
