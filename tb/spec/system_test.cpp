// System descriptions: what the shipped ones say, what a machine's name stands for, and misuse, a line of the
// description at a time.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"

using namespace tessera::spec;

namespace {

std::string shipped(const std::string& name) {
  std::ifstream in(descriptions_folder("systems") + "/" + name + ".toml");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string refusal(const std::string& text) {
  try {
    parse_system(text);
  } catch (const MachineError& error) {
    return error.what();
  }
  return "";
}

// pair-4 with one thing changed, which must be there.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = shipped("pair-4");
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the blade has four chips, ten links, a gateway of 128 GiB and one host") {
  const System s = load_system("m2000");
  CHECK(s.name == "m2000");
  REQUIRE(s.chips.size() == 4);
  CHECK(s.chips[3].name == "mk2");
  CHECK(s.tiles() == 4 * 1472);
  REQUIRE(s.links.size() == 10);
  CHECK(s.links[9].ends == std::array{ChipPort{1, 7}, ChipPort{3, 7}});
  CHECK(s.links[9].latency == 160);
  REQUIRE(s.groups.size() == 1);
  CHECK(s.groups[0].zone == SyncGroup::Zone::kGs2);
  CHECK(s.groups[0].members == std::vector<uint32_t>{0, 1, 2, 3});
  REQUIRE(s.gateways.size() == 1);
  CHECK(s.gateways[0].dram_bytes == uint64_t{128} << 30);
  REQUIRE(s.hosts.size() == 1);
  CHECK(text(s).find("link 0: chip 0 port 0 to chip 1 port 0, 8 lanes, 160 cycles, 12 bytes a cycle\n") !=
        std::string::npos);
  CHECK(text(s).find("gateway 'gateway': chips 0, 1, 2, 3, 137438953472 bytes, 800 cycles, 4 bytes a cycle\n") !=
        std::string::npos);
}

TEST_CASE("a machine's name, x and a number are a system of so many chips") {
  const System four = load_system("mk2-16x4");
  CHECK(four.name == "mk2-16x4");
  CHECK(four.chips.size() == 4);
  CHECK(four.tiles() == 64);
  CHECK(four.links.size() == 10);
  REQUIRE(four.gateways.size() == 1);
  CHECK(four.gateways[0].chips == std::vector<uint32_t>{0, 1, 2, 3});
  CHECK(four.groups.size() == 2);
  CHECK_THROWS_WITH(only_chip(four), "system mk2-16x4 has 4 chips, and this takes one, such as mk2-16x4:0");
  // The blade has as many links between the same chips.
  const System blade = load_system("m2000"), mk2 = load_system("mk2x4");
  for (uint32_t a = 0; a < 4; ++a)
    for (uint32_t b = 0; b < 4; ++b) CHECK(Routes(blade).links(a, b).size() == Routes(mk2).links(a, b).size());
  CHECK(load_system("mk2-4x2").links.size() == 3);
  CHECK(load_system("mk2-4x2").gateways.empty());
  const System pod = load_system("mk2-16x16");
  CHECK(pod.grid->torus);
  CHECK(pod.links.size() == 64);  // two to each of four neighbours
  CHECK(pod.gateways.size() == 4);
  CHECK(text(pod).find("grid: 4 columns, 4 rows, a torus\n") != std::string::npos);
  for (const char* size : {"2", "4", "8", "16", "32", "64"}) {
    const System system = load_system(std::string("mk2-4x") + size);
    std::set<ChipPort> ports;
    for (const Link& link : system.links)
      for (const ChipPort& end : link.ends) {
        CHECK(end.port < System::kLinkPorts);
        CHECK(ports.insert(end).second);
      }
  }
}

TEST_CASE("every shipped system reads, is named as its file, and no two are alike") {
  std::set<uint64_t> hashes;
  REQUIRE(system_names().size() >= 3);
  for (const std::string& name : system_names()) {
    const System s = load_system(name);
    CHECK(s.name == name);
    CHECK(hashes.insert(s.hash()).second);
  }
}

TEST_CASE("a machine stands for the system of one such chip, by name and by path") {
  for (const std::string& name : machine_names()) {
    const System s = load_system(name);
    CHECK(s.name == load_machine(name).name);
    CHECK(s.chips.size() == 1);
    CHECK(s.hosts.size() == 1);
    CHECK(only_chip(s).hash() == load_machine(name).hash());
    CHECK(load_system(machines_folder() + "/" + name + ".toml").hash() == s.hash());
  }
  CHECK(load_system("card-16").hash() == load_system("mk2-16").hash());
  CHECK(load_runnable(descriptions_folder("systems") + "/card-16.toml").name == "mk2-16");
}

TEST_CASE("tiles are numbered chip by chip") {
  const System s = load_system("pair-4");
  for (uint32_t n = 0; n < s.tiles(); ++n) CHECK(s.number(s.tile(n)) == n);
  CHECK(s.tile(6) == TileId{1, 2});
  CHECK(s.number({1, 0}) == 4);
}

TEST_CASE("tiles are named with their chip only where there are several") {
  CHECK(tile_text({0, 3}, 1) == "tile 3");
  CHECK(tile_text({1, 3}, 4) == "chip 1 tile 3");
  CHECK(tile_text({0, 3}, 4) == "chip 0 tile 3");
  CHECK(number_text({0, 3}, 1) == "3");
  CHECK(number_text({2, 3}, 4) == "2:3");
}

TEST_CASE("what drives one chip takes systems of one") {
  CHECK_THROWS_WITH(load_runnable("m2000"), "system m2000 has 4 chips, and this takes one, such as m2000:0");
  CHECK(load_runnable("m2000:3").name == "mk2");
}

TEST_CASE("an unknown name lists machines and systems") {
  for (const char* name : {"mk2-16x3", "mk2-16x04", "mk3x4", "x4", "mk2-16x", "mk2-16x4x4"})
    CHECK_THROWS_WITH(
        load_system(name),
        Catch::Matchers::StartsWith("no machine or system is named '" + std::string(name) + "'; known machines: ") &&
            Catch::Matchers::ContainsText(" mk2-16 ") && Catch::Matchers::ContainsText("; systems: ") &&
            Catch::Matchers::ContainsText(" m2000") &&
            Catch::Matchers::EndsWith("; of several chips: a machine's name, x and 2, 4, 8, 16, 32 or 64; chips of "
                                      "one: its name, a colon and first-last"));
  CHECK_THROWS_WITH(load_system("../systems/m2000"), Catch::Matchers::StartsWith("no machine or system is named"));
  CHECK_THROWS_WITH(load_system("nowhere.toml"), "system description: nowhere.toml cannot be read");
  CHECK_THROWS_WITH(parse_system("# three\n\nK\xc3\x84 = 1\n"),
                    "system description: a character beyond ASCII in line 3");
  // The library quotes the end of the line as it is.
  CHECK_THROWS_WITH(parse_system("torus = f\n"), !Catch::Matchers::ContainsText("\n"));
}

TEST_CASE("bad system descriptions are refused in one line that names system and object") {
  struct Row {
    const char *from, *to, *says;
  };
  const Row rows[] = {
      {"name = \"pair-4\"", "", "system without a name: line 'name' is missing"},
      {"name = \"pair-4\"", "name = 4", "system without a name: line 'name' is no text"},
      {"chips = [\"mk2-4\", \"mk2-4\"]", "", "system pair-4: line 'chips' is missing"},
      {"chips = [\"mk2-4\", \"mk2-4\"]", "chips = []", "system pair-4: it has no chips"},
      {"chips = [\"mk2-4\", \"mk2-4\"]", "chips = \"mk2-4\"", "system pair-4: line 'chips' is no list"},
      {"chips = [\"mk2-4\", \"mk2-4\"]", "chips = [\"mk2-4\", 4]",
       "system pair-4: chip 1: its machine is named by a text"},
      {"chips = [\"mk2-4\", \"mk2-4\"]", "chips = [\"mk2-4\", \"mk2-16\"]",
       "system pair-4: chip 1: its 16 tiles are not the 4 of chip 0"},
      {"[0, 0], [1, 0]", "[0, 0], [0, 1]", "system pair-4: link 0: it joins chip 0 to itself"},
      {"columns = 2", "columns = 3", "system pair-4: grid: its 3 columns and 1 rows are not the 2 chips"},
      {"columns = 2", "columns = 0", "system pair-4: grid: columns is no number from 1 to 64"},
      {"torus = false", "torus = 0", "system pair-4: grid: line 'torus' is neither true nor false"},
      {"torus = false", "", "system pair-4: grid: line 'torus' is missing"},
      {"[grid]", "[[grid]]", "system pair-4: 'grid' is no table [grid]"},
      {"[0, 0], [1, 0]", "[0, 0], [2, 0]", "system pair-4: link 0: there is no chip 2: the system has 2, from 0 on"},
      {"[0, 0], [1, 0]", "[0, 0], [-1, 0]", "system pair-4: link 0: there is no chip -1: the system has 2, from 0 on"},
      {"[0, 0], [1, 0]", "[0, 0], [1, 10]", "system pair-4: link 0: port is no number from 0 to 9"},
      {"[0, 0], [1, 0]", "[0, 0]", "system pair-4: link 0: line 'ends' is no pair of [chip, port]"},
      {"[0, 0], [1, 0]", "0, 1", "system pair-4: link 0: line 'ends' is no pair of [chip, port]"},
      {"[0, 0], [1, 0]", "[\"a\", 0], [1, 0]",
       "system pair-4: link 0: a chip is named by its number, its place in the list of chips"},
      {"lanes = 8", "lanes = 0", "system pair-4: link 0: lanes is no number from 1 to 64"},
      {"lanes = 8", "lanes = 8.5", "system pair-4: link 0: lanes is no number from 1 to 64"},
      {"latency = 160", "latency = 0", "system pair-4: link 0: latency is no number from 1 to 1048576"},
      {"latency = 160", "", "system pair-4: link 0: line 'latency' is missing"},
      {"latency = 160", "latency = 160\nwidth = 4", "system pair-4: link 0: unknown line 'width'"},
      {"bytes_per_cycle = 4", "bytes_per_cycle = 4096",
       "system pair-4: link 0: bytes_per_cycle is no number from 1 to 1024"},
      {"[[sync_group]]",
       "[[link]]\nends = [[0, 1], [1, 0]]\nlanes = 8\nlatency = 160\nbytes_per_cycle = 4\n[[sync_group]]",
       "system pair-4: link 1: port 0 of chip 1 is used by link 0"},
      {"zone = \"GS1\"", "zone = \"GS3\"", "system pair-4: sync group 0: zone 'GS3' is neither GS1 nor GS2"},
      {"members = [0, 1]", "members = [0, 2]",
       "system pair-4: sync group 0: there is no chip 2: the system has 2, from 0 on"},
      {"members = [0, 1]", "members = [0, 0]", "system pair-4: sync group 0: chip 0 is named twice"},
      {"members = [0, 1]", "members = [0]", "system pair-4: sync group 0: line 'members' names fewer than 2 chips"},
      {"zone = \"GS2\"", "zone = \"GS1\"", "system pair-4: sync group 1: chip 0 is in sync group 0 already"},
      {"hop_latency = 20", "hop_latency = \"20\"",
       "system pair-4: sync group 0: hop_latency is no number from 1 to 1048576"},
      {"chips = [0, 1]", "chips = [0]", "system pair-4: chip 1: it is in no host"},
      {"chips = [0, 1]", "chips = []", "system pair-4: host 0: line 'chips' names fewer than 1 chips"},
      {"[[host]]", "[[host]]\nname = \"one\"\nchips = [1]\n[[host]]",
       "system pair-4: host 'host': chip 1 is in host 'one' already"},
      {"[[host]]", "[[host]]\nname = \"host\"\nchips = [1]\n[[host]]",
       "system pair-4: host 'host': another has the same name"},
      {"[[host]]",
       "[[gateway]]\nname = \"g\"\nchips = [1]\nlatency = 9\nbytes_per_cycle = 4\ndram_bytes = 33\n[[host]]",
       "system pair-4: gateway 0: dram_bytes is no multiple of 32"},
      {"[[host]]",
       "[[gateway]]\nname = \"g\"\nchips = [1]\nlatency = 9\nbytes_per_cycle = 4\ndram_bytes = 2199023255552\n[[host]]",
       "system pair-4: gateway 0: dram_bytes is no number from 32 to 1099510579200"},
      {"[[host]]",
       "[[gateway]]\nname = \"g\"\nchips = [1]\nlatency = 90\nbytes_per_cycle = 5\ndram_bytes = 32\n[[host]]",
       "system pair-4: gateway 0: bytes_per_cycle is no number from 1 to 4"},
      {"[[host]]",
       "[[gateway]]\nname = \"g\"\nchips = [1]\nlatency = 65\nbytes_per_cycle = 4\ndram_bytes = 32\n[[host]]",
       "system pair-4: gateway 0: latency is no number from 66 to 1048576"},
      {"[[host]]", "[host]", "system pair-4: 'host' is no table [[host]]"},
      {"chips = [\"mk2-4\"", "topology = \"ring\"\nchips = [\"mk2-4\"", "system pair-4: unknown line 'topology'"},
  };
  for (const Row& row : rows) {
    INFO(row.from << " -> " << row.to);
    CHECK(refusal(changed(row.from, row.to)) == row.says);
  }
  CHECK_THAT(refusal(changed("\"mk2-4\"]", "\"mk9\"]")),
             Catch::Matchers::StartsWith("system pair-4: chip 1: no machine is named 'mk9'; known:"));
  const std::string text = shipped("pair-4");
  CHECK(refusal(std::regex_replace(text, std::regex("\\[\\[link\\]\\][^\\[]*\\[\\[0, 0\\][^\\[]*\\[[^\\[]*"), "")) ==
        "system pair-4: chip 1: no links lead to it from chip 0");
  // A ring of four as a grid of two by two, one side of which is not there, and the other way round.
  const std::string ring = R"(name = "ring"
chips = ["mk2-4", "mk2-4", "mk2-4", "mk2-4"]
host = [{ name = "host", chips = [0, 1, 2, 3] }]
grid = { columns = 2, rows = 2, torus = false }
)";
  const auto link = [](int a, int port, int b, int other) {
    return "[[link]]\nends = [[" + std::to_string(a) + ", " + std::to_string(port) + "], [" + std::to_string(b) + ", " +
           std::to_string(other) + "]]\nlanes = 8\nlatency = 160\nbytes_per_cycle = 4\n";
  };
  const std::string three = ring + link(0, 0, 1, 0) + link(1, 1, 3, 0) + link(3, 1, 2, 0);
  CHECK(refusal(three) == "system ring: grid: no link joins chips 0 and 2, which are neighbours in it");
  CHECK(refusal(three + link(2, 1, 0, 1)).empty());
  CHECK(refusal(three + link(2, 1, 0, 1) + link(0, 2, 3, 2)) ==
        "system ring: grid: link 4 joins chips 0 and 3, which are no neighbours in it");
  CHECK_THAT(refusal("name = = 3"), Catch::Matchers::StartsWith("system description: "));
  std::string many;
  for (int i = 0; i < 65; ++i) many += "\"mk2-4\", ";
  CHECK(refusal("name = \"many\"\nchips = [" + many + "]") == "system many: more than 64 chips");
  const std::string other_clock = std::filesystem::temp_directory_path() / "system_test_slow.toml";
  std::ofstream(other_clock) << "name = \"slow\"\nbase = \"mk2-4\"\nclock_hz = 1000000000\n";
  CHECK_THAT(refusal(changed("\"mk2-4\"]", "\"" + other_clock + "\"]")),
             Catch::Matchers::Equals(
                 "system pair-4: chip 1: its clock of 1000000000 Hz is not that of chip 0, 1325000000 Hz"));
  std::filesystem::remove(other_clock);
}

TEST_CASE("the hash of a system depends on every number and not on names") {
  const uint64_t hash = load_system("pair-4").hash();
  const std::pair<const char*, const char*> rows[] = {
      {"[0, 0], [1, 0]", "[0, 1], [1, 0]"}, {"lanes = 8", "lanes = 4"},
      {"latency = 160", "latency = 161"},   {"hop_latency = 20", "hop_latency = 21"},
      {"torus = false", "torus = true"},    {"\"mk2-4\", \"mk2-4\"", "\"mk2-16\", \"mk2-16\""}};
  for (const auto& [from, to] : rows) CHECK(parse_system(changed(from, to)).hash() != hash);
  CHECK(parse_system(changed("name = \"pair-4\"", "name = \"other\"")).hash() == hash);
  CHECK(parse_system(changed("name = \"host\"", "name = \"pc\"")).hash() == hash);
}
