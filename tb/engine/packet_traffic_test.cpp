// All tiles send packets at once: FIFOs fill, credits run out, the host port takes turns. The engine's edge and its RTL
// are the same in every cycle, whole, in pieces, and from a snapshot on; every word is in host memory, every answer
// where it belongs.
#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/model/tile.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::FabricChoice;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1'000'000;
constexpr unsigned kPackets = 8;  // of a tile
constexpr uint32_t kPlace = 0x800, kHostPlace = 0x400;

struct Traffic {
  ChipProgram program;
  std::vector<std::pair<uint32_t, uint32_t>> written;  // host address, word
  std::vector<std::pair<uint64_t, uint32_t>> remote;   // remote address, word
  unsigned reads = 0;
};

// What is read was put there before the run: its address.
Traffic random_traffic(const spec::Machine& m, unsigned longest, std::mt19937& random) {
  Traffic traffic{ChipProgram(m.tiles(), TileProgram(Places(m))), {}, {}, 0};
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = traffic.program[t];
    uint32_t awaited = 0;
    std::vector<unsigned> lengths;
    for (unsigned i = 0; i < kPackets; ++i) {
      const uint32_t place = p.places().sent + kPlace * i, host = (t * kPackets + i) * kHostPlace;
      const unsigned words = 1 + static_cast<unsigned>(random() % longest);
      const bool read = random() % 4 == 0, remote = random() % 3 == 0;
      using spec::PacketKind;
      const uint64_t far = kRemote + (uint64_t{t} << 32) + host;
      const uint32_t kind = remote ? (read ? PacketKind::kReadRemote : PacketKind::kWriteRemote)
                                   : (read ? PacketKind::kReadHost : PacketKind::kWriteHost);
      p.data(place, remote ? remote_packet(kind, words, t, far)
                           : std::vector{spec::PacketHeader{.words = words, .tile = t, .kind = kind}.encode(), host});
      if (read) {
        p.data(place + 8, p.places().received + kHostPlace * i);
        awaited += words;
        ++traffic.reads;
      } else {
        for (unsigned w = 0; w < words; ++w) {
          const auto word = static_cast<uint32_t>(random());
          p.data(place + 8 + 4 * w, word);
          if (remote)
            traffic.remote.emplace_back(far + 4 * w, word);
          else
            traffic.written.emplace_back(host + 4 * w, word);
        }
      }
      lengths.push_back(read ? 3 : words + 2);
    }
    p.sync(3);
    p.li(9, awaited);
    p.csr_write(spec::Csr::Xcount, 9);
    for (unsigned i = 0; i < kPackets; ++i) {
      if (random() % 2 == 0) p.delay(1 + static_cast<uint32_t>(random() % 60));
      p.hsend(p.places().sent + kPlace * i, lengths[i]);
    }
    if (awaited > 0) p.sync(5);
    p.sync(4);
    p.trap(1);
  }
  return traffic;
}

struct Result {
  chip::Stop stop;
  uint64_t memory = 0;
  std::vector<uint64_t> cycles;  // of host memory
  bool operator==(const Result& o) const {
    return stop.reason == o.stop.reason && stop.cycle == o.stop.cycle && memory == o.memory && cycles == o.cycles;
  }
};

// In pieces of so many cycles; with `back` to a snapshot after the first of them, and once more from there.
Result run(const spec::Machine& m, const Traffic& traffic, bool rtl, uint64_t piece = kLimit, bool back = false) {
  chip::ChipEngine<model::ModelTile> chip(m);
  if (rtl) chip.use_fabric(make_fabric_pins(FabricChoice::kRtl, m));
  HostMemory host(m);
  for (uint32_t address = 0; address < 4u << 17; address += 4) host.set_word(address, ~address);
  chip.attach(&host);
  load_and_start(chip, traffic.program);
  const auto to_the_end = [&] {
    chip::Stop stop;
    do {
      stop = chip.run(std::min(kLimit, chip.cycle() + piece), 0);
    } while (stop.reason == StopReason::kLimit && stop.cycle < kLimit);
    return stop;
  };
  Result result;
  if (back) {
    chip.run(chip.cycle() + piece, 0);
    const auto before = chip.snapshot();
    const std::vector<uint64_t> cycles = host.cycles();
    to_the_end();
    chip.restore(*before);
    result.stop = to_the_end();
    result.cycles = cycles;
    // The second time only what comes behind the snapshot.
    const size_t again = host.cycles().size() - cycles.size();
    REQUIRE(again % 2 == 0);
    result.cycles.insert(result.cycles.end(), host.cycles().end() - static_cast<std::ptrdiff_t>(again / 2),
                         host.cycles().end());
  } else {
    result.stop = to_the_end();
    result.cycles = host.cycles();
  }
  result.memory = chip.memory_hash();
  unsigned lost = 0;
  for (const auto& [address, word] : traffic.written) lost += host.word(address) != word;
  for (const auto& [address, word] : traffic.remote) lost += host.remote_word(address) != word;
  CHECK(lost == 0);
  CHECK(result.stop.reason == StopReason::kHostSync);
  CHECK(std::ranges::is_sorted(result.cycles));
  return result;
}

}  // namespace

TEST_CASE("packets of all tiles at once: engine and RTL, whole, in pieces and from a snapshot, are the same") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk2-16", "mk2-64"));
  for (unsigned seed = 0; seed < 4; ++seed) {
    INFO(m.name << ", seed " << seed);
    std::mt19937 random(seed);
    const Traffic traffic = random_traffic(m, seed % 2 == 0 ? 256 : 30, random);
    const Result engine = run(m, traffic, false);
    CHECK(engine.cycles.size() == m.tiles() * kPackets);
    for (const uint64_t piece : {1, 37, 500}) CHECK(run(m, traffic, false, piece) == engine);
    for (const uint64_t piece : {200, 1500, 3000}) CHECK(run(m, traffic, false, piece, true) == engine);
    CHECK(run(m, traffic, true) == engine);
    CHECK(run(m, traffic, true, 900, true) == engine);
  }
}

TEST_CASE("several blocks keep the host port at work") {
  // Every tile writes a long packet, all ask at once. One block needs the way there and back for each; with several the
  // words of one come while others are on their way.
  const auto several = spec::load_machine("mk2-64");
  const auto one = spec::parse_machine("base = \"mk2-64\"\nname = \"mk2-64-one\"\nexchange_blocks = 1\n");
  const auto cycles = [](const spec::Machine& m) {
    chip::ChipEngine<model::ModelTile> chip(m);
    HostMemory host(m);
    chip.attach(&host);
    ChipProgram program(m.tiles(), TileProgram(Places(m)));
    for (unsigned t = 0; t < m.tiles(); ++t) {
      TileProgram& p = program[t];
      p.data(p.places().sent,
             {spec::PacketHeader{.words = 256, .tile = t, .kind = spec::PacketKind::kWriteHost}.encode(), 0x400 * t});
      p.sync(3);
      p.hsend(p.places().sent, 258);
      p.sync(4);
      p.trap(1);
    }
    load_and_start(chip, program);
    CHECK(chip.run(kLimit, 0).reason == StopReason::kHostSync);
    REQUIRE(host.cycles().size() == m.tiles());
    return host.cycles().back() - host.cycles().front();
  };
  CHECK(cycles(several) == 63 * 258);  // a word in every cycle
  CHECK(cycles(one) == 63 * (258 + 2 * one.edge_latency + 1));
}
