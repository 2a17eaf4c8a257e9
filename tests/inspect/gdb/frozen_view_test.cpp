// The state of a run at a record time is what the records before it say, in every context of every tile.
#include "inspect/frozen_view.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "recorded_program.h"
#include "rtl/spec/instructions.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Records : chip::Observer {
  std::vector<std::vector<chip::Retire>> by_tile;
  std::vector<std::vector<chip::PortWrite>> ports;
  void retire(unsigned tile, const chip::Retire& r) override { by_tile[tile].push_back(r); }
  void port_write(unsigned tile, const chip::PortWrite& w) override { ports[tile].push_back(w); }
};

// What the records of a tile with a cycle below c have left behind. All registers are zero after reset.
struct Expected {
  uint32_t x[7][32] = {};
  uint64_t f[7][32] = {};
  std::map<uint32_t, uint32_t> words;
  std::vector<uint32_t> unsure;  // words that arrive around c

  Expected(const Records& all, unsigned tile, uint64_t c) {
    for (const auto& r : all.by_tile[tile])
      if (r.cycle < c) apply(r);
    // Ports and instructions write in order of time, at their own times; words that both write are left out.
    for (const auto& w : all.ports[tile])
      if (w.cycle < c && !words.contains(w.address & ~3u))
        words[w.address & ~3u] = w.data;
      else
        unsure.push_back(w.address & ~3u);
  }
  void set(unsigned context, bool is_float, unsigned number, uint64_t data) {
    if (is_float)
      f[context][number] = data;
    else if (number != 0)
      x[context][number] = static_cast<uint32_t>(data);
  }
  void apply(const chip::Retire& r) {
    if (r.base_write) set(r.context, r.base_float, r.base, r.base_data);
    if (r.reg_write) set(r.context, r.reg_float, r.reg, r.reg_data);
    if (r.pair_write) set(r.context, true, r.reg + 1u, r.pair_data);
    if (!r.mem_write) return;
    for (unsigned half = 0; half < 2; ++half)
      if ((r.mem_strobe >> (4 * half) & 15) == 15)
        words[r.mem_address + 4 * half] = static_cast<uint32_t>(r.mem_data >> (32 * half));
      else if ((r.mem_strobe >> (4 * half) & 15) != 0)
        unsure.push_back(r.mem_address + 4 * half);
  }
};

void compare(inspect::Run& run, const Records& all, uint64_t c) {
  inspect::FrozenView view(run, c);
  size_t wrong_registers = 0, wrong_words = 0, wrong_pcs = 0, words = 0;
  for (unsigned tile = 0; tile < all.by_tile.size(); ++tile) {
    const Expected expected(all, tile, c);
    for (unsigned context = 0; context < 7; ++context) {
      for (unsigned n = 0; n < 32; ++n) {
        wrong_registers += view.x(tile, context, n) != expected.x[context][n];
        if (context != 0) wrong_registers += view.f(tile, context, n) != expected.f[context][n];
      }
      const auto next = std::find_if(all.by_tile[tile].begin(), all.by_tile[tile].end(),
                                     [&](const auto& r) { return r.cycle >= c && r.context == context; });
      const bool active = context == 0 || (view.active(tile) >> (context - 1) & 1) != 0;
      const auto last = std::find_if(all.by_tile[tile].rbegin(), all.by_tile[tile].rend(),
                                     [&](const auto& r) { return r.cycle < c && r.context == context; });
      const bool ended = last != all.by_tile[tile].rend() && spec::decode(last->instruction) == spec::Opcode::Exit &&
                         c < last->cycle + 6;
      if (next != all.by_tile[tile].end() && active && !ended) wrong_pcs += view.pc(tile, context) != next->pc;
    }
    unsigned looked = 0;
    for (const auto& [address, value] : expected.words) {
      if (std::count(expected.unsure.begin(), expected.unsure.end(), address) != 0 || (address / 4 + c) % 7 != 0)
        continue;
      wrong_words += view.word(tile, address) != value;
      ++words;
      if (++looked == 40) break;
    }
  }
  INFO("cycle " << c);
  CHECK(wrong_registers == 0);
  CHECK(wrong_pcs == 0);
  CHECK(wrong_words == 0);
}

void check(chip::Backend backend, uint64_t seed, unsigned looks) {
  Records all;
  const unsigned tiles = spec::load_machine("mk2-4").tiles();
  all.by_tile.resize(tiles);
  all.ports.resize(tiles);
  uint64_t looked = 0;
  run_recorded(backend, "mk2-4", seed, 3, &all, [&](inspect::Run& run, const chip::Stop&) {
    std::mt19937_64 random(seed);
    const uint64_t first = run.oldest(), last = run.frontier();
    compare(run, all, first);
    compare(run, all, last);
    for (unsigned n = 0; n < looks; ++n) compare(run, all, first + random() % (last - first));
    // In the middle of a division.
    for (unsigned tile = 0; tile < tiles; ++tile)
      for (const auto& r : all.by_tile[tile]) {
        const auto opcode = spec::decode(r.instruction);
        if (opcode == spec::Opcode::Illegal || spec::info(opcode).slots == 1 || random() % 8 != 0) continue;
        compare(run, all, r.cycle - 6 * (random() % (spec::info(opcode).slots - 1u)));
        compare(run, all, r.cycle);
        compare(run, all, r.cycle + 1);
        if (++looked >= looks / 4) break;
      }
  });
  CHECK(looked > 0);
}

}  // namespace

TEST_CASE("on the model a view holds exactly the instructions before its cycle") {
  const uint64_t seed = GENERATE(1, 2, 3);
  check(chip::Backend::kModel, seed, 60);
}

TEST_CASE("on the RTL a view holds exactly the instructions before its cycle") { check(chip::Backend::kRtl, 4, 20); }
