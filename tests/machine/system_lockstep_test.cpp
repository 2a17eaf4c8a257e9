// RTL and model side by side, and every signal of the RTL, of the chips of a system.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>

#include "tests/machine/fault_list_file.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::Contains;

namespace {

Traffic traffic_of(const spec::System& system) {
  std::mt19937 random(23);
  return random_traffic(system, 5, 30, random, 2);
}

Outcome by_model(const Traffic& traffic) {
  MachineProcess m("mk2-4x2", "model");
  return in_process(m.client, traffic);
}

}  // namespace

TEST_CASE("chips of a system in lockstep are its chips") {
  const spec::System system = spec::load_system("mk2-4x2");
  const Traffic traffic = traffic_of(system);
  MachineProcess m("mk2-4x2", "lockstep");
  CHECK(in_process(m.client, traffic) == by_model(traffic));
  CHECK(wrong_words(m.client, traffic) == 0);
}

TEST_CASE("a difference names the chip, and leaves a wave of it") {
  const spec::System system = spec::load_system("mk2-4x2");
  Traffic traffic = traffic_of(system);
  TileProgram& counts = traffic.programs[1][2] = TileProgram(Places(system.chips[1]));
  counts.add(spec::Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 2000});
  const auto loop = counts.here();
  counts.add(spec::Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = -1});
  counts.add(spec::Opcode::Bne, {.rs1 = 5, .rs2 = 0, .imm = static_cast<int>(loop - counts.here())});
  counts.trap(1);
  const FaultListFile faults("register tile=1:2 context=0 name=t0 bit=3 cycle=8000 side=rtl\n");
  MachineProcess m("mk2-4x2", "lockstep", faults.arguments());
  load_and_start(m.client, traffic);
  std::string said;
  try {
    Outcome outcome;
    run_to_end(m.client, outcome);
  } catch (const std::exception& difference) {
    said = difference.what();
  }
  CHECK_THAT(said, Catch::Matchers::StartsWith("chip 1: lockstep: tile 2 differs"));
  const size_t at = said.find("wave of the superstep: ");
  REQUIRE(at != std::string::npos);
  const std::string path = said.substr(at + 23, said.find('\n', at) - at - 23);
  CHECK_THAT(path, Contains("lockstep-chip1-tile2-superstep"));
  CHECK(std::filesystem::file_size(path) > 1000);
  std::filesystem::remove(path);
}

TEST_CASE("a word that leaves one of the pair on a link is a difference of its chip") {
  const spec::System system = spec::load_system("mk2-4x2");
  const Traffic traffic = traffic_of(system);
  const FaultListFile faults("packet-out tile=1:0 bit=5 cycle=0 side=model\n");
  MachineProcess m("mk2-4x2", "lockstep", faults.arguments());
  load_and_start(m.client, traffic);
  Outcome outcome;
  CHECK_THROWS_WITH(run_to_end(m.client, outcome), Contains("chip 1: lockstep: "));
}

TEST_CASE("every signal of the tiles of a chip is a file of that chip, and changes nothing") {
  const spec::System system = spec::load_system("mk2-4x2");
  const Traffic traffic = traffic_of(system);
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  {
    card::Process process(card::find_machine("waves"), "mk2-4x2", "rtl",
                          {"--inspect", "waves=" + folder + "/w.fst;wave-depth=all;wave-tiles=0:1,1:2"});
    card::Client client(process.take_socket());
    CHECK(in_process(client, traffic) == by_model(traffic));
    client.finish();
  }
  for (const char* chip : {"chip0", "chip1"}) CHECK(std::filesystem::file_size(folder + "/w." + chip + ".fst") > 10000);
  std::filesystem::remove_all(folder);
}
