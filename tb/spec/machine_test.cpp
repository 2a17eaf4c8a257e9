// Machine descriptions: sizes, the latency formula against its published range, and misuse.
#include <catch2/catch.hpp>
#include <set>

#include "rtl/spec/machine.h"

using namespace tessera::spec;

TEST_CASE("machines have the tiles their names say") {
  CHECK(load_machine("mk2-4").tiles() == 4);
  CHECK(load_machine("mk2-16").tiles() == 16);
  CHECK(load_machine("mk2-64").tiles() == 64);
  CHECK(load_machine("mk2").tiles() == 1472);
}

TEST_CASE("mk2 latencies have the range and mean of the published control schedule") {
  const Machine m = load_machine("mk2");
  uint64_t sum = 0;
  unsigned least = ~0u, most = 0;
  for (unsigned s = 0; s < m.tiles(); ++s)
    for (unsigned d = 0; d < m.tiles(); ++d) {
      const unsigned l = m.latency(s, d);
      sum += l;
      least = std::min(least, l);
      most = std::max(most, l);
    }
  CHECK(least == 18);
  CHECK(most == 164);
  CHECK((sum + m.tiles() * m.tiles() / 2) / (m.tiles() * m.tiles()) == 64);
  CHECK(m.min_latency() == least);
}

TEST_CASE("elements: region 0 in blocks, region 1 interleaved by two") {
  const Machine m = load_machine("mk2-4");
  CHECK(m.elements() == 39);
  CHECK(m.element_of(0x4C000) == 0);
  CHECK(m.element_of(0x4FFFF) == 0);
  CHECK(m.element_of(0x50000) == 1);
  CHECK(m.element_of(0x7FFFF) == 12);
  CHECK(m.element_of(0x80000) == 13);
  CHECK(m.element_of(0x80008) == 14);
  CHECK(m.element_of(0x88000) == 15);
  CHECK(m.element_of(0xE7FFF) == 38);
  std::set<unsigned> seen;
  for (uint32_t a = m.memory_base; a < m.memory_end(); a += 8) seen.insert(m.element_of(a));
  CHECK(seen.size() == m.elements());
}

TEST_CASE("bad machine descriptions are refused in one line") {
  CHECK_THROWS_WITH(load_machine("mk9"), "no machine is named 'mk9'; known: mk2 mk2-16 mk2-4 mk2-64");
  CHECK_THROWS_WITH(parse_machine("base = \"mk2\"\nrowz = 3"), "machine description: unknown line 'rowz'");
  CHECK_THROWS_WITH(parse_machine("base = \"mk2\"\nrows = \"many\""),
                    "machine description: rows is not a number of 32 bits");
  CHECK_THROWS_WITH(parse_machine("base = \"mk2\"\ncolumns = 3"),
                    Catch::Matchers::ContainsText("columns must be even"));
  CHECK_THROWS_WITH(parse_machine("name = \"x\"\nrows = 1"), "machine x: line 'columns' is missing");
  CHECK_THROWS_AS(parse_machine("rows = = 3"), MachineError);
}

TEST_CASE("the hash of a machine depends on every number") {
  const Machine base = load_machine("mk2");
  for (const auto& [name, value] : machine_fields(base)) {
    if (name == "columns" || name == "workers" || name == "rows") continue;
    const Machine other = parse_machine("base = \"mk2\"\n" + name + " = " + std::to_string(value + 1));
    CHECK(other.hash() != base.hash());
  }
}
