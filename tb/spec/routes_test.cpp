// Ways of packets between chips: they get there, are as short as can be where chips stand in a grid, load links alike,
// and no packets can wait for each other in a circle.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "rtl/spec/routes.h"
#include "rtl/spec/standard_system.h"

using namespace tessera::spec;
using Hop = Routes::Hop;

namespace {

// Links alone; chips are not looked at.
System joined(uint32_t chips, const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
  System system;
  system.chips.resize(chips);
  for (const auto& [a, b] : pairs) system.links.push_back({{ChipPort{a, 0}, ChipPort{b, 0}}, 8, 160, 12});
  return system;
}

System in_grid(const Grid& grid) {
  System system = joined(grid.columns * grid.rows, {});
  system.grid = grid;
  for (uint32_t chip = 0; chip < system.chips.size(); ++chip)
    for (const uint32_t other : grid.beside(chip))
      if (chip < other) system.links.push_back({{ChipPort{chip, 0}, ChipPort{other, 0}}, 8, 160, 12});
  return system;
}

std::vector<std::vector<Hop>> all_ways(const System& system) {
  const Routes routes(system);
  std::vector<std::vector<Hop>> ways;
  for (uint32_t a = 0; a < system.chips.size(); ++a)
    for (uint32_t b = 0; b < system.chips.size(); ++b) ways.push_back(routes.way(a, b));
  return ways;
}

// Each way follows links from its source to its target, on layers that there are; no circle can close.
void check(const System& system) {
  const Routes routes(system);
  const auto chips = static_cast<uint32_t>(system.chips.size());
  const std::vector<std::vector<Hop>> ways = all_ways(system);
  for (uint32_t a = 0; a < chips; ++a)
    for (uint32_t b = 0; b < chips; ++b) {
      uint32_t at = a;
      for (const Hop& hop : ways[a * chips + b]) {
        REQUIRE(hop.from == at);
        REQUIRE_FALSE(routes.links(hop.from, hop.to).empty());
        REQUIRE(hop.layer < Routes::kLayers);
        at = hop.to;
      }
      REQUIRE(at == b);
    }
  CHECK(find_circle(ways) == std::vector<Hop>());
}

void tell(size_t systems) { std::printf("%zu systems without a circle\n", systems); }

uint32_t distance(uint32_t a, uint32_t b, uint32_t length, bool ring) {
  const uint32_t straight = a < b ? b - a : a - b;
  return ring ? std::min(straight, length - straight) : straight;
}

}  // namespace

TEST_CASE("no circle can close in any system that has a name") {
  std::vector<std::string> names = system_names();
  for (const char* size : {"2", "4", "8", "16", "32", "64"}) names.push_back(std::string("mk2-4x") + size);
  for (const std::string& name : names) {
    INFO(name);
    check(load_system(name));
  }
  tell(names.size());
}

TEST_CASE("ways in grids are as short as can be") {
  size_t systems = 0;
  for (uint32_t columns = 1; columns <= 9; ++columns)
    for (uint32_t rows = 1; rows * columns <= 40; ++rows)
      for (const bool torus : {false, true}) {
        if (columns * rows == 1) continue;
        INFO(columns << " columns, " << rows << " rows, " << torus);
        const Grid grid{columns, rows, torus};
        const System system = in_grid(grid);
        check(system);
        ++systems;
        const Routes routes(system);
        for (uint32_t a = 0; a < columns * rows; ++a)
          for (uint32_t b = 0; b < columns * rows; ++b)
            REQUIRE(routes.way(a, b).size() == distance(grid.column(a), grid.column(b), columns, torus) +
                                                   distance(grid.row(a), grid.row(b), rows, torus));
      }
  tell(systems);
}

TEST_CASE("the links of a torus of even sides are loaded alike by packets of all chips to all") {
  for (const Grid& grid : {Grid{4, 4, true}, Grid{2, 2, true}, Grid{8, 8, true}, Grid{4, 8, true}}) {
    std::map<std::pair<uint32_t, uint32_t>, unsigned> along_rows, along_columns;
    for (const std::vector<Hop>& way : all_ways(in_grid(grid)))
      for (const Hop& hop : way)
        ++(grid.row(hop.from) == grid.row(hop.to) ? along_rows : along_columns)[{hop.from, hop.to}];
    for (const auto& loads : {along_rows, along_columns}) {
      std::set<unsigned> different;
      for (const auto& [ends, load] : loads) different.insert(load);
      CHECK(different.size() == 1);
    }
  }
}

TEST_CASE("chips that are joined anyhow reach each other, and no circle closes") {
  std::mt19937 random(1);
  for (int n = 0; n < 200; ++n) {
    const uint32_t chips = 2 + random() % 15;
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t chip = 1; chip < chips; ++chip) pairs.emplace_back(random() % chip, chip);
    for (uint32_t more = random() % (2 * chips); more > 0; --more) {
      const uint32_t a = random() % chips, b = random() % chips;
      if (a != b) pairs.emplace_back(a, b);
    }
    INFO("case " << n);
    check(joined(chips, pairs));
  }
  tell(200);
}

TEST_CASE("chips that are joined to all others are a hop away if one of the two is chip 0") {
  const Routes routes(joined(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  for (uint32_t chip = 1; chip < 4; ++chip) {
    CHECK(routes.way(0, chip).size() == 1);
    CHECK(routes.way(chip, 0).size() == 1);
    CHECK(routes.way(chip % 3 + 1, chip).size() == 1);
  }
}

TEST_CASE("a circle is found where there is one") {
  // Round a ring of four on one layer, two hops each.
  const auto hop = [](uint32_t from, uint32_t layer) { return Hop{from, (from + 1) % 4, layer}; };
  std::vector<std::vector<Hop>> ways;
  for (uint32_t chip = 0; chip < 4; ++chip) ways.push_back({hop(chip, 0), hop((chip + 1) % 4, 0)});
  CHECK(find_circle(ways) == std::vector<Hop>{hop(0, 0), hop(1, 0), hop(2, 0), hop(3, 0)});
  ways[3][1].layer = 1;
  CHECK(find_circle(ways).empty());
}

TEST_CASE("links between two chips are counted") {
  const System system = load_system("m2000");
  CHECK(Routes(system).links(1, 0) == std::vector<uint32_t>{0, 1, 2});
  CHECK(Routes(system).links(0, 2).size() == 2);
  CHECK(Routes(system).links(0, 3).empty());
}
