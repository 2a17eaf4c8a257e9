// Waves of chosen tiles: the run stays what it is, and the FST holds the two tiles and only the chosen supersteps.
#include <catch2/catch.hpp>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>

#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/engine/switch_chip.h"
#include "sim/port/chip.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

struct Supersteps : chip::Observer {
  std::vector<uint64_t> cycles;
  void superstep(uint64_t, uint64_t cycle) override { cycles.push_back(cycle); }
};

}  // namespace

namespace {

// An FST's path, and what GTKWave's converter makes of it; both go away.
class WaveFile {
 public:
  WaveFile()
      : path_((std::filesystem::temp_directory_path() /
               ("tessera_wave_" + std::to_string(std::random_device()()) + ".fst"))
                  .string()) {}
  ~WaveFile() {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".vcd");
  }
  const std::string& path() const { return path_; }
  std::vector<std::string> lines() const {
    REQUIRE(std::system(("fst2vcd -f " + path_ + " -o " + path_ + ".vcd").c_str()) == 0);
    std::ifstream in(path_ + ".vcd");
    std::vector<std::string> lines;
    bool head = true;  // with the date
    for (std::string line; std::getline(in, line);) {
      head &= line[0] != '$' || line.rfind("$date", 0) == 0;
      if (!head) lines.push_back(line);
    }
    return lines;
  }

 private:
  const std::string path_;
};

struct Contents {
  std::set<std::string> tiles;
  uint64_t first = ~0ull, last = 0;
};

Contents contents(const WaveFile& file) {
  Contents contents;
  for (const std::string& line : file.lines()) {
    if (line.rfind("$scope module tile", 0) == 0 && std::isdigit(static_cast<unsigned char>(line[18])))
      contents.tiles.insert(line.substr(14, line.find(' ', 14) - 14));
    if (line[0] != '#') continue;
    contents.first = std::min<uint64_t>(contents.first, std::stoull(line.substr(1)));
    contents.last = std::max<uint64_t>(contents.last, std::stoull(line.substr(1)));
  }
  return contents;
}

std::vector<uint64_t> superstep_cycles(const spec::Machine& m) {
  const auto plain = chip::make_model_chip(m);
  Supersteps supersteps;
  plain->observe(&supersteps);
  load_and_start(*plain, consensus_program(m));
  plain->run(100000, 0);
  return supersteps.cycles;
}

}  // namespace

TEST_CASE("an FST of two tiles over two supersteps, and the same run as without") {
  const auto m = spec::load_machine("mk2-4");
  const auto program = consensus_program(m);
  const WaveFile file;
  const auto plain = chip::make_model_chip(m);
  load_and_start(*plain, program);
  const auto expected = plain->run(100000, 0);
  uint64_t hash = 0;
  {
    const auto traced =
        chip::make_wave_chip(m, {.path = file.path(), .tiles = {1, 3}, .from_superstep = 1, .supersteps = 2});
    load_and_start(*traced, program);
    const auto stop = traced->run(100000, 0);
    CHECK(stop.reason == expected.reason);
    CHECK(stop.cycle == expected.cycle);
    hash = traced->memory_hash();
    CHECK_THROWS(traced->reset());
  }
  CHECK(hash == plain->memory_hash());
  const auto wave = contents(file);
  const auto cycles = superstep_cycles(m);
  CHECK(wave.tiles == std::set<std::string>{"tile1", "tile3"});
  REQUIRE(cycles.size() == 4);
  // From the first acknowledgement to the third one, each at its cycle.
  CHECK(wave.first == cycles[0]);
  CHECK(wave.last == cycles[2]);
}

TEST_CASE("a chip with waves goes back and on again, and its file holds every cycle once") {
  const auto m = spec::load_machine("mk2-4");
  const WaveFile once, twice;
  uint64_t end[2];
  for (const bool again : {false, true}) {
    const auto chip = chip::make_wave_chip(
        m, {.path = (again ? twice : once).path(), .tiles = {2}, .from_superstep = 0, .supersteps = ~0ull});
    load_and_start(*chip, consensus_program(m));
    chip->stop_at_superstep(2);
    const uint64_t boundary = chip->run(100000, 0).cycle;
    if (again) {
      const auto snapshot = chip->snapshot();
      chip->run(boundary + 40, 0);
      chip->restore(*snapshot);
      chip->run(boundary + 20, 0);
    }
    end[again] = chip->run(100000, 0).cycle;
  }
  CHECK(end[0] == end[1]);
  const bool same = once.lines() == twice.lines();
  CHECK(same);
  CHECK(once.lines().size() > 1000);
}

TEST_CASE("waves of a window after a run on the model: one file, of the window alone") {
  const auto m = spec::load_machine("mk2-4");
  const WaveFile file;
  {
    const auto make_second = [&] {
      return chip::make_wave_chip(m, {.path = file.path(), .tiles = {1}, .from_superstep = 2, .supersteps = 1});
    };
    const auto chip = chip::make_switch_chip(chip::make_model_chip(m), make_second, 2, 1);
    load_and_start(*chip, consensus_program(m));
    CHECK(chip->run(100000, 0).reason == StopReason::kHostSync);
  }
  const auto wave = contents(file);
  const auto cycles = superstep_cycles(m);
  CHECK(wave.tiles == std::set<std::string>{"tile1"});
  CHECK(wave.first == cycles[1]);
  CHECK(wave.last > cycles[1] + 20);
  CHECK(wave.last <= cycles[2]);  // the acknowledgement that ends the window is the model's again
}

TEST_CASE("waves of a tile that is not there, or to a place that is not, are refused") {
  const auto m = spec::load_machine("mk2-4");
  CHECK_THROWS_AS(chip::make_wave_chip(m, {.path = "x.fst", .tiles = {4}}), std::out_of_range);
  CHECK_THROWS_AS(chip::make_wave_chip(m, {.path = "no/such/folder/x.fst", .tiles = {0}}), std::runtime_error);
}
