// Conditions of breakpoints, and what steps back remember, against views of the same moments.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "inspect/gdb/navigator.h"
#include "inspect/gdb/registers.h"
#include "recorded_program.h"
#include "rtl/spec/instructions.h"

using namespace tessera;
using namespace tessera::test;
using namespace tessera::inspect::gdb;

namespace {

struct Records : chip::Observer {
  std::vector<std::pair<unsigned, chip::Retire>> all;
  void retire(unsigned tile, const chip::Retire& r) override { all.emplace_back(tile, r); }
};

const auto never = [] { return false; };
constexpr unsigned kTiles = 4;

template <class Body>
void with_run(chip::Backend backend, uint64_t seed, Body body) {
  Records records;
  run_recorded(backend, "mk2-4", seed, 2, &records, [&](inspect::Run& run, const chip::Stop& stop) {
    Target target(run, stop);
    body(target, records.all);
  });
}

// Code of "address & mask", of a register's value or of memory.
std::string byte(unsigned value) { return std::string(1, static_cast<char>(value)); }
std::string word(uint32_t value) { return byte(value >> 24) + byte(value >> 16) + byte(value >> 8) + byte(value); }
std::string of_register(unsigned number, unsigned mask) {
  return byte(0x26) + byte(number >> 8) + byte(number) + byte(0x22) + byte(mask) + byte(0x0f) + byte(0x27);
}
std::string of_memory(uint32_t address, unsigned mask) {
  return byte(0x24) + word(address) + byte(0x19) + byte(0x22) + byte(mask) + byte(0x0f) + byte(0x27);
}

unsigned csr_number(const std::string& name) {
  return static_cast<unsigned>(std::ranges::find(registers(), name, &Register::name) - registers().begin());
}

using Places = std::vector<std::pair<uint64_t, unsigned>>;

// Stops from the beginning, and back again.
Places stops_of(Navigator& navigator, Target& target, uint32_t pc, const Conditions& all,
                const std::function<bool(View&, Thread)>& keep, bool* there_and_back) {
  navigator.stops().clear();
  if (navigator.running()) navigator.interrupt(target);
  navigator.reverse_continue(target, never);
  for (unsigned tile = 0; tile < kTiles; ++tile) navigator.stops()[tile].breaks[pc] = all;
  Places places, back;
  for (;;) {
    navigator.resume(target, {});
    const auto found = navigator.search(target, never);
    if (!found || found->kind != StopKind::kBreak) break;
    if (keep(navigator.view(target), found->thread)) places.emplace_back(found->key.cycle(), found->thread.tile);
  }
  if (navigator.running()) navigator.interrupt(target);
  for (auto found = navigator.reverse_continue(target, never); found.kind == StopKind::kBreak;
       found = navigator.reverse_continue(target, never))
    if (keep(navigator.view(target), found.thread)) back.emplace_back(found.key.cycle(), found.thread.tile);
  std::ranges::reverse(back);
  *there_and_back = back == places;
  return places;
}

void conditions_hold_where_a_view_says_so(chip::Backend backend, unsigned wanted_rounds) {
  with_run(backend, 31, [&](Target& target, const auto& records) {
    std::mt19937_64 random(9);
    Navigator navigator;
    navigator.interrupt(target);
    unsigned rounds = 0, kept = 0;
    while (rounds < wanted_rounds) {
      const auto& [tile, chosen] = records[random() % records.size()];
      const uint32_t pc = chosen.pc;
      const auto hits = std::ranges::count_if(records, [&](const auto& r) { return r.second.pc == pc; });
      if (hits < 4 || hits > 40) continue;
      const unsigned number = rounds % 3 == 0 ? 5 + random() % 8 : csr_number("xtile");
      const auto store = std::ranges::find_if(
          records, [&](const auto& r) { return r.second.mem_write && r.second.cycle > chosen.cycle / 2; });
      const bool memory = rounds % 3 == 1 && store != records.end();
      const uint32_t address = memory ? store->second.mem_address : 0;
      const auto expected = [&](View& view, Thread thread) {
        if (memory) return (view.word(thread.tile, address) & 0xff) != 0;
        return (*read_register(view, registers()[number], thread) & 3) != 0;
      };
      const auto any = [](View&, Thread) { return true; };
      bool same = false;
      const Places wanted = stops_of(navigator, target, pc, {}, expected, &same);
      const Places found =
          stops_of(navigator, target, pc, {memory ? of_memory(address, 0xff) : of_register(number, 3)}, any, &same);
      CHECK(found == wanted);
      CHECK(same);
      ++rounds;
      kept += static_cast<unsigned>(found.size());
    }
    CHECK(kept > 0);
  });
}

}  // namespace

TEST_CASE("a condition holds where a view says so, forwards and backwards") {
  SECTION("model") { conditions_hold_where_a_view_says_so(chip::Backend::kModel, 3); }
  SECTION("rtl") { conditions_hold_where_a_view_says_so(chip::Backend::kRtl, 3); }
}

TEST_CASE("what steps back remember is what a view shows") {
  const auto backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  with_run(backend, 32, [](Target& target, const auto& records) {
    std::mt19937_64 random(4);
    Navigator navigator;
    unsigned compared = 0;
    for (int turn = 0; turn < 3; ++turn) {
      navigator.interrupt(target);
      navigator.run_to_cycle(target.oldest() + 200 + random() % (target.frontier() - target.oldest() - 300));
      navigator.reverse_continue(target, never);
      const Thread thread{static_cast<unsigned>(random() % kTiles), static_cast<unsigned>(random() % 7)};
      for (int step = 0; step < 12; ++step) {
        if (navigator.reverse_step(target, thread).kind == StopKind::kBegin) break;
        std::vector<std::optional<uint64_t>> known, seen;
        std::array<uint8_t, 16> remembered{}, viewed{};
        const uint32_t address = records[random() % records.size()].second.mem_address | 0x80000;
        for (unsigned n = 0; n < kInGeneral; ++n)
          known.push_back(navigator.register_of(target, thread, registers()[n]));
        navigator.read_memory(target, thread.tile, address & 0xfffffff0, remembered);
        navigator.leave_view();
        View view(target, navigator.position());
        for (unsigned n = 0; n < kInGeneral; ++n) seen.push_back(read_register(view, registers()[n], thread));
        view.read(thread.tile, address & 0xfffffff0, viewed);
        CHECK(known == seen);
        CHECK(remembered == viewed);
        ++compared;
      }
    }
    CHECK(compared > 12);
  });
}

TEST_CASE("tiles that nobody looks at stop where one of the others does") {
  with_run(chip::Backend::kModel, 31, [](Target& target, const auto& records) {
    Navigator navigator;
    navigator.interrupt(target);
    navigator.reverse_continue(target, never);
    const auto other = std::ranges::find_if(records, [](const auto& r) { return r.first == 3; });
    navigator.follow({1, 3});
    navigator.stops()[0].breaks[other->second.pc] = {of_register(csr_number("xtile"), 2)};
    navigator.resume(target, {});
    const auto found = navigator.search(target, never);
    REQUIRE(found);
    CHECK(found->thread.tile == 3);
    CHECK(found->address == other->second.pc);
    CHECK(navigator.stops().size() == 1);
  });
}
