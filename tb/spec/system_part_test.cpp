// Parts of systems by name: which chips, links, groups, gateways and hosts they have, and misuse.
#include "rtl/spec/system_part.h"

#include <catch2/catch.hpp>
#include <string>

#include "rtl/spec/routes.h"

using namespace tessera::spec;
using Chips = std::vector<uint32_t>;

TEST_CASE("a part has the links, groups and gateways that are among its chips") {
  const System part = load_system("mk2-16x4:2-3");
  CHECK(part.name == "mk2-16x4:2-3");
  CHECK(part.chips.size() == 2);
  CHECK(part.links.size() == 3);  // a rung of the ladder
  for (const Link& link : part.links) {
    CHECK(link.ends[0].chip == 0);
    CHECK(link.ends[1].chip == 1);
    CHECK(link.ends[0].port == link.ends[1].port);
  }
  REQUIRE(part.groups.size() == 2);
  CHECK(part.groups[0].members == Chips{0, 1});
  REQUIRE(part.gateways.size() == 1);
  CHECK(part.gateways[0].chips == Chips{0, 1});
  REQUIRE(part.hosts.size() == 1);
  CHECK(part.hosts[0].chips == Chips{0, 1});
  REQUIRE(part.grid);
  CHECK(part.grid->rows == 1);
  CHECK(load_system("m2000:0-1").groups.size() == 1);
}

TEST_CASE("one chip of a system is in no group and has no links") {
  const System chip = load_system("mk2-16x4:2");
  CHECK(chip.name == "mk2-16x4:2");
  CHECK(chip.chips.size() == 1);
  CHECK(chip.links.empty());
  CHECK(chip.groups.empty());
  CHECK_FALSE(chip.grid);
  CHECK(only_chip(chip).name == "mk2-16");
  CHECK(load_system("pair-4:1").hash() == load_system("mk2-4").hash());
  CHECK(load_system("mk2-4:0").hash() == load_system("mk2-4").hash());
  CHECK(load_system(descriptions_folder("systems") + "/pair-4.toml:1").chips.size() == 1);
}

TEST_CASE("all chips of a system are the system") {
  for (const char* name : {"mk2-4x2", "mk2-4x8", "mk2-4x16"}) {
    const System whole = load_system(name);
    const System part = system_part(whole, 0, static_cast<uint32_t>(whole.chips.size()) - 1);
    CHECK(part.hash() == whole.hash());
  }
}

TEST_CASE("a part has a grid where it is one of whole rows") {
  CHECK(load_system("mk2-4x8:2-5").grid->rows == 2);  // of a ladder
  CHECK(load_system("mk2-4x16:4-7").grid->rows == 1);
  CHECK(load_system("mk2-4x16:4-7").grid->torus);
  CHECK(load_system("mk2-4x16:8-15").grid->rows == 2);
  CHECK_FALSE(load_system("mk2-4x16:0-11").grid);  // its first and last rows are no neighbours
  CHECK_FALSE(load_system("mk2-4x16:1-2").grid);
  CHECK(load_system("pair-4:0-1").grid);
}

TEST_CASE("a way leads from each chip of a part to every other") {
  for (const char* name : {"mk2-4x4:2-3", "mk2-4x16:0-1", "mk2-4x16:4-7", "mk2-4x16:0-11", "mk2-4x64:32-63"}) {
    const System part = load_system(name);
    const Routes routes(part);
    const auto chips = static_cast<uint32_t>(part.chips.size());
    for (uint32_t from = 0; from < chips; ++from)
      for (uint32_t to = 0; to < chips; ++to)
        if (from != to) CHECK_FALSE(routes.way(from, to).empty());
  }
}

TEST_CASE("parts that there are not are refused in one line that names system and chip") {
  struct Row {
    const char *name, *says;
  };
  const Row rows[] = {
      {"mk2-16x4:4", "system mk2-16x4:4: there is no chip 4: mk2-16x4 has 4, from 0 on"},
      {"mk2-16x4:2-5", "system mk2-16x4:2-5: there is no chip 5: mk2-16x4 has 4, from 0 on"},
      {"mk2-16x4:3-1", "system mk2-16x4:3-1: chip 3 comes behind chip 1"},
      {"mk2-16x4:1-2", "system mk2-16x4:1-2: chip 1: no links lead to it from chip 0"},
  };
  for (const Row& row : rows) CHECK_THROWS_WITH(load_system(row.name), row.says);
  for (const char* name : {"mk2-16x4:", "mk2-16x4:a", "mk2-16x4:-1", "mk2-16x4:1-", ":0", "mk2-16x4:0-1-2", "mk3:0"})
    CHECK_THROWS_WITH(load_system(name), Catch::Matchers::StartsWith("no machine or system is named '"));
}

TEST_CASE("names of parts read back") {
  CHECK(part_text("mk2-16x4", 0, 1) == "mk2-16x4:0-1");
  CHECK(part_text("mk2-16x4", 2, 2) == "mk2-16x4:2");
  const auto part = part_name("pod.toml:4-7");
  REQUIRE(part);
  CHECK(part->whole == "pod.toml");
  CHECK(part->first == 4);
  CHECK(part->last == 7);
  CHECK_FALSE(part_name("mk2-16x4"));
}
