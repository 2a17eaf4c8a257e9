// Stops and moves of a debugger in recorded time, against the records of the same run.
#include "inspect/gdb/navigator.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <random>

#include "random_stops.h"
#include "recorded_program.h"
#include "rtl/spec/instructions.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;
using namespace tessera::inspect::gdb;

namespace {

struct Records : chip::Observer {
  std::vector<std::pair<unsigned, chip::Retire>> all;
  void retire(unsigned tile, const chip::Retire& r) override { all.emplace_back(tile, r); }
};

const auto never = [] { return false; };

// All stops from where the navigator stands, until there is none.
std::vector<std::pair<uint64_t, unsigned>> all_stops(Navigator& navigator, Target& target) {
  std::vector<std::pair<uint64_t, unsigned>> found;
  for (;;) {
    navigator.resume(target, {});
    const auto next = navigator.search(target, never);
    if (!next || next->kind == StopKind::kException) return found;
    found.emplace_back(next->key.cycle(), next->thread.tile);
    CHECK(navigator.position() == next->key.position());
  }
}

void go_to_begin(Navigator& navigator, Target& target) {
  navigator.stops().clear();
  navigator.reverse_continue(target, never);
  CHECK(navigator.position() == target.oldest());
}

template <class Body>
void with_run(chip::Backend backend, uint64_t seed, Body body) {
  Records records;
  run_recorded(backend, "mk2-4", seed, 2, &records, [&](inspect::Run& run, const chip::Stop& stop) {
    std::stable_sort(records.all.begin(), records.all.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.cycle, a.first) < std::pair(b.second.cycle, b.first);
    });
    Target target(run, stop);
    body(target, records.all);
  });
}

void breakpoints_stop_at_each_record(chip::Backend backend) {
  with_run(backend, 11, [](Target& target, const auto& records) {
    std::mt19937_64 random(5);
    Navigator navigator;
    navigator.interrupt(target);
    for (int round = 0; round < 4; ++round) {
      const uint32_t pc = records[random() % records.size()].second.pc;
      std::vector<std::pair<uint64_t, unsigned>> expected;
      for (const auto& [tile, r] : records)
        if (r.pc == pc && r.exception == 0) expected.emplace_back(r.cycle, tile);
      if (expected.size() > 40) continue;
      go_to_begin(navigator, target);
      for (unsigned tile = 0; tile < 4; ++tile) navigator.stops()[tile].breaks[pc];
      CHECK(all_stops(navigator, target) == expected);
      // Backwards, the other way round.
      std::reverse(expected.begin(), expected.end());
      if (navigator.running()) navigator.interrupt(target);
      std::vector<std::pair<uint64_t, unsigned>> found;
      for (auto back = navigator.reverse_continue(target, never); back.kind == StopKind::kBreak;
           back = navigator.reverse_continue(target, never)) {
        found.emplace_back(back.key.cycle(), back.thread.tile);
        CHECK(navigator.position() == back.key.cycle());
        CHECK(navigator.view(target).pc(back.thread.tile, back.thread.context) == pc);
      }
      CHECK(found == expected);
    }
  });
}

}  // namespace

TEST_CASE("a breakpoint stops before each of its records, forwards and backwards") {
  SECTION("model") { breakpoints_stop_at_each_record(chip::Backend::kModel); }
  SECTION("rtl") { breakpoints_stop_at_each_record(chip::Backend::kRtl); }
}

TEST_CASE("a watchpoint stops after each write to its bytes") {
  with_run(chip::Backend::kModel, 12, [](Target& target, const auto& records) {
    std::mt19937_64 random(6);
    Navigator navigator;
    navigator.interrupt(target);
    for (int round = 0; round < 6;) {
      const auto& [tile, chosen] = records[random() % records.size()];
      if (!chosen.mem_write || chosen.mem_strobe == 0) continue;
      ++round;
      const uint32_t address = chosen.mem_address + static_cast<uint32_t>(std::countr_zero(chosen.mem_strobe));
      std::vector<std::pair<uint64_t, unsigned>> expected;
      for (const auto& [other, r] : records)
        if (other == tile && r.mem_write && r.mem_address == (address & ~7u) && (r.mem_strobe >> (address & 7) & 1))
          expected.emplace_back(r.cycle, other);
      go_to_begin(navigator, target);
      navigator.stops()[tile].watches.insert({address, 1, false, true});
      auto found = all_stops(navigator, target);
      // Words that arrive are written by no instruction.
      std::erase_if(found,
                    [&](const auto& f) { return std::find(expected.begin(), expected.end(), f) == expected.end(); });
      CHECK(found == expected);
    }
  });
}

TEST_CASE("reads are found by the addresses that loads have") {
  with_run(chip::Backend::kModel, 13, [](Target& target, const auto& records) {
    Navigator navigator;
    navigator.interrupt(target);
    unsigned seen = 0;
    for (const auto& [tile, r] : records) {
      const auto opcode = spec::decode(r.instruction);
      if (r.exception != 0 || seen == 5 || opcode == spec::Opcode::Illegal ||
          spec::info(opcode).unit != spec::Unit::Load || spec::info(opcode).format != spec::Format::I)
        continue;
      ++seen;
      // What the load found, read where it stands.
      navigator.run_to_cycle(r.cycle);
      navigator.reverse_continue(target, never);
      auto& view = navigator.view(target);
      const uint32_t address = view.x(tile, r.context, spec::rs1_of(r.instruction)) +
                               static_cast<uint32_t>(spec::immediate_of(spec::Format::I, r.instruction));
      navigator.run_to_cycle(r.cycle > 100 ? std::max(target.oldest(), r.cycle - 100) : target.oldest());
      navigator.reverse_continue(target, never);
      navigator.stops()[tile].watches.insert({address, 1, true, false});
      const auto found = all_stops(navigator, target);
      CHECK(std::find(found.begin(), found.end(), std::pair(r.cycle, unsigned{tile})) != found.end());
      navigator.stops().clear();
      if (navigator.running()) navigator.interrupt(target);
    }
    CHECK(seen == 5);
  });
}

TEST_CASE("steps of a context visit its records one by one") {
  with_run(chip::Backend::kModel, 14, [](Target& target, const auto& records) {
    Navigator navigator;
    navigator.interrupt(target);
    for (const unsigned context : {0u, 3u}) {
      go_to_begin(navigator, target);
      unsigned steps = 0;
      for (const auto& [tile, r] : records) {
        if (tile != 1 || r.context != context || ++steps > 60) continue;
        navigator.resume(target, {{{{1, context}}}, {{1, context}}});
        const auto found = navigator.search(target, never);
        REQUIRE(found);
        const bool exits = spec::decode(r.instruction) == spec::Opcode::Exit;
        CHECK(found->kind == (r.exception != 0 ? StopKind::kException : exits ? StopKind::kExit : StopKind::kStep));
        CHECK(navigator.position() == r.cycle + 1);
      }
      CHECK(steps > 10);
    }
  });
}

TEST_CASE("a write holds its tile, is seen at once, and changes the run from there") {
  with_run(chip::Backend::kModel, 15, [](Target& target, const auto& records) {
    Navigator navigator;
    navigator.interrupt(target);
    const uint64_t end = target.frontier();
    // After the last thing that the host has seen.
    const auto& [tile, r] = records[records.size() - 200];
    navigator.run_to_cycle(r.cycle);
    navigator.reverse_continue(target, never);
    const uint32_t pc = navigator.view(target).pc(tile, r.context), was = navigator.view(target).x(tile, r.context, 9);
    try {
      navigator.write(target, tile, {{chip::DebugSpace::kInteger, r.context, 9, 0x1234}});
    } catch (const std::runtime_error& refused) {
      CHECK_THAT(refused.what(), Catch::Matchers::ContainsText("already seen"));
      return;
    }
    CHECK(navigator.view(target).x(tile, r.context, 9) == 0x1234);
    CHECK(navigator.view(target).pc(tile, r.context) == pc);
    CHECK(target.frontier() < end);
    navigator.write(target, tile, {{chip::DebugSpace::kInteger, r.context, 9, was}});
    CHECK(navigator.view(target).x(tile, r.context, 9) == was);
    CHECK(navigator.view(target).pc(tile, r.context) == pc);
    navigator.let_go(target);
  });
}

TEST_CASE("a step back and a step again end in the same state") {
  const auto count = static_cast<unsigned>(test::in_tier(100, 1000));
  with_run(chip::Backend::kModel, 16, [&](Target& target, const auto&) {
    const auto result = random_stops(target, count, 7);
    CHECK(result.made == count);
    CHECK(result.differing == 0);
  });
}
