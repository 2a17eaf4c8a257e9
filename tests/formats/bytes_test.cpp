// Bytes: what is written is read, what is cut off or too large is damage.
#include <catch2/catch.hpp>

#include "formats/archive.h"
#include "formats/fnv.h"

using namespace tessera::formats;

namespace sample {

enum class Colour : uint16_t { kRed = 1, kBlue = 0x1234 };
struct Point {
  int32_t x = 0;
  bool on = false;
  bool operator==(const Point&) const = default;
};
struct Drawing {
  std::string name;
  Colour colour = Colour::kRed;
  std::vector<Point> points;
  std::vector<uint64_t> numbers;
  std::array<uint8_t, 3> three{};
  bool operator==(const Drawing&) const = default;
};
template <class A>
void io(A& a, Point& p) {
  all(a, p.x, p.on);
}
template <class A>
void io(A& a, Drawing& d) {
  all(a, d.name, d.colour, d.points, d.numbers, d.three);
}

}  // namespace sample

TEST_CASE("numbers are little-endian, varints have 7 bits a byte, signed ones zigzag") {
  ByteWriter out;
  out.number(uint32_t{0x11223344}).varint(300).signed_varint(-2).text("ab").words(std::vector<uint32_t>{7});
  CHECK(out.bytes() == Bytes{0x44, 0x33, 0x22, 0x11, 0xac, 0x02, 0x03, 2, 'a', 'b', 1, 7, 0, 0, 0});
  ByteReader in(out.bytes());
  CHECK(in.number<uint32_t>() == 0x11223344);
  CHECK(in.varint() == 300);
  CHECK(in.signed_varint() == -2);
  CHECK(in.text() == "ab");
  CHECK(in.words() == std::vector<uint32_t>{7});
  in.end();
}

TEST_CASE("every 64-bit number comes back, more bits are damage") {
  for (const uint64_t value : {uint64_t{0}, uint64_t{127}, uint64_t{128}, uint64_t{1} << 63, ~uint64_t{0}}) {
    ByteWriter out;
    out.varint(value).signed_varint(static_cast<int64_t>(value));
    ByteReader in(out.bytes());
    CHECK(in.varint() == value);
    CHECK(in.signed_varint() == static_cast<int64_t>(value));
  }
  const Bytes endless(11, 0xff);
  CHECK_THROWS_AS(ByteReader(endless).varint(), DamagedBytes);
}

TEST_CASE("one description writes and reads a structure, and every cut is damage") {
  sample::Drawing drawing{"line", sample::Colour::kBlue, {{-5, true}, {6, false}}, {~uint64_t{0}, 1}, {1, 2, 3}};
  ByteWriter out;
  io(out, drawing);
  sample::Drawing again;
  ByteReader in(out.bytes());
  io(in, again);
  in.end();
  CHECK(again == drawing);
  for (size_t size = 0; size < out.bytes().size(); ++size) {
    ByteReader cut(std::span(out.bytes()).first(size));
    CHECK_THROWS_AS(io(cut, again), DamagedBytes);
  }
}

TEST_CASE("a count of more than there is, is damage before anything is allocated") {
  ByteWriter out;
  out.varint(uint64_t{1} << 60);
  CHECK_THROWS_AS(ByteReader(out.bytes()).text(), DamagedBytes);
  CHECK_THROWS_AS(ByteReader(out.bytes()).words(), DamagedBytes);
  std::vector<sample::Point> points;
  ByteReader in(out.bytes());
  CHECK_THROWS_AS(io(in, points), DamagedBytes);
}

TEST_CASE("FNV-1a has its published values, and a digest changes with every byte") {
  CHECK(Fnv().value() == 0xcbf29ce484222325u);
  CHECK(Fnv().text("a").value() == 0xaf63dc4c8601ec8cu);
  CHECK(Fnv().text("foobar").value() == 0x85944171f73967e8u);
  CHECK(Fnv().number(uint32_t{0x64636261}).value() == Fnv().text("abcd").value());
  Bytes bytes(37, 5);
  const uint64_t whole = digest(bytes);
  for (uint8_t& byte : bytes) {
    byte ^= 0x80;
    CHECK(digest(bytes) != whole);
    byte ^= 0x80;
  }
}
