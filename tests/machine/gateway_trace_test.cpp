// The file of links of a system with gateways (docs/reference/trace.md, Links): every packet to remote memory, at the
// gateway and on the links of its way, with its cycles; the same bytes however the chips are run; all runs in one file.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>
#include <string>

#include "inspect/waves/fst_file.h"
#include "tests/inspect/trace/perfetto_check.h"
#include "tests/machine/left_link_trace.h"
#include "tests/machine/system_file.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr unsigned kLatency[] = {66, 90}, kRate[] = {3, 4}, kLink = 45, kPackets = 6, kRemotePackets = 4;
// Of what tiles of random_traffic() touch some is in the own memory, some in the other's.
constexpr uint64_t kFirst = (uint64_t{3} << 32) + 0x10000, kSecond = (uint64_t{8} << 32) + 0x10000;

std::string pair_with_gateways() {
  std::string text = R"(
name = "pair-with-gateways"
chips = ["mk2-4", "mk2-4"]
[[link]]
ends = [[0, 0], [1, 0]]
lanes = 8
latency = 160
bytes_per_cycle = 4
[[sync_group]]
zone = "GS1"
members = [0, 1]
hop_latency = 20
[[gateway_link]]
ends = ["one", "other"]
latency = 45
bytes_per_cycle = 4
[[host]]
name = "host"
chips = [0, 1]
)";
  for (const unsigned g : {0, 1})
    text += "[[gateway]]\nname = \"" + std::string(g == 0 ? "one" : "other") + "\"\nchips = [" + std::to_string(g) +
            "]\ndram_bytes = " + std::to_string(g == 0 ? kFirst : kSecond) +
            "\nlatency = " + std::to_string(kLatency[g]) + "\nbytes_per_cycle = " + std::to_string(kRate[g]) + "\n";
  return text;
}

Traffic traffic_of(const SystemFile& file, unsigned seed) {
  std::mt19937 random(seed);
  return random_traffic(spec::load_system(file.path), kPackets, 40, random, 1, kRemotePackets);
}

}  // namespace

TEST_CASE("the packets to remote memory, at gateways and on their links") {
  const Folder folder;
  const SystemFile system(pair_with_gateways());
  const Traffic traffic = traffic_of(system, 51);
  const std::string file = folder.path + "/links.csv";
  const std::string text = left_by(traffic, file, "", {"--threads", "1"}, "model", system.path);
  CHECK(left_by(traffic, file, "", {"--threads", "3", "--quantum", "9", "--hold-up", "4"}, "model", system.path) ==
        text);
  CHECK(left_by(traffic, file, "", {}, "rtl", system.path) == text);
  const auto rows = rows_of(text);
  uint64_t before = 0, answered[2] = {};
  std::map<std::string, unsigned> count;
  std::multiset<std::string> far, passed;  // packets for the memory of the other gateway; on the link
  for (const Row& row : rows) {
    CHECK(number(row, "cycle") >= before);
    before = number(row, "cycle");
    const std::string event = row.at("event");
    ++count[event];
    if (event == "packet" || event == "group sync") continue;
    const bool at_link = event.starts_with("gateway link"), reads = event.ends_with("read");
    const unsigned chip = static_cast<unsigned>(number(row, "chip")), gateway = chip;
    const uint64_t words = number(row, "words"), left = number(row, "left"), last = number(row, "left_last"),
                   arrived = number(row, "arrived"), cycle = number(row, "cycle");
    const bool other = number(row, "to") != gateway;
    CHECK(number(row, "from") == chip);
    CHECK(number(row, "tile") < 4);
    CHECK(last == left + (reads ? 2 : words + 1));
    const std::string packet =
        event.substr(at_link ? 13 : 7) + " " + row.at("chip") + " " + row.at("address") + " " + row.at("words") + " ";
    if (at_link) {
      CHECK(other);
      passed.insert(packet + row.at("left_last") + " " + row.at("arrived"));
      if (!reads) CHECK(cycle == last + kLink);
      continue;
    }
    if (other) far.insert(packet + row.at("left_last") + " " + std::to_string(reads ? arrived : left + kLink));
    const uint64_t address = std::stoull(row.at("address"), nullptr, 16);
    CHECK(other == (address >= (chip == 0 ? kFirst : kSecond)));
    if (!reads) {
      CHECK(cycle == last);
      continue;
    }
    const unsigned rate = other ? 3 : kRate[gateway];
    CHECK(cycle == arrived + (4 * words + rate - 1) / rate);
    const uint64_t latency = other ? kLatency[1 - gateway] + 2 * kLink : kLatency[gateway];
    CHECK(arrived == std::max(last + latency, answered[chip]));
    answered[chip] = cycle;
  }
  CHECK(count["remote write"] == 8 * kRemotePackets);
  CHECK(count["remote read"] == 8 * kRemotePackets);
  CHECK(count["gateway link read"] == count["gateway link write"]);
  CHECK(count["gateway link read"] >= 2 * kRemotePackets);
  CHECK(passed == far);

  const std::string picture = folder.path + "/links.json";
  left_by(traffic, picture, "", {}, "model", system.path);
  const auto shown = inspect::trace::check_perfetto(picture);
  CHECK(shown.wrong.empty());
  size_t packets = 0, answers = 0, on_link = 0;
  for (const auto& [track, all] : shown.tracks) {
    const bool at_link = track.starts_with("gateway link 0: 'one', 'other'/");
    if (!at_link && !track.starts_with("gateway 0: 'one'/") && !track.starts_with("gateway 1: 'other'/")) continue;
    on_link += at_link ? all.size() : 0;
    packets += !at_link && track.find("/packets of chip ") != std::string::npos ? all.size() : 0;
    answers += !at_link && track.find("/answers to chip ") != std::string::npos ? all.size() : 0;
  }
  CHECK(packets == 2 * 8 * kRemotePackets);
  CHECK(answers == 8 * kRemotePackets);
  CHECK(on_link == 3 * count["gateway link read"]);
}

TEST_CASE("gateways as waves, all runs of the process behind each other") {
  const Folder folder;
  const SystemFile system(pair_with_gateways());
  const std::string file = folder.path + "/links.fst", rows_file = folder.path + "/links.csv";
  const Traffic first = traffic_of(system, 52), second = traffic_of(system, 53);
  const auto both_in = [&](const std::string& path, const std::string& backend) {
    MachineProcess m(system.path, backend, {"--inspect", "link-trace=" + path});
    in_process(m.client, first);
    m.client.reset();
    in_process(m.client, second);
    m.client.finish();
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string bytes = both_in(file, "rtl");
  CHECK(both_in(file, "model") == bytes);
  const auto rows = rows_of(both_in(rows_file, "model"));
  inspect::waves::FstReader wave(file);
  std::map<uint32_t, std::string> names;
  std::vector<uint32_t> handles;
  for (const auto& signal : wave.signals()) {
    const std::string name = signal.scope + "." + signal.name;
    const bool wanted = signal.name == "run" || name == "link0.chip0_to_chip1_channel0.packet" ||
                        (signal.scope.starts_with("gateway") && (signal.name == "packet" || signal.name == "answer"));
    if (!wanted) continue;
    names[signal.handle] = signal.scope.empty() ? signal.name : name;
    handles.push_back(signal.handle);
  }
  CHECK(names.size() == 2 + 2 * 2 + 2 * 2);  // chips at their gateways, and on the link each in one direction
  std::map<std::string, std::vector<uint64_t>> begins;  // of packets, by signal
  std::vector<uint64_t> runs;
  uint64_t run = 9;
  wave.read(handles, [&](uint64_t time, uint32_t handle, std::string_view value) {
    const std::string& name = names.at(handle);
    if (name.ends_with("run")) {
      runs.push_back(time);
      run = value.ends_with("1") ? 1 : 0;
    } else if (!value.empty()) {
      begins[name].push_back(time - runs.back());
    }
  });
  REQUIRE(runs.size() == 2);
  CHECK(run == 1);
  // What the lines say of both runs, in the cycles of each.
  std::map<std::string, std::vector<uint64_t>> expected;
  for (const Row& row : rows) {
    const std::string event = row.at("event");
    std::string scope;
    if (event.starts_with("remote")) scope = "gateway" + row.at("link") + ".chip" + row.at("chip");
    if (event.starts_with("gateway link"))
      scope = "gateway_link0.gateway" + row.at("from") + "_to_gateway" + row.at("to") + "_chip" + row.at("chip");
    if (event == "packet" && row.at("from") == "0") scope = "link0.chip0_to_chip1_channel0";
    if (scope.empty()) continue;
    expected[scope + ".packet"].push_back(number(row, "left"));
    if (event.ends_with("read")) expected[scope + ".answer"].push_back(number(row, "arrived"));
  }
  for (auto* times : {&expected, &begins})
    for (auto& [name, all] : *times) std::ranges::sort(all);
  CHECK(begins == expected);
}

TEST_CASE("a system of one chip with a gateway has such a file") {
  const Folder folder;
  const SystemFile system(R"(
name = "card-with-gateway"
chips = ["mk2-4"]
[[gateway]]
name = "gateway"
chips = [0]
dram_bytes = 549755813888
latency = 300
bytes_per_cycle = 4
[[host]]
name = "host"
chips = [0]
)");
  const std::string file = folder.path + "/gateway.csv";
  const spec::Machine m = spec::load_machine("mk2-4");
  const Traffic traffic{{remote_memory_program(m, 19)}, {}};
  const std::string text = left_by(traffic, file, "", {}, "model", system.path);
  CHECK(left_by(traffic, file, "", {}, "rtl", system.path) == text);
  std::map<std::string, std::set<std::string>> tiles;
  for (const Row& row : rows_of(text)) {
    tiles[row.at("event")].insert(row.at("tile"));
    CHECK(std::stoull(row.at("address"), nullptr, 16) == kRemote + 0x1000 * (number(row, "tile") + 1));
  }
  CHECK(tiles["remote read"].size() == m.tiles());
  CHECK(tiles["remote write"].size() == m.tiles());
  CHECK(tiles.size() == 2);
}
