// What the host makes of a tile's printf when format and arguments do not fit: it is told in place, and nothing breaks.
#include "sw/card/print_format.h"

#include <catch2/catch.hpp>

using tessera::card::format_print;

namespace {

std::string formatted(const std::string& format, std::vector<uint32_t> words, uint32_t doubles = 0) {
  return format_print(format, words, [](uint32_t address) { return "text" + std::to_string(address); }, doubles);
}

}  // namespace

TEST_CASE("arguments are taken word by word") {
  CHECK(formatted("%d %u", {0xffffffff, 0xffffffff}) == "-1 4294967295");
  CHECK(formatted("%llx|%x", {0x89abcdef, 0x01234567, 5}) == "123456789abcdef|5");
  CHECK(formatted("%hhd %ld %zu", {7, 8, 9}) == "7 8 9");
  CHECK(formatted("%g", {0x3fc00000}) == "1.5");
  CHECK(formatted("%s and %s", {1, 2}) == "text1 and text2");
  CHECK(formatted("%-6s|%.2s|%*d", {1, 2, 4, 9}) == "text1 |te|   9");
}

TEST_CASE("a double takes two words where the tile says so") {
  CHECK(formatted("%.3f %g", {0, 0x3ff80000, 0x3fc00000}, 1) == "1.500 1.5");
  CHECK(formatted("%d %.17g", {7, 0x9999999a, 0x3fb99999}, 2) == "7 0.10000000000000001");
}

TEST_CASE("what does not fit is told in place") {
  CHECK(formatted("%d %d", {1}) == "1 <argument missing>0");
  CHECK(formatted("%s", {}) == "<argument missing>");
  CHECK(formatted("%llu", {1}) == "<argument missing>1");
  CHECK(formatted("%q!", {1}) == "<unknown conversion %q>!");
  CHECK(formatted("50%", {}) == "50<a format ends in %>");
  CHECK(formatted("%n", {0}) == "<unknown conversion %n>");
  CHECK(formatted("no argument", {1, 2, 3}) == "no argument");
}

TEST_CASE("a wild width is bounded") {
  CHECK(formatted("%*d", {0x7fffffff, 5}).size() == 1000);
  CHECK(formatted("%99999999999999d", {5}).size() == 1000);
}
