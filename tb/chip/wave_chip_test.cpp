// Waves of chosen tiles: the run stays what it is, and the FST holds the two tiles and only the chosen supersteps.
#include <catch2/catch.hpp>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "chip/chip.h"
#include "chip/model_chip.h"
#include "chip/rtl_chip.h"
#include "chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

struct Supersteps : chip::Observer {
  std::vector<uint64_t> cycles;
  void superstep(uint64_t, uint64_t cycle) override { cycles.push_back(cycle); }
};

}  // namespace

TEST_CASE("an FST of two tiles over two supersteps, and the same run as without") {
  const auto m = spec::load_machine("mk2-4");
  const auto program = consensus_program(m);
  const auto path = std::filesystem::temp_directory_path() / ("tessera_wave_" + std::to_string(std::rand()) + ".fst");
  const auto plain = chip::make_model_chip(m);
  Supersteps supersteps;
  plain->observe(&supersteps);
  load_and_start(*plain, program);
  const auto expected = plain->run(100000, 0);
  uint64_t hash = 0;
  {
    const auto traced =
        chip::make_wave_chip(m, {.path = path.string(), .tiles = {1, 3}, .from_superstep = 1, .supersteps = 2});
    load_and_start(*traced, program);
    const auto stop = traced->run(100000, 0);
    CHECK(stop.reason == expected.reason);
    CHECK(stop.cycle == expected.cycle);
    hash = traced->memory_hash();
    CHECK_THROWS(traced->reset());
  }
  CHECK(hash == plain->memory_hash());

  // GTKWave's converter reads it back.
  const std::string vcd = path.string() + ".vcd";
  REQUIRE(std::system(("fst2vcd -f " + path.string() + " -o " + vcd).c_str()) == 0);
  std::ifstream in(vcd);
  std::set<std::string> scopes;
  uint64_t first = ~0ull, last = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("$scope module tile", 0) == 0 && std::isdigit(static_cast<unsigned char>(line[18])))
      scopes.insert(line.substr(14, line.find(' ', 14) - 14));
    if (line[0] == '#') {
      const uint64_t time = std::stoull(line.substr(1));
      first = std::min(first, time);
      last = std::max(last, time);
    }
  }
  CHECK(scopes == std::set<std::string>{"tile1", "tile3"});
  REQUIRE(supersteps.cycles.size() == 4);
  // From the cycle after the first acknowledgement to the third one.
  CHECK(first == supersteps.cycles[0] + 1);
  CHECK(last == supersteps.cycles[2] + 1);
  std::filesystem::remove(path);
  std::filesystem::remove(vcd);
}

TEST_CASE("waves of a tile that is not there, or to a place that is not, are refused") {
  const auto m = spec::load_machine("mk2-4");
  CHECK_THROWS_AS(chip::make_wave_chip(m, {.path = "x.fst", .tiles = {4}}), std::out_of_range);
  CHECK_THROWS_AS(chip::make_wave_chip(m, {.path = "no/such/folder/x.fst", .tiles = {0}}), std::runtime_error);
}
