// Windows of waves and traces, told from events by hand.
#include "inspect/trigger.h"

#include <catch2/catch.hpp>

using namespace tessera;
using namespace tessera::inspect;

namespace {

constexpr unsigned kTiles = 4;

Window window(const std::string& from, const std::string& length = "all", const std::string& tiles = "1-2") {
  return {parse_tiles(tiles), parse_trigger(from), parse_length(length)};
}

chip::Retire at(uint64_t cycle, uint32_t pc) {
  chip::Retire r;
  r.valid = true;
  r.cycle = cycle;
  r.pc = pc;
  return r;
}

// Supersteps of 100 cycles: superstep k is [100 k, 100 k + 100).
void pass_supersteps(WindowGate& gate, uint64_t first, uint64_t last) {
  for (uint64_t k = first; k <= last; ++k) gate.superstep(k, 100 * (k + 1));
}

names::ProgramInfo program() {
  names::ProgramInfo p;
  p.title = "toy";
  p.names = {"", "main", "__vertex_Sum"};
  p.symbols = {{0x4c000, 16, 1}, {0x4c100, 16, 2}};
  return p;
}

}  // namespace

TEST_CASE("a window of supersteps is wanted from its first to its last") {
  WindowGate gate(window("superstep:2", "2"), kTiles);
  CHECK_FALSE(gate.wants(1));
  pass_supersteps(gate, 0, 0);
  CHECK_FALSE(gate.wants(1));
  pass_supersteps(gate, 1, 1);
  CHECK(gate.wants(1));
  CHECK(gate.wants(2));
  CHECK_FALSE(gate.wants(0));
  CHECK(gate.begin() == 200);
  pass_supersteps(gate, 2, 2);
  CHECK(gate.wants(1));
  pass_supersteps(gate, 3, 3);
  CHECK(gate.end() == 400);
  CHECK(gate.over());
  CHECK_FALSE(gate.wants(1));
  CHECK(gate.inside(200));
  CHECK(gate.inside(399));
  CHECK_FALSE(gate.inside(199));
  CHECK_FALSE(gate.inside(400));
}

TEST_CASE("a window from the beginning is there at once, and all of it to the end") {
  WindowGate gate(window("0"), kTiles);
  CHECK(gate.wants(2));
  pass_supersteps(gate, 0, 50);
  CHECK(gate.wants(2));
  CHECK(gate.inside(5000));
}

TEST_CASE("a window of cycles has them exactly, and is not wanted long before") {
  WindowGate gate(window("cycle:10000150", "30c"), kTiles);
  CHECK_FALSE(gate.wants(1));
  gate.stands_at(10000100, 3, 10000000);
  CHECK(gate.wants(1));
  CHECK(gate.begin() == 10000150);
  CHECK(gate.end() == 10000180);
  gate.stands_at(10000190, 3, 10000000);
  CHECK(gate.over());
  CHECK_FALSE(gate.wants(1));
}

TEST_CASE("supersteps are counted from the one that holds the cycle") {
  WindowGate gate(window("cycle:250", "2"), kTiles);
  pass_supersteps(gate, 0, 2);
  CHECK_FALSE(gate.over());
  pass_supersteps(gate, 3, 3);
  CHECK(gate.over());
  CHECK(gate.begin() == 250);
  CHECK(gate.end() == 400);
}

TEST_CASE("a window by an event begins with the event's superstep") {
  struct Case {
    const char* from;
    void (*event)(WindowGate&, unsigned tile);
  };
  const Case cases[] = {
      {"pc:0x4c100", [](WindowGate& g, unsigned tile) { g.retire(tile, at(250, 0x4c100)); }},
      {"pc:main", [](WindowGate& g, unsigned tile) { g.retire(tile, at(250, 0x4c000)); }},
      {"vertex:Sum", [](WindowGate& g, unsigned tile) { g.retire(tile, at(250, 0x4c100)); }},
      {"exception", [](WindowGate& g, unsigned tile) { g.excepted(tile); }},
      {"exception",
       [](WindowGate& g, unsigned tile) {
         chip::Retire r = at(250, 0x4c000);
         r.exception = 8;
         g.retire(tile, r);
       }},
      {"address:0x80006",
       [](WindowGate& g, unsigned tile) {
         chip::Retire r = at(250, 0x4c000);
         r.mem_write = true;
         r.mem_address = 0x80000;
         r.mem_strobe = 0xf0;
         g.retire(tile, r);
       }},
      {"address:0x80006", [](WindowGate& g, unsigned tile) { g.port_write(tile, {true, false, 250, 0x80004, 7}); }},
  };
  for (const Case& c : cases) {
    INFO(c.from);
    WindowGate gate(window(c.from, "1"), kTiles);
    gate.program(program());
    CHECK(gate.wants(1));
    pass_supersteps(gate, 0, 1);
    c.event(gate, 3);  // a tile that is not looked at
    CHECK(gate.begin() == WindowGate::kNever);
    c.event(gate, 2);
    CHECK(gate.begin() == 200);
    c.event(gate, 1);  // again: changes nothing
    pass_supersteps(gate, 2, 2);
    CHECK(gate.end() == 300);
    CHECK_FALSE(gate.wants(1));
  }
}

TEST_CASE("a store beside the address and a read of it do not begin a window") {
  WindowGate gate(window("address:0x80006"), kTiles);
  chip::Retire r = at(50, 0x4c000);
  r.mem_address = 0x80000;
  gate.retire(1, r);
  r.mem_write = true;
  r.mem_strobe = 0x0f;
  gate.retire(1, r);
  gate.port_write(1, {true, false, 50, 0x80000, 7});
  CHECK(gate.begin() == WindowGate::kNever);
}

TEST_CASE("the tile whose sync begins a window is watched, not shown") {
  WindowGate gate(window("sync:3"), kTiles);
  CHECK(gate.wants(3));
  CHECK_FALSE(gate.shows(3));
  pass_supersteps(gate, 0, 0);
  gate.sync_request(1);
  CHECK(gate.begin() == WindowGate::kNever);
  gate.sync_request(3);
  CHECK(gate.begin() == 100);
  CHECK_FALSE(gate.wants(3));
  CHECK(gate.wants(1));
}

TEST_CASE("watching that begins in the middle") {
  WindowGate passed(window("1", "2"), kTiles);
  passed.stands_at(550, 5, 500);
  CHECK(passed.over());
  WindowGate open(window("1", "5"), kTiles);
  open.stands_at(550, 5, 550);
  CHECK(open.begin() == 550);
  pass_supersteps(open, 5, 5);
  CHECK(open.end() == 600);
}

TEST_CASE("tiles and names that are not there are told") {
  CHECK_THROWS_AS(WindowGate(window("0", "all", "1,7"), kTiles), BadOption);
  CHECK_THROWS_WITH(WindowGate(window("sync:4"), kTiles), "sync:4: the machine has tiles 0 to 3");
  WindowGate pc(window("pc:none"), kTiles), vertex(window("vertex:None"), kTiles);
  CHECK_THROWS_WITH(pc.program(program()), "pc:none: toy has no such symbol");
  CHECK_THROWS_WITH(vertex.program(program()), "vertex:None: toy has no such codelet");
}
