// Remote memory through the machine's process: tiles of a system with a gateway write and read it in the cycles of
// docs/reference/systems.md, its client sees the same bytes, what does not lie in it is refused, and long copies come
// near the described rate.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "rtl/spec/registers.h"
#include "rtl/spec/system.h"
#include "sw/card/client.h"
#include "sw/card/process.h"
#include "sw/card/stop_text.h"
#include "tb/chip/chip_programs.h"
#include "tb/link/traffic.h"
#include "tests/machine/system_file.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

constexpr uint64_t kForEver = ~uint64_t{0}, kBytes = (uint64_t{1} << 40) - (uint64_t{1} << 20), kMark = 0x4d;

// Chips of mk2-4 side by side; a gateway has those in `of_gateway`.
std::string pair_with_gateway(const std::string& of_gateway, unsigned latency, unsigned rate, uint64_t bytes = kBytes) {
  return fmt::format(R"(
name = "pair-with-gateway"
chips = ["mk2-4", "mk2-4"]
[[link]]
ends = [[0, 0], [1, 0]]
lanes = 8
latency = 160
bytes_per_cycle = 4
[[sync_group]]
zone = "GS1"
members = [0, 1]
hop_latency = 20
[[gateway]]
name = "gateway"
chips = [{}]
dram_bytes = {}
latency = {}
bytes_per_cycle = {}
[[host]]
name = "host"
chips = [0, 1]
)",
                     of_gateway, bytes, latency, rate);
}

std::string card_with_gateway(const std::string& machine, unsigned latency = 800, unsigned rate = 4) {
  return fmt::format(R"(
name = "card-with-gateway"
chips = ["{}"]
[[gateway]]
name = "gateway"
chips = [0]
dram_bytes = {}
latency = {}
bytes_per_cycle = {}
[[host]]
name = "host"
chips = [0]
)",
                     machine, kBytes, latency, rate);
}

struct Machine {
  Machine(const std::string& system, const std::string& backend, const std::vector<std::string>& more = {})
      : process(card::find_machine(backend), system, backend, more), client(process.take_socket()) {}
  card::Process process;
  card::Client client;

  void load_and_start(uint32_t chip, const ChipProgram& program) {
    client.choose(chip);
    card::Client::Writes writes(client);
    for (uint32_t t = 0; t < program.size(); ++t)
      for (const auto& [address, word] : program[t].image()) writes.load(t, address, std::span(&word, 1));
    writes.start(chip::kNoTile, program[0].places().code);
    writes.send();
  }
  void mark(uint32_t chips) {
    for (uint32_t c = 0; c < chips; ++c) {
      client.choose(c);
      client.write(spec::kRegMark, kMark);
    }
  }
};

uint64_t taken(const card::RemoteMemory& memory) {
  struct stat status{};
  REQUIRE(::fstat(memory.descriptor(), &status) == 0);
  return static_cast<uint64_t>(status.st_blocks) * 512;
}

// Tile t of chip c writes at a place of its own, makes sure of it by a read behind, and after a sync of all chips reads
// what the same tile of the other chip has written.
ChipProgram exchanging_program(const spec::Machine& m, uint32_t chip, unsigned words) {
  using spec::PacketKind;
  ChipProgram program(m.tiles(), TileProgram(Places(m)));
  for (uint32_t t = 0; t < m.tiles(); ++t) {
    TileProgram& p = program[t];
    const auto place = [&](uint32_t of) { return kRemote + (uint64_t{of} << 33) + 0x1000 * t; };
    p.data(p.places().sent, remote_packet(PacketKind::kWriteRemote, words, t, place(chip)));
    for (unsigned i = 0; i < words; ++i) p.data(p.places().sent + 8 + 4 * i, sent_word(100 * chip + t, i));
    p.data(p.places().result, remote_packet(PacketKind::kReadRemote, 1, t, place(chip)));
    p.data(p.places().result + 8, p.places().received + 0x800);
    p.data(p.places().result + 16, remote_packet(PacketKind::kReadRemote, words, t, place(1 - chip)));
    p.data(p.places().result + 24, p.places().received);
    const auto await = [&p](unsigned count) {
      p.li(9, count);
      p.csr_write(spec::Csr::Xcount, 9);
    };
    await(1);
    p.sync(3);
    p.delay(1 + 7 * t);
    p.hsend(p.places().sent, words + 2);
    p.hsend(p.places().result, 3);
    p.sync(5);
    await(words);
    p.sync(3);
    p.hsend(p.places().result + 16, 3);
    p.sync(5);
    p.csr_read(12, spec::Csr::Cycle);
    p.sw(12, p.places().result + 64);
    p.sync(4);
    p.trap(1);
  }
  return program;
}

// Every tile does `rounds` times what the packet of `kind` and 256 words does, as fast as it can, from the cycle in its
// result on.
ChipProgram copying_program(const spec::Machine& m, uint32_t kind, unsigned rounds) {
  ChipProgram program(m.tiles(), TileProgram(Places(m)));
  const bool reads = kind == spec::PacketKind::kReadRemote;
  for (uint32_t t = 0; t < m.tiles(); ++t) {
    TileProgram& p = program[t];
    p.data(p.places().sent, remote_packet(kind, 256, t, (uint64_t{2} << 32) + 0x400 * t));
    if (reads) p.data(p.places().sent + 8, p.places().received);
    p.li(9, reads ? 256 * rounds : 0);
    p.csr_write(spec::Csr::Xcount, 9);
    p.sync(3);
    p.csr_read(12, spec::Csr::Cycle);
    p.sw(12, p.places().result);
    for (unsigned i = 0; i < rounds; ++i) p.hsend(p.places().sent, reads ? 3 : 258);
    if (reads) p.sync(5);
    p.sync(4);
    p.trap(1);
  }
  return program;
}

struct Outcome {
  std::vector<uint64_t> told;  // reason and cycle of every stop, memory hashes
  bool operator==(const Outcome&) const = default;
  void tell(const std::vector<chip::Stop>& stops) {
    for (const chip::Stop& stop : stops) {
      told.push_back(static_cast<uint64_t>(stop.reason));
      told.push_back(stop.cycle);
    }
  }
};

}  // namespace

TEST_CASE("a chip's reads are answered in the cycles that the page says") {
  struct Numbers {
    unsigned latency, rate;
  };
  const auto [latency, rate] = GENERATE(Numbers{800, 4}, Numbers{150, 3}, Numbers{66, 1});
  const unsigned words = GENERATE(1u, 19u, 256u);
  const spec::Machine m = spec::load_machine("mk2-4");
  const ChipProgram program = remote_memory_program(m, words);
  // The chip alone, with a bus that goes by the page; the tiles note the cycles of their answers in memory.
  const auto chip = chip::make_chip(chip::Backend::kModel, m);
  HostMemory memory(m);
  memory.remote_latency = latency;
  memory.remote_bytes_per_cycle = rate;
  chip->attach(&memory);
  load_and_start(*chip, program);
  Outcome expected;
  expected.tell({chip->run(kForEver, 0)});
  expected.told.push_back(chip->memory_hash());
  REQUIRE(expected.told[0] == static_cast<uint64_t>(StopReason::kHostSync));

  const SystemFile file(card_with_gateway("mk2-4", latency, rate));
  for (const std::string backend : {"model", "rtl"}) {
    INFO(backend << " " << latency << " " << rate << " " << words);
    Machine machine(file.path, backend);
    machine.load_and_start(0, program);
    Outcome outcome;
    outcome.tell(machine.client.run(kForEver, 0));
    outcome.told.push_back(machine.client.memory_hash());
    CHECK(outcome == expected);
  }
}

TEST_CASE("chips of a gateway have one memory, which the client sees, and of which only what is written takes any") {
  constexpr unsigned kLength = 200;
  const spec::Machine m = spec::load_machine("mk2-4");
  const SystemFile file(pair_with_gateway("0, 1", 300, 4));
  Outcome first;
  for (const std::string backend : {"model", "rtl"})
    for (const std::string threads : {"1", "3"}) {
      INFO(backend << " " << threads);
      Machine machine(file.path, backend, {"--threads", threads});
      auto memory = machine.client.remote_memory();
      REQUIRE(memory);
      CHECK(memory->bytes() == kBytes);
      for (uint32_t c = 0; c < 2; ++c) machine.load_and_start(c, exchanging_program(m, c, kLength));
      Outcome outcome;
      outcome.tell(machine.client.run(kForEver, 0));
      unsigned wrong = 0;
      for (uint32_t c = 0; c < 2; ++c) {
        machine.client.choose(c);
        outcome.told.push_back(machine.client.memory_hash());
        for (uint32_t t = 0; t < m.tiles(); ++t) {
          const std::vector<uint32_t> read = machine.client.peek(t, Places(m).received, kLength);
          std::vector<uint32_t> seen(kLength);
          memory->read(kRemote + (uint64_t{c} << 33) + 0x1000 * t, std::as_writable_bytes(std::span(seen)));
          for (unsigned i = 0; i < kLength; ++i)
            wrong += read[i] != sent_word(100 * (1 - c) + t, i) || seen[i] != sent_word(100 * c + t, i);
        }
      }
      CHECK(wrong == 0);
      if (first.told.empty()) first = outcome;
      CHECK(outcome == first);
      CHECK(outcome.told[0] == static_cast<uint64_t>(StopReason::kHostSync));
      CHECK(taken(*memory) <= 8 << 20);  // of a tebibyte

      // A reset leaves it; it is the client's to write and to clear.
      machine.client.reset();
      std::vector<uint32_t> words(3, 17);
      const auto bytes = std::as_writable_bytes(std::span(words));
      memory->read(kRemote, bytes);
      CHECK(words == std::vector<uint32_t>{sent_word(0, 0), sent_word(0, 1), sent_word(0, 2)});
      memory->clear();
      CHECK(taken(*memory) == 0);
      memory->read(kRemote, bytes);
      CHECK(words == std::vector<uint32_t>(3));
      CHECK(taken(*memory) == 0);
      CHECK_THROWS_WITH(memory->read(kBytes - 8, bytes),
                        "remote memory has 1099510579200 bytes, and there are no 12 at 0xffffeffff8");
      // From the beginning the cycles are the same.
      for (uint32_t c = 0; c < 2; ++c) machine.load_and_start(c, exchanging_program(m, c, kLength));
      Outcome again;
      again.tell(machine.client.run(kForEver, 0));
      CHECK(std::equal(again.told.begin(), again.told.end(), first.told.begin()));
    }
}

TEST_CASE(
    "packets to other chips and to remote memory at once: nothing is lost, on RTL and model, on any number of "
    "threads") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4");
  const spec::System standard = spec::load_system(name);
  const SystemFile file(pair_with_gateway("0, 1", 66, 3));
  const std::string path = standard.gateways.empty() ? file.path : name;
  const spec::System system = spec::load_system(path);
  std::mt19937 random(11);
  const Traffic traffic = random_traffic(system, 6, 40, random, 2, 4);
  std::vector<uint64_t> first;
  for (const std::string backend : {"model", "rtl"})
    for (const std::string threads : {"1", "3"}) {
      INFO(name << " " << backend << " " << threads);
      Machine machine(path, backend, {"--threads", threads});
      const auto chips = static_cast<uint32_t>(system.chips.size());
      for (uint32_t c = 0; c < chips; ++c) machine.load_and_start(c, traffic.programs[c]);
      Outcome outcome;
      for (unsigned turn = 0; turn < 2; ++turn) {  // the second ends with traps
        outcome.tell(machine.client.run(kForEver, 0));
        if (turn == 0) machine.mark(chips);
      }
      CHECK(outcome.told[4 * chips - 2] == static_cast<uint64_t>(StopReason::kException));
      unsigned wrong = 0;
      for (const Traffic::Word& word : traffic.written) {
        machine.client.choose(word.chip);
        wrong += machine.client.peek(word.tile, word.address, 1).at(0) != word.value;
      }
      CHECK(wrong == 0);
      for (uint32_t c = 0; c < chips; ++c) {
        machine.client.choose(c);
        CHECK(machine.client.remote_memory()->bytes() == (standard.gateways.empty() ? kBytes : uint64_t{128} << 30));
        outcome.told.push_back(machine.client.memory_hash());
      }
      if (first.empty()) first = outcome.told;
      CHECK(outcome.told == first);
    }
}

TEST_CASE("a tile reads what the client has put there") {
  const spec::Machine m = spec::load_machine("mk2-4");
  const SystemFile file(card_with_gateway("mk2-4"));
  Machine machine(file.path, "model");
  auto memory = machine.client.remote_memory();
  REQUIRE(memory);
  std::vector<uint32_t> words(256);
  for (uint32_t t = 0; t < m.tiles(); ++t) {
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = sent_word(t, i);
    memory->write((uint64_t{2} << 32) + 0x400 * t, std::as_bytes(std::span(words)));
  }
  machine.load_and_start(0, copying_program(m, spec::PacketKind::kReadRemote, 1));
  CHECK(machine.client.run(kForEver, 0)[0].reason == StopReason::kHostSync);
  for (uint32_t t = 0; t < m.tiles(); ++t) {
    for (uint32_t i = 0; i < words.size(); ++i) words[i] = sent_word(t, i);
    CHECK(machine.client.peek(t, Places(m).received, 256) == words);
  }
}

TEST_CASE("what lies outside, and all of a chip without a gateway, is refused by remote memory") {
  const std::string backend = GENERATE("model", "rtl");
  const spec::Machine m = spec::load_machine("mk2-4");
  struct Nothing : card::ProgramPlaces {
    std::string function(uint32_t) const override { return ""; }
  } places;
  const auto writer = [&](uint64_t address, unsigned words) {
    ChipProgram program(m.tiles(), TileProgram(Places(m)));
    for (uint32_t t = 0; t < m.tiles(); ++t) {
      TileProgram& p = program[t];
      p.data(p.places().sent, remote_packet(spec::PacketKind::kWriteRemote, words, t, address));
      p.sync(3);
      if (t == 2) p.hsend(p.places().sent, words + 2);
      p.sync(4);
      p.trap(1);
    }
    return program;
  };
  const SystemFile file(pair_with_gateway("1", 300, 4, uint64_t{6} << 32));
  Machine machine(file.path, backend);
  machine.client.choose(0);
  CHECK_FALSE(machine.client.remote_memory());
  machine.client.choose(1);
  REQUIRE(machine.client.remote_memory());

  machine.load_and_start(0, writer(64, 5));
  machine.load_and_start(1, writer((uint64_t{6} << 32) - 16, 5));
  const std::vector<chip::Stop> stops = machine.client.run(kForEver, 0);
  for (uint32_t c = 0; c < 2; ++c) {
    REQUIRE(stops[c].reason == StopReason::kRefused);
    CHECK(stops[c].tile == 2);
    CHECK(stops[c].refusal->remote);
    machine.client.choose(c);
    CHECK_THAT(
        card::stop_text(machine.client, places, stops[c], 0),
        Catch::Matchers::StartsWith("Tile 2: remote memory refused a packet: write of 5 words at remote address " +
                                    std::string(c == 0 ? "0x40" : "0x5fffffff0") + ", cycle "));
    CHECK_THAT(machine.client.failure(),
               Catch::Matchers::ContainsText("remote memory refused a packet: write of 5 words at remote address"));
  }
  // The last word is there.
  machine.client.reset();
  machine.load_and_start(0, ChipProgram(m.tiles(), TileProgram(Places(m))));
  machine.load_and_start(1, writer((uint64_t{6} << 32) - 20, 5));
  CHECK(machine.client.run(kForEver, 0)[1].reason != StopReason::kRefused);
}

TEST_CASE("long copies come near the described rate") {
  constexpr unsigned kRounds = 8;
  const spec::Machine m = spec::load_machine("mk2-16");
  const SystemFile file(card_with_gateway("mk2-16"));
  for (const uint32_t kind : {spec::PacketKind::kWriteRemote, spec::PacketKind::kReadRemote}) {
    Machine machine(file.path, "model");
    machine.load_and_start(0, copying_program(m, kind, kRounds));
    const chip::Stop stop = machine.client.run(kForEver, 0)[0];
    REQUIRE(stop.reason == StopReason::kHostSync);
    const uint64_t begin = machine.client.peek(0, Places(m).result, 1)[0];
    const double bytes = 4.0 * 256 * kRounds * m.tiles(), rate = bytes / static_cast<double>(stop.cycle - begin);
    INFO((kind == spec::PacketKind::kReadRemote ? "read" : "written") << ": " << rate << " bytes a cycle of 4");
    CHECK(rate >= 0.9 * 4);
    CHECK(rate <= 4);
  }
}
