// Links between gateways: what a description may say, which systems have them, and which memory chips see through them.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "rtl/spec/remote_address.h"
#include "rtl/spec/remote_windows.h"
#include "rtl/spec/system.h"

using namespace tessera::spec;
using Hops = std::vector<RemoteWindow::Hop>;

namespace {

// Chips in a row, each with a gateway of its own; `tables` behind.
std::string row_of(unsigned chips, const std::string& tables) {
  std::string names, all, text;
  for (unsigned c = 0; c < chips; ++c) {
    names += "\"mk2-4\", ";
    all += fmt::format("{}, ", c);
    text += fmt::format(
        "[[gateway]]\nname = \"g{0}\"\nchips = [{0}]\ndram_bytes = {1}\nlatency = {2}\n"
        "bytes_per_cycle = 4\n",
        c, 1024 << c, 100 + c);
    if (c > 0)
      text +=
          fmt::format("[[link]]\nends = [[{}, 1], [{}, 0]]\nlanes = 8\nlatency = 160\nbytes_per_cycle = 4\n", c - 1, c);
  }
  return fmt::format("name = \"row\"\nchips = [{}]\n{}{}[[host]]\nname = \"host\"\nchips = [{}]\n", names, text, tables,
                     all);
}

std::string joined(const std::string& ends, unsigned latency = 30, unsigned rate = 4) {
  return fmt::format("[[gateway_link]]\nends = [{}]\nlatency = {}\nbytes_per_cycle = {}\n", ends, latency, rate);
}

std::string refusal(const std::string& tables) {
  try {
    parse_system(row_of(3, tables));
  } catch (const SystemError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a link between gateways names two of them, by name or number") {
  const System s = parse_system(row_of(3, joined("\"g2\", 0") + joined("1, \"g2\"", 40, 3)));
  REQUIRE(s.gateway_links.size() == 2);
  CHECK(s.gateway_links[0].ends == std::array<uint32_t, 2>{2, 0});
  CHECK(s.gateway_links[1].ends == std::array<uint32_t, 2>{1, 2});
  CHECK(s.gateway_links[1].latency == 40);
  CHECK(s.gateway_links[1].bytes_per_cycle == 3);
  CHECK(text(s).find("gateway link 1: 'g1' to 'g2', 40 cycles, 3 bytes a cycle\n") != std::string::npos);
  const uint64_t hash = s.hash();
  for (const std::string& other : {joined("0, 2") + joined("1, 2", 40, 3), joined("2, 0", 31) + joined("1, 2", 40, 3),
                                   joined("2, 0") + joined("1, 2", 40, 2), joined("2, 0")})
    CHECK(parse_system(row_of(3, other)).hash() != hash);
}

TEST_CASE("what is wrong in a link between gateways is one line") {
  const std::pair<std::string, const char*> rows[] = {
      {joined("0, 0"), "system row: gateway link 0: it joins gateway 'g0' to itself"},
      {joined("0, 3"), "system row: gateway link 0: there is no gateway 3: the system has 3, from 0 on"},
      {joined("0, \"other\""), "system row: gateway link 0: there is no gateway 'other'"},
      {joined("0"), "system row: gateway link 0: line 'ends' is no pair of gateways"},
      {joined("0, 1.5"), "system row: gateway link 0: line 'ends' is no pair of gateways, each a name or a number"},
      {joined("0, 1") + joined("\"g1\", \"g0\""),
       "system row: gateway link 1: gateway link 0 joins gateway 'g0' and gateway 'g1' already"},
      {joined("0, 1", 0), "system row: gateway link 0: latency is no number from 1 to 1048576"},
      {joined("0, 1", 30, 5), "system row: gateway link 0: bytes_per_cycle is no number from 1 to 4"},
      {joined("0, 1") + "lanes = 8\n", "system row: gateway link 0: unknown line 'lanes'"},
      {"[[gateway_link]]\nends = [0, 1]\nlatency = 30\n",
       "system row: gateway link 0: line 'bytes_per_cycle' is missing"},
  };
  for (const auto& [tables, says] : rows) CHECK(refusal(tables) == says);
}

TEST_CASE("chips see the memory of gateways behind their own, the nearest first") {
  // 0 to 2 by two ways of two links: by gateway 1.
  const System s =
      parse_system(row_of(5, joined("0, 3", 10) + joined("0, 1", 30, 3) + joined("1, 2", 40) + joined("3, 2", 10)));
  const auto windows = remote_windows(s.gateways, s.gateway_links, 0);
  REQUIRE(windows.size() == 4);  // no link leads to gateway 4
  const uint32_t order[] = {0, 1, 3, 2};
  uint64_t end = 0;
  for (size_t i = 0; i < windows.size(); ++i) {
    CHECK(windows[i].gateway == order[i]);
    CHECK(windows[i].first == end);
    CHECK(windows[i].bytes == 1024u << order[i]);
    end += windows[i].bytes;
  }
  CHECK(windows[0].way.empty());
  CHECK(windows[0].latency == 100);
  CHECK(windows[1].way == Hops{{1, 0}});
  CHECK(windows[1].latency == 2 * 30 + 101);
  CHECK(windows[1].bytes_per_cycle == 3);
  CHECK(windows[2].way == Hops{{0, 0}});
  CHECK(windows[3].way == Hops{{1, 0}, {2, 0}});
  CHECK(windows[3].latency == 2 * (30 + 40) + 102);
  CHECK(windows[3].bytes_per_cycle == 3);
  CHECK(remote_windows(s.gateways, s.gateway_links, 2)[1].way == Hops{{2, 1}});
  CHECK(remote_windows(s.gateways, s.gateway_links, 4).size() == 1);

  CHECK(window_of(windows, 0, 1024) == &windows[0]);
  CHECK(window_of(windows, 1020, 8) == nullptr);  // in no window as a whole
  CHECK(window_of(windows, 1024, 4) == &windows[1]);
  CHECK(window_of(windows, end - 4, 4) == &windows[3]);
  CHECK(window_of(windows, end, 4) == nullptr);
  CHECK(window_of(windows, ~uint64_t{3}, 8) == nullptr);
}

TEST_CASE("the gateways of standard systems stand in a ring, and of 40 bits") {
  CHECK(load_system("mk2-4x4").gateway_links.empty());
  CHECK(load_system("mk2-4x8").gateway_links.size() == 1);
  const System pod = load_system("mk2-4x16");
  REQUIRE(pod.gateway_links.size() == 4);
  CHECK(pod.gateway_links[3].ends == std::array<uint32_t, 2>{3, 0});
  CHECK(remote_windows(pod.gateways, pod.gateway_links, 1).size() == 4);
  // 16 times 128 GiB are more than there are addresses.
  const System large = load_system("mk2-4x64");
  const auto windows = remote_windows(large.gateways, large.gateway_links, 5);
  REQUIRE(windows.size() == 7);
  for (const size_t i : {1, 2}) CHECK(windows[i].gateway == (i == 1 ? 4 : 6));
  CHECK(windows.back().first + windows.back().bytes <= kRemoteMemoryEnd);
}

TEST_CASE("parts of systems keep the links of the gateways that they have") {
  const System part = load_system("mk2-4x16:8-15");
  REQUIRE(part.gateways.size() == 2);
  REQUIRE(part.gateway_links.size() == 1);
  CHECK(part.gateway_links[0].ends == std::array<uint32_t, 2>{0, 1});
  CHECK(load_system("mk2-4x16:4-7").gateway_links.empty());
  CHECK(load_system("mk2-4x8:2-5").gateway_links.size() == 1);
}
