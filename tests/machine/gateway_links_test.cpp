// Memory behind links of gateways, through the machine's process: in the cycles of docs/reference/systems.md, on RTL
// and model, on any number of threads; the client sees each gateway's by its chips; what lies in no window is refused.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "rtl/spec/remote_windows.h"
#include "rtl/spec/system.h"
#include "tb/chip/chip_programs.h"
#include "tests/machine/process_of_chips.h"
#include "tests/machine/system_file.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

struct Described {
  uint64_t bytes;
  unsigned latency, rate;
};

// Chips of mk2-4 in a row, each with a gateway, joined likewise by links of these latencies and rates; all are a
// group of GS1.
std::string row_of(const std::vector<Described>& gateways, const std::vector<Described>& links) {
  std::string chips, ids, text;
  for (size_t c = 0; c < gateways.size(); ++c) {
    chips += "\"mk2-4\", ";
    ids += fmt::format("{}, ", c);
    text += fmt::format(
        "[[gateway]]\nname = \"g{0}\"\nchips = [{0}]\ndram_bytes = {1}\nlatency = {2}\n"
        "bytes_per_cycle = {3}\n",
        c, gateways[c].bytes, gateways[c].latency, gateways[c].rate);
    if (c == 0) continue;
    text +=
        fmt::format("[[link]]\nends = [[{}, 1], [{}, 0]]\nlanes = 8\nlatency = 160\nbytes_per_cycle = 4\n", c - 1, c);
    if (c - 1 < links.size())
      text += fmt::format("[[gateway_link]]\nends = [\"g{}\", {}]\nlatency = {}\nbytes_per_cycle = {}\n", c - 1, c,
                          links[c - 1].latency, links[c - 1].rate);
  }
  text += fmt::format("[[sync_group]]\nzone = \"GS1\"\nmembers = [{}]\nhop_latency = 20\n", ids);
  return fmt::format("name = \"row\"\nchips = [{}]\n{}[[host]]\nname = \"host\"\nchips = [{}]\n", chips, text, ids);
}

// Comes to the host at once.
ChipProgram idle_program(const spec::Machine& m) {
  ChipProgram program(m.tiles(), TileProgram(Places(m)));
  for (TileProgram& p : program) {
    p.sync(3);
    p.sync(4);
    p.trap(1);
  }
  return program;
}

}  // namespace

TEST_CASE("reads through links are answered in the cycles that the page says") {
  struct Numbers {
    Described links[2];
    unsigned of_window;  // all that the program touches is in that one
  };
  const Numbers all[] = {{{{0, 400, 4}, {0, 200, 4}}, 0},
                         {{{0, 400, 4}, {0, 200, 4}}, 1},
                         {{{0, 1, 3}, {0, 200, 4}}, 1},
                         {{{0, 70, 4}, {0, 35, 2}}, 2}};
  const std::string backend = GENERATE("model", "rtl");
  const unsigned words = GENERATE(1u, 19u, 256u);
  const spec::Machine m = spec::load_machine("mk2-4");
  const ChipProgram program = remote_memory_program(m, words);
  uint64_t group_takes = 0;  // longer than the chip alone, before anything else
  for (const auto& [links, of_window] : all) {
    INFO(backend << " window " << of_window << " " << words);
    std::vector<Described> gateways = {{1024, 66, 4}, {2048, 150, 4}, {4096, 99, 3}};
    gateways[of_window].bytes = uint64_t{1} << 39;
    uint64_t latency = gateways[of_window].latency;
    unsigned rate = gateways[of_window].rate;
    for (unsigned l = 0; l < of_window; ++l) {
      latency += 2 * links[l].latency;
      rate = std::min({rate, links[l].rate, gateways[l].rate});
    }
    // The chip alone, with a bus that goes by the page; the tiles note the cycles of their answers in memory.
    const auto chip = chip::make_chip(chip::Backend::kModel, m);
    HostMemory memory(m);
    memory.remote_latency = latency;
    memory.remote_bytes_per_cycle = rate;
    chip->attach(&memory);
    test::load_and_start(*chip, program);
    const chip::Stop alone = chip->run(kForEver, 0);
    REQUIRE(alone.reason == StopReason::kHostSync);

    const SystemFile file(row_of(gateways, {links[0], links[1]}));
    MachineProcess machine(file.path, backend);
    load_and_start(machine.client, 0, program);
    for (uint32_t c = 1; c < 3; ++c) load_and_start(machine.client, c, idle_program(m));
    const std::vector<chip::Stop> stops = machine.client.run(kForEver, 0);
    for (const chip::Stop& stop : stops) REQUIRE(stop.reason == StopReason::kHostSync);
    if (of_window == 0) group_takes = stops[0].cycle - alone.cycle;
    CHECK(stops[0].cycle == alone.cycle + group_takes);
    machine.client.choose(0);
    unsigned wrong = 0;
    for (uint32_t t = 0; t < m.tiles(); ++t) {
      const auto here = [&](uint32_t address) { return chip->debug_read(t, chip::DebugSpace::kMemory, 0, address); };
      const auto read = machine.client.peek(t, Places(m).received, words);
      for (unsigned i = 0; i < words; ++i) wrong += read[i] != here(Places(m).received + 4 * i);
      const uint32_t noted = Places(m).result + 64;
      wrong += machine.client.peek(t, noted, 1)[0] != here(noted) + group_takes;
    }
    // What the tiles have written, as the client sees it: by a chip of the gateway whose it is.
    machine.client.choose(of_window);
    const auto remote = machine.client.remote_memory();
    CHECK(remote->bytes() == gateways[of_window].bytes);
    const spec::System system = spec::load_system(file.path);
    const uint64_t first = spec::remote_windows(system.gateways, system.gateway_links, 0)[of_window].first;
    std::vector<uint32_t> seen(words);
    remote->read(kRemote + 0x1000 - first, std::as_writable_bytes(std::span(seen)));
    for (unsigned i = 0; i < words; ++i) wrong += seen[i] != memory.remote_word(kRemote + 0x1000 + 4 * i);
    CHECK(wrong == 0);
  }
}

TEST_CASE("answers of a near and a far gateway come in the order of the requests, and the near ones wait") {
  constexpr unsigned kLatency = 100, kFar = 700;
  const SystemFile file(row_of({{1024, kLatency, 4}, {1024, kLatency, 4}}, {{0, kFar, 4}}));
  const spec::Machine m = spec::load_machine("mk2-4");
  // Tile 0 reads a word at each of two addresses, and notes how long both took.
  const auto took = [&](const std::string& backend, uint64_t one, uint64_t other) {
    ChipProgram program = idle_program(m);
    TileProgram& p = program[0];
    p = TileProgram(Places(m));
    const uint64_t addresses[] = {one, other};
    for (uint32_t i = 0; i < 2; ++i) {
      p.data(p.places().sent + 16 * i, remote_packet(spec::PacketKind::kReadRemote, 1, 0, addresses[i]));
      p.data(p.places().sent + 16 * i + 8, p.places().received + 4 * i);
    }
    p.sync(3);
    p.li(9, 2);
    p.csr_write(spec::Csr::Xcount, 9);
    p.csr_read(11, spec::Csr::Cycle);
    p.hsend(p.places().sent, 3);
    p.hsend(p.places().sent + 16, 3);
    p.sync(5);
    p.csr_read(12, spec::Csr::Cycle);
    p.sw(11, p.places().result);
    p.sw(12, p.places().result + 4);
    p.sync(4);
    p.trap(1);
    MachineProcess machine(file.path, backend);
    const uint32_t word = 4711;
    machine.client.choose(1);
    machine.client.remote_memory()->write(8, std::as_bytes(std::span(&word, 1)));
    load_and_start(machine.client, 0, program);
    load_and_start(machine.client, 1, idle_program(m));
    REQUIRE(machine.client.run(kForEver, 0)[0].reason == StopReason::kHostSync);
    machine.client.choose(0);
    const auto read = machine.client.peek(0, Places(m).received, 2);
    for (uint32_t i = 0; i < 2; ++i) CHECK(read[i] == (addresses[i] == 1024 + 8 ? word : 0));
    const auto cycles = machine.client.peek(0, Places(m).result, 2);
    return uint64_t{cycles[1] - cycles[0]};
  };
  const std::string backend = GENERATE("model", "rtl");
  const uint64_t near_near = took(backend, 16, 8), near_far = took(backend, 16, 1024 + 8),
                 far_near = took(backend, 1024 + 8, 16), far_far = took(backend, 1024 + 8, 1024 + 16);
  CHECK(near_far == near_near + 2 * kFar);
  CHECK(far_far == near_far);
  // The near answer is there right behind the far one, whose request has left one packet earlier.
  CHECK(far_near < far_far);
  CHECK(far_near > near_near + 2 * kFar - 100);
}

TEST_CASE("random packets to other chips and to memory behind links: the same on RTL and model, on any threads") {
  const uint64_t odd = 0x10000;  // no two places of the windows are the same
  const SystemFile file(
      row_of({{3 * (uint64_t{1} << 32) + odd, 66, 3}, {8 * (uint64_t{1} << 32) + odd, 90, 4}}, {{0, 45, 4}}));
  const spec::System system = spec::load_system(file.path);
  std::mt19937 random(12);
  for (unsigned turn = 0; turn < 3; ++turn) {
    const Traffic traffic = random_traffic(system, 6, 40, random, 2, 4);
    Outcome first;
    for (const std::string backend : {"model", "rtl"})
      for (const std::vector<std::string>& pace :
           {std::vector<std::string>{"--threads", "1"}, {"--threads", "3", "--quantum", "7", "--hold-up", "5"}}) {
        INFO(turn << " " << backend << " " << pace[1]);
        MachineProcess machine(file.path, backend, pace);
        const Outcome outcome = in_process(machine.client, traffic);
        CHECK(wrong_words(machine.client, traffic) == 0);
        CHECK(outcome.told[outcome.told.size() - 2] == static_cast<uint64_t>(StopReason::kException));
        if (first.told.empty()) first = outcome;
        CHECK(outcome == first);
      }
  }
}

TEST_CASE("what lies in no window as a whole is refused") {
  const std::string backend = GENERATE("model", "rtl");
  const SystemFile file(row_of({{1024, 100, 4}, {2048, 100, 4}, {4096, 100, 4}}, {{0, 50, 4}}));
  const spec::Machine m = spec::load_machine("mk2-4");
  const auto stop_of = [&](uint64_t address, uint32_t kind) {
    ChipProgram program = idle_program(m);
    TileProgram& p = program[2];
    p = TileProgram(Places(m));
    p.data(p.places().sent, remote_packet(kind, 5, 2, address));
    p.data(p.places().sent + 8, p.places().received);
    p.sync(3);
    p.hsend(p.places().sent, kind == spec::PacketKind::kWriteRemote ? 7 : 3);
    p.sync(4);
    p.trap(1);
    MachineProcess machine(file.path, backend);
    load_and_start(machine.client, 0, program);
    for (uint32_t c = 1; c < 3; ++c) load_and_start(machine.client, c, idle_program(m));
    return machine.client.run(kForEver, 0)[0];
  };
  for (const uint32_t kind : {spec::PacketKind::kWriteRemote, spec::PacketKind::kReadRemote}) {
    for (const uint64_t inside : {0, 1004, 1024, 1024 + 2048 - 20})
      CHECK(stop_of(inside, kind).reason != StopReason::kRefused);
    for (const uint64_t outside : {1008, 1024 + 2048 - 16, 1024 + 2048}) {  // no link leads to the third gateway
      const chip::Stop stop = stop_of(outside, kind);
      REQUIRE(stop.reason == StopReason::kRefused);
      CHECK(stop.refusal->remote);
      CHECK(stop.refusal->address == outside);
    }
  }
}
