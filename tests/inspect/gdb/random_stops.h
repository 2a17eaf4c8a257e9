// Random stops in the past of a run: a step back and a step forward again end in the same state of all tiles.
#pragma once

#include <optional>
#include <random>

#include "formats/fnv.h"
#include "inspect/gdb/navigator.h"
#include "rtl/spec/machine.h"

namespace tessera::test {

// Of all registers and pcs, and of some words of memory.
inline uint64_t state_hash(inspect::FrozenView& view, unsigned tiles, uint64_t seed) {
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

inline RandomStops random_stops(inspect::Run& run, const chip::Stop& stop, unsigned count, uint64_t seed) {
  using namespace inspect::gdb;
  const unsigned tiles = run.chip().machine().tiles();
  const auto never = [] { return false; };
  std::mt19937_64 random(seed);
  Navigator navigator;
  navigator.interrupt(run, stop);
  RandomStops result;
  while (result.made < count) {
    const uint64_t cycle = run.oldest() + 40 + random() % (run.frontier() - run.oldest() - 80);
    navigator.run_to_cycle(cycle);
    if (cycle < navigator.position()) {
      navigator.reverse_continue(run, never);
    } else {
      navigator.resume(run, {});
      if (!navigator.search(run, stop, never)) navigator.interrupt(run, stop);
    }
    const Thread thread{static_cast<unsigned>(random() % tiles), static_cast<unsigned>(random() % 7)};
    const uint64_t before = state_hash(navigator.view(run), tiles, cycle);
    const auto back = navigator.reverse_step(run, thread);
    if (back.kind == StopKind::kBegin) continue;  // that context had done nothing yet
    ++result.made;
    const uint64_t there = navigator.position();
    navigator.resume(run, {{{thread}}, {thread}});
    const auto forth = navigator.search(run, stop, never);
    const bool same = forth && forth->thread == thread && there < cycle && navigator.position() == cycle &&
                      state_hash(navigator.view(run), tiles, cycle) == before;
    result.differing += !same;
  }
  return result;
}

}  // namespace tessera::test
