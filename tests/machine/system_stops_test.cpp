// How runs of several chips stop, go on and are looked into: each chip has a stop of its own, limits and debug accesses
// in the middle of traffic lose nothing, and what does not work with several chips is refused.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "rtl/spec/registers.h"
#include "sw/card/client.h"
#include "sw/card/host_window.h"
#include "sw/card/process.h"
#include "tb/link/traffic.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::ContainsText;
using chip::StopReason;

namespace {

struct Machine {
  Machine(const std::string& system, const std::string& backend, const std::vector<std::string>& more = {})
      : process(card::find_machine(backend), system, backend, more), client(process.take_socket()) {}
  card::Process process;
  card::Client client;
};

// The cycle of the chip that is furthest.
uint64_t latest(card::Client& client) {
  uint64_t cycle = 0;
  for (uint32_t c = 0; c < client.identity().chips.size(); ++c) {
    client.choose(c);
    cycle = std::max(cycle, client.counters().cycles);
  }
  return cycle;
}

// Chip 1 does what `of_one` adds before it would come to the sync of all.
std::vector<chip::Stop> stops_with(const std::string& backend,
                                   const std::function<void(TileProgram&, uint32_t)>& of_one) {
  Machine m("mk2-4x2", backend);
  const spec::Machine machine = spec::load_machine("mk2-4");
  for (uint32_t c = 0; c < 2; ++c) {
    ChipProgram program;
    for (uint32_t t = 0; t < machine.tiles(); ++t) {
      TileProgram& p = program.emplace_back(Places(machine));
      if (c == 1) of_one(p, t);
      p.sync(3);
      p.trap(1);
    }
    load_and_start(m.client, c, program);
  }
  const auto stops = m.client.run(kForEver, 0);
  m.client.choose(0);
  CHECK(m.client.exceptions().empty());
  m.client.choose(1);
  CHECK(m.client.exceptions().empty() == (stops[1].reason != StopReason::kException));
  return stops;
}

}  // namespace

TEST_CASE("a chip that waits for others that have stopped otherwise says so, and they say why") {
  const std::string backend = GENERATE("model", "rtl");
  const auto trapped = stops_with(backend, [](TileProgram& p, uint32_t) { p.trap(1); });
  CHECK(trapped[0].reason == StopReason::kGroupSync);
  CHECK(trapped[1].reason == StopReason::kException);
  const auto split = stops_with(backend, [](TileProgram& p, uint32_t tile) {
    if (tile == 2) p.sync(2);
  });
  CHECK(split[0].reason == StopReason::kGroupSync);
  CHECK(split[1].reason == StopReason::kDeadlock);
  const auto elsewhere = stops_with(backend, [](TileProgram& p, uint32_t) { p.sync(4); });
  CHECK(elsewhere[0].reason == StopReason::kGroupSync);
  CHECK(elsewhere[1].reason == StopReason::kHostSync);
  const auto starved = stops_with(backend, [](TileProgram& p, uint32_t) {
    p.li(9, 1);
    p.csr_write(spec::Csr::Xcount, 9);
    p.sync(5);
  });
  CHECK(starved[0].reason == StopReason::kGroupSync);
  CHECK(starved[1].reason == StopReason::kDeadlock);
}

TEST_CASE("words that never come are a deadlock at once, which says who waits for how many") {
  const std::string backend = GENERATE("model", "rtl");
  const std::string threads = GENERATE("1", "3");
  const spec::Machine machine = spec::load_machine("mk2-4");
  // Tile 3 of chip 1 is to get 7 words, of which tile 2 of chip 0 sends 4; the other chips wait for nobody but it.
  Machine m("mk2-4x4", backend, {"--threads", threads});
  for (uint32_t c = 0; c < 4; ++c) {
    ChipProgram program;
    for (uint32_t t = 0; t < machine.tiles(); ++t) {
      TileProgram& p = program.emplace_back(Places(machine));
      const bool sends = c == 0 && t == 2, receives = c == 1 && t == 3;
      if (sends)
        p.data(p.places().sent,
               {spec::PacketHeader{.words = 4, .chip = 1, .tile = 3, .kind = spec::PacketKind::kWriteTile}.encode(),
                p.places().received, 5, 6, 7, 8});
      if (receives) {
        p.li(9, 7);
        p.csr_write(spec::Csr::Xcount, 9);
      }
      p.sync(3);
      if (sends) p.hsend(p.places().sent, 6);
      if (receives) p.sync(5);
      p.sync(3);
      p.trap(1);
    }
    load_and_start(m.client, c, program);
  }
  const auto stops = m.client.run(kForEver, 0);
  for (uint32_t c = 0; c < 4; ++c) CHECK(stops[c].reason == (c == 1 ? StopReason::kDeadlock : StopReason::kGroupSync));
  m.client.choose(1);
  const auto waits = m.client.waits();
  CHECK(waits[3].state == "waits for 3 words of packets");
  CHECK(waits[0].state == "waits at external sync");
  CHECK(m.client.peek(3, Places(machine).received, 4) == std::vector<uint32_t>{5, 6, 7, 8});
  CHECK_THAT(m.client.failure(), ContainsText("waits for 3 words of packets") &&
                                     ContainsText("tiles of other chips, which send nothing any more"));
  CHECK(stops[1].cycle < stops[0].cycle + 3000);
}

TEST_CASE("runs cut by limits, and tiles read in the middle of traffic, lose nothing") {
  const std::string backend = GENERATE("model", "rtl");
  const spec::System system = spec::load_system("mk2-4x4");
  std::mt19937 random(3);
  const Traffic traffic = random_traffic(system, 8, 50, random);
  std::vector<uint64_t> whole, cut;
  for (const bool cuts : {false, true}) {
    Machine m("mk2-4x4", backend);
    for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(m.client, c, traffic.programs[c]);
    std::vector<chip::Stop> stops;
    do {
      const uint64_t limit = cuts ? latest(m.client) + 1 + random() % 700 : kForEver;
      stops = m.client.run(limit, 0);
    } while (!std::ranges::all_of(stops, [](const chip::Stop& s) { return s.reason == StopReason::kException; }));
    for (const chip::Stop& stop : stops) (cuts ? cut : whole).push_back(stop.cycle);
  }
  CHECK(cut == whole);

  // Accesses take chip time, so cycles differ; words do not.
  Machine m("mk2-4x4", backend);
  for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(m.client, c, traffic.programs[c]);
  std::vector<chip::Stop> stops;
  unsigned refused = 0;
  do {
    stops = m.client.run(latest(m.client) + 1 + random() % 900, 0);
    m.client.choose(static_cast<uint32_t>(random() % system.chips.size()));
    for (uint32_t t = 0; t < 4; ++t) refused += !m.client.settled(t);
    m.client.debug_read(1, chip::DebugSpace::kControl, 0, spec::DebugControl::kHalt);
  } while (!std::ranges::all_of(stops, [](const chip::Stop& s) { return s.reason == StopReason::kException; }));
  CHECK(refused > 10);
  unsigned wrong = 0;
  for (const Traffic::Word& word : traffic.written) {
    m.client.choose(word.chip);
    wrong += m.client.peek(word.tile, word.address, 1).at(0) != word.value;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every chip has its part of the host's memory") {
  const std::string backend = GENERATE("model", "rtl");
  const std::string threads = GENERATE("1", "3");
  const spec::System system = spec::load_system("mk2-4x4");
  constexpr unsigned kWords = 200;
  constexpr uint64_t kPart = 0x8000;
  card::HostWindow window(4 * kPart);
  Machine m("mk2-4x4", backend, {"--threads", threads});
  const ChipProgram program = host_memory_program(system.chips[0], kWords);
  for (uint32_t c = 0; c < 4; ++c) {
    m.client.choose(c);
    m.client.window(window.descriptor(), kPart, c * kPart);
    load_and_start(m.client, c, program);
  }
  std::vector<chip::Stop> stops = m.client.run(kForEver, 0);
  for (unsigned n = 0; std::ranges::all_of(stops, [](const auto& s) { return s.reason == StopReason::kHostSync; });
       ++n) {
    REQUIRE(n < 10);
    for (uint32_t c = 0; c < 4; ++c) {
      m.client.choose(c);
      m.client.write(spec::kRegMark, 1);
    }
    stops = m.client.run(kForEver, 0);
  }
  for (uint32_t c = 0; c < 4; ++c) {
    INFO(c << ": " << static_cast<int>(stops[c].reason));
    m.client.choose(c);
    const Places places(system.chips[0]);
    for (uint32_t t = 0; t < 4; ++t) {
      const std::vector<uint32_t> read = m.client.peek(t, places.received, kWords);
      unsigned wrong = 0;
      for (uint32_t w = 0; w < kWords; ++w)
        wrong += read[w] != window.word(static_cast<uint32_t>(c * kPart + 0x1000 * (t + 1) + 4 * w)) || read[w] == 0;
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("what looks into one chip only is refused for several, and files are of the chip that is named") {
  const auto refuses = [](const std::string& inspect, const std::string& backend, const std::string& why) {
    card::Process process(card::find_machine(backend), "mk2-4x2", backend, {"--inspect", inspect});
    CHECK_THROWS_WITH(card::Client(process.take_socket()), ContainsText(why));
  };
  refuses("trace=/tmp/never.trace;trace-tiles=2:0", "model", "there is no chip 2");

  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const spec::System system = spec::load_system("mk2-4x2");
  std::mt19937 random(5);
  const Traffic traffic = random_traffic(system, 6, 30, random);
  {
    Machine m("mk2-4x2", "model",
              {"--inspect",
               "trace=" + folder + "/t.trace;trace-tiles=1:0-3;on-failure=" + folder + "/failed;snapshot-every=500"});
    CHECK_THROWS_WITH(m.client.inspect("gdb=0;gdb-tiles=2:1"), ContainsText("there is no chip 2"));
    for (uint32_t c = 0; c < 2; ++c) load_and_start(m.client, c, traffic.programs[c]);
    CHECK(m.client.run(kForEver, 0)[1].reason == StopReason::kException);
    for (uint32_t c = 0; c < 2; ++c) {
      m.client.choose(c);
      CHECK_THAT(m.client.failure(), ContainsText("chip " + std::to_string(c) + " tile 0"));
    }
    m.client.finish();
  }
  CHECK(std::filesystem::file_size(folder + "/t.trace") > 1000);
  {  // Of both chips: a file each.
    Machine m("mk2-4x2", "model", {"--inspect", "trace=" + folder + "/all.trace"});
    for (uint32_t c = 0; c < 2; ++c) load_and_start(m.client, c, traffic.programs[c]);
    CHECK(m.client.run(kForEver, 0)[1].reason == StopReason::kException);
    m.client.finish();
  }
  for (const char* chip : {"chip0", "chip1"})
    CHECK(std::filesystem::file_size(folder + "/all." + chip + ".trace") > 1000);
  CHECK_FALSE(std::filesystem::exists(folder + "/all.trace"));
  for (const char* chip : {"chip0", "chip1"})
    CHECK(std::filesystem::file_size(folder + "/failed/" + chip + "/failure.trace") > 1000);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a window on RTL of a system takes the model's cycles, and leaves waves of each chip") {
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const spec::System system = spec::load_system("mk2-4x2");
  std::mt19937 random(8);
  const Traffic traffic = random_traffic(system, 6, 30, random, 3);
  struct End {
    std::vector<uint64_t> cycles, memory;
    bool operator==(const End&) const = default;
  };
  const auto run = [&](const std::string& backend, const std::vector<std::string>& more) {
    Machine m("mk2-4x2", backend, more);
    for (uint32_t c = 0; c < 2; ++c) load_and_start(m.client, c, traffic.programs[c]);
    auto stops = m.client.run(kForEver, 0);
    for (int syncs = 0; stops[0].reason == StopReason::kHostSync && syncs < 9; ++syncs) {
      for (uint32_t c = 0; c < 2; ++c) {
        m.client.choose(c);
        m.client.write(spec::kRegMark, 1);
      }
      stops = m.client.run(kForEver, 0);
    }
    End end;
    for (uint32_t c = 0; c < 2; ++c) {
      CHECK(stops[c].reason == StopReason::kException);
      m.client.choose(c);
      end.cycles.push_back(stops[c].cycle);
      end.memory.push_back(m.client.memory_hash());
    }
    m.client.finish();
    return end;
  };
  const std::string inspect = "waves=" + folder + "/w.fst;rtl-window=true;wave-from=1;wave-for=1";
  CHECK(run("rtl", {"--inspect", inspect}) == run("model", {}));
  for (const char* chip : {"chip0", "chip1"}) CHECK(std::filesystem::file_size(folder + "/w." + chip + ".fst") > 500);
}
