// Machine descriptions: sizes, the latency formula against its published range, and misuse.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "rtl/spec/machine.h"

using namespace tessera::spec;

TEST_CASE("machines have the tiles their names say") {
  CHECK(load_machine("mk2-4").tiles() == 4);
  CHECK(load_machine("mk2-16").tiles() == 16);
  CHECK(load_machine("mk2-64").tiles() == 64);
  CHECK(load_machine("mk2").tiles() == 1472);
  CHECK(load_machine("bow").tiles() == 1472);
  CHECK(load_machine("mk1").tiles() == 1216);
  CHECK(load_machine("mk1-4").tiles() == 4);
  CHECK(load_machine("small-4").tiles() == 4);
}

TEST_CASE("Bow is mk2 at another clock") {
  const auto bow = machine_fields(load_machine("bow")), mk2 = machine_fields(load_machine("mk2"));
  REQUIRE(bow.size() == mk2.size());
  for (size_t i = 0; i < bow.size(); ++i)
    if (bow[i].first != "clock_hz") CHECK(bow[i] == mk2[i]);
  CHECK(load_machine("bow").clock_hz == 1850000000);
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

TEST_CASE("elements of every machine: region 0 in blocks, region 1 interleaved by two") {
  const Machine m = load_machine(GENERATE("mk2-4", "mk1-4", "small-4"));
  std::vector<unsigned> words(m.elements());  // of 64 bits
  for (uint32_t a = m.memory_base; a < m.memory_end(); a += 8) {
    REQUIRE(m.element_of(a) < m.elements());
    ++words[m.element_of(a)];
    if (a < m.region1_base) CHECK(m.element_of(a) == (a - m.memory_base) / m.element_bytes);
    if (a >= m.region1_base && a % 16 == 0) CHECK(m.element_of(a + 8) == m.element_of(a) + 1);
  }
  for (const unsigned n : words) CHECK(n == m.element_bytes / 8);
}

TEST_CASE("elements of mk2 are those of the page") {
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
  CHECK_THROWS_WITH(load_machine("mk9"),
                    "no machine is named 'mk9'; known: bow mk1 mk1-4 mk2 mk2-16 mk2-4 mk2-64 small-4");
  CHECK_THROWS_WITH(parse_machine("base = \"mk2\"\nrowz = 3"), "machine description: unknown line 'rowz'");
  CHECK_THROWS_WITH(parse_machine("base = \"mk2\"\nrows = \"many\""),
                    "machine description: rows is not a number of 32 bits");
  CHECK_THROWS_WITH(parse_machine("name = \"x\"\nrows = 1"), "machine x: line 'columns' is missing");
  CHECK_THROWS_AS(parse_machine("rows = = 3"), MachineError);
  CHECK_THROWS_WITH(parse_machine("# caf\xc3\xa9\nrows = 3\n"),
                    "machine description: a character beyond ASCII in line 1");
}

// What the hardware cannot do. Each line alone makes a good machine a bad one.
struct Refusal {
  const char *machine, *lines, *why;
};
constexpr Refusal kRefusals[] = {
    {"mk2", "name = \"\"", "machine description: line 'name' is missing"},
    {"mk2", "clock_hz = 0", "machine mk2: line 'clock_hz' is missing"},
    {"mk2", "columns = 3", "machine mk2: line 'columns = 3': columns must be even: the two halves of a row are folded"},
    {"mk2", "rows = 32",
     "machine mk2: line 'rows = 32': rows x columns x lanes is more than 2046 tiles, which have 11 bits in events and "
     "packets"},
    {"mk2", "rows = 4294967295\nlanes = 4294967295",
     "machine mk2: line 'rows = 4294967295': rows x columns x lanes is more than 2046 tiles, which have 11 bits in "
     "events and "
     "packets"},
    {"mk2", "workers = 5", "machine mk2: line 'workers = 5': workers must be 6, one per issue slot"},
    {"mk2", "element_bytes = 12288",
     "machine mk2: line 'element_bytes = 12288': an element is a power of two of 4096 bytes or more"},
    {"mk2", "element_bytes = 2048",
     "machine mk2: line 'element_bytes = 2048': an element is a power of two of 4096 bytes or more"},
    {"mk2", "memory_base = 0x4D000",
     "machine mk2: line 'memory_base = 0x4d000': the memory must begin with an element (element_bytes)"},
    {"mk2", "memory_bytes = 600000",
     "machine mk2: line 'memory_bytes = 600000': the memory is a whole number of elements (element_bytes)"},
    {"small-4", "memory_base = 0x4000\nmemory_bytes = 0x82000",
     "machine small-4: line 'memory_bytes = 532480': 65 elements; a tile has at most 64"},
    {"mk2", "memory_bytes = 0xB4000",
     "machine mk2: line 'memory_bytes = 737280': the memory ends at 0x100000; addresses of events have 20 bits, so it "
     "must "
     "end below 0x100000"},
    {"mk2", "memory_base = 0xFFFFC000",
     "machine mk2: line 'memory_bytes = 638976': the memory ends at 0x100098000; addresses of events have 20 bits, so "
     "it "
     "must end below 0x100000"},
    {"mk2", "region1_base = 0x4C000",
     "machine mk2: line 'region1_base = 0x4c000': the border of the regions must lie inside the memory"},
    {"mk2", "region1_base = 0xE8000",
     "machine mk2: line 'region1_base = 0xe8000': the border of the regions must lie inside the memory"},
    {"mk2", "region1_base = 0x84000",
     "machine mk2: line 'region1_base = 0x84000': region 1 begins with a pair of elements, at a multiple of two of "
     "them"},
    {"mk2", "memory_bytes = 0x98000",
     "machine mk2: line 'region1_base = 0x80000': region 1 interleaves two elements, so it has an even number of them"},
    {"mk2", "rows = 27",
     "machine mk2: line 'rows = 27': at most 26: a tile keeps the places of words for 64 cycles, the way of its "
     "selections and back"},
    {"mk2", "edge_latency = 8",
     "machine mk2: line 'edge_latency = 8': the tree in which requests of a block's 92 tiles are compared is 7 deep, a "
     "register comes before it, and one behind the blocks"},
    {"mk2-4", "edge_latency = 3",
     "machine mk2-4: line 'edge_latency = 3': the tree in which requests of a block's 4 tiles are compared is 2 deep, "
     "a "
     "register comes before it, and one behind the blocks"},
    {"mk2", "exchange_blocks = 0", "machine mk2: line 'exchange_blocks' is missing"},
    {"mk2", "exchange_blocks = 65", "machine mk2: line 'exchange_blocks = 65': at most 64"},
    {"mk2", "block_packets = 65", "machine mk2: line 'block_packets = 65': at most 64"},
    {"mk2", "sync_request = 0", "machine mk2: line 'sync_request' is missing"},
    {"mk2", "sync_acknowledge = 65536", "machine mk2: line 'sync_acknowledge = 65536': at most 65535"},
    {"mk2", "external_request = 23",
     "machine mk2: line 'external_request = 23': requests of packets must be at the edge before those of a sync behind "
     "them (edge_latency)"},
    {"mk2", "sync_request = 6",
     "machine mk2: line 'sync_request = 6': the tree of 1472 tiles is 6 deep, and a register follows"},
    {"mk2-4", "sync_acknowledge = 1",
     "machine mk2-4: line 'sync_acknowledge = 1': the tree of 4 tiles is 1 deep, and a register follows"},
    {"mk2", "external_request = 65536", "machine mk2: line 'external_request = 65536': at most 65535"},
    {"mk2", "pcie_latency = 4294967295", "machine mk2: line 'pcie_latency = 4294967295': at most 65535"},
    {"mk2", "host_turnaround = 65536", "machine mk2: line 'host_turnaround = 65536': at most 65535"},
};

TEST_CASE("what the hardware cannot do is refused in one line that names the machine and the line") {
  for (const auto& [machine, lines, why] : kRefusals) {
    INFO(lines);
    CHECK_THROWS_WITH(parse_machine("base = \"" + std::string(machine) + "\"\n" + lines), why);
  }
}

// A word passes a register of the line and the multiplexer's own; generate_machine_sv counts on it.
TEST_CASE("exchange blocks share the tiles of any shape") {
  const auto blocks = [](const char* lines) {
    const Machine m = parse_machine("base = \"mk2\"\n" + std::string(lines));
    std::vector<unsigned> of(m.blocks());
    for (unsigned t = 0; t < m.tiles(); ++t) {
      ++of.at(m.block_of(t));
      CHECK((t == 0 || m.block_of(t) - m.block_of(t - 1) <= 1));
    }
    return of;
  };
  CHECK(blocks("") == std::vector<unsigned>(16, 92));
  CHECK(blocks("exchange_blocks = 1") == std::vector<unsigned>{1472});
  CHECK(blocks("rows = 1\ncolumns = 2\nlanes = 2") == std::vector<unsigned>{2, 2});
  CHECK(blocks("rows = 3\ncolumns = 2\nlanes = 2\nexchange_blocks = 5") == std::vector<unsigned>{3, 3, 3, 3});
  CHECK(blocks("rows = 5\ncolumns = 2\nlanes = 1\nexchange_blocks = 4") == std::vector<unsigned>{3, 3, 3, 1});
}

TEST_CASE("the exchange of no shape is faster than the page says") {
  for (unsigned columns = 2; columns <= 64; columns += 2)
    for (unsigned lanes = 1; lanes <= 5; ++lanes) {
      const Machine m = parse_machine("base = \"mk2\"\nrows = 2\ncolumns = " + std::to_string(columns) +
                                      "\nlanes = " + std::to_string(lanes));
      CHECK(m.min_latency() >= 18);
      CHECK(m.min_latency() < 1000);
    }
}

TEST_CASE("shapes between the smallest and the largest are machines") {
  for (const char* lines :
       {"rows = 1\ncolumns = 2\nlanes = 1", "rows = 26\ncolumns = 26\nlanes = 3", "rows = 26\ncolumns = 16\nlanes = 4",
        "element_bytes = 4096\nmemory_base = 0x1000\nmemory_bytes = 0x3000\nregion1_base = 0x2000",
        "element_bytes = 0x20000\nmemory_base = 0x20000\nmemory_bytes = 0xA0000\nregion1_base = 0x40000"}) {
    INFO(lines);
    const Machine m = parse_machine("base = \"mk2\"\n" + std::string(lines));
    CHECK(m.tiles() <= 2046);
    CHECK(m.min_latency() >= 2);
  }
}

TEST_CASE("the hash of a machine depends on every number") {
  const Machine base = load_machine("mk2");
  for (const auto& [name, value] : machine_fields(base)) {
    Machine other = base;
#define FIELD(f) \
  if (name == #f) other.f = value + 1;
    TESSERA_MACHINE_FIELDS(FIELD)
#undef FIELD
    CHECK(other.hash() != base.hash());
  }
}
