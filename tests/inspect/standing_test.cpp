// Where tiles stand, in words.
#include "inspect/progress/standing.h"

#include <catch2/catch.hpp>

#include "program/name_table.h"

using namespace tessera;
using Lines = std::vector<std::string>;

namespace {

names::ProgramInfo program() {
  names::ProgramInfo info;
  names::NameTable names(info.names);
  info.symbols = {{0x4c000, 0x100, names.of("_ZN4Gemm7computeEv")}, {0x4c100, 0x100, names.of("_ZN3Add7computeEv")}};
  for (uint32_t tile = 0; tile < 6; ++tile) info.steps.push_back({tile, 0x50000, names.of("Execute(multiply)"), 1});
  return info;
}

chip::TileWait wait(unsigned tile, const std::string& state, uint8_t active = 0, uint32_t pc = 0) {
  chip::TileWait w;
  w.tile = tile;
  w.state = state;
  w.supervisor_pc = 0x50010;
  w.active_workers = active;
  for (uint32_t& worker : w.worker_pc) worker = pc;
  return w;
}

}  // namespace

TEST_CASE("a line tells the states, and where most of those are that compute") {
  const std::vector<chip::TileWait> waits = {wait(0, "computing", 1, 0x4c110), wait(1, "computing", 4, 0x4c010),
                                             wait(2, "computing", 3, 0x4c020), wait(3, "waits at internal sync")};
  CHECK(inspect::progress::standing_line(program(), waits) ==
        "3 computing, most in 'Gemm::compute()', Execute(multiply); 1 waits at internal sync");
  CHECK(inspect::progress::standing_line({}, waits) == "3 computing; 1 waits at internal sync");
}

TEST_CASE("a supervisor that waits is in the step of the instruction in which it does") {
  names::ProgramInfo info = program();
  names::NameTable names(info.names);
  for (uint32_t tile = 0; tile < 2; ++tile) info.steps.push_back({tile, 0x50010, names.of("Execute(add)"), 1});
  const std::vector<chip::TileWait> waits = {wait(0, "awaits words of the host"), wait(1, "computing", 1, 0x4c010)};
  CHECK(inspect::progress::standing_line(info, waits) ==
        "1 awaits words of the host in Execute(multiply); 1 computing in 'Gemm::compute()', Execute(multiply)");
}

TEST_CASE("lines tell every tile, those together that do the same, the most first") {
  const std::vector<chip::TileWait> waits = {wait(0, "computing", 1, 0x4c110), wait(1, "waits at internal sync"),
                                             wait(2, "waits at internal sync"), wait(3, "waits at internal sync"),
                                             wait(5, "waits at internal sync")};
  CHECK(inspect::progress::standing_lines(program(), waits) ==
        Lines{"tiles 1-3 and 5 wait at internal sync in Execute(multiply)",
              "tile 0 computing in 'Add::compute()', Execute(multiply)"});
}
