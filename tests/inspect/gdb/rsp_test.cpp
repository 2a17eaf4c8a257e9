// The packet layer: framing, checksums, escapes, Ctrl-C, and what is no packet at all.
#include "inspect/gdb/rsp.h"

#include <catch2/catch.hpp>
#include <random>

#include "inspect/gdb/thread_ids.h"

using namespace tessera::inspect::gdb;
using Kind = PacketReader::Event::Kind;

namespace {

void feed(PacketReader& reader, const std::string& bytes) { reader.feed({bytes.data(), bytes.size()}); }

}  // namespace

TEST_CASE("a packet comes through whole, in pieces, and one behind another") {
  PacketReader reader;
  const std::string two = framed("m80000,4") + framed("g");
  for (const char c : two) feed(reader, std::string(1, c));
  auto event = reader.next();
  REQUIRE(event);
  CHECK(event->kind == Kind::kPacket);
  CHECK(event->payload == "m80000,4");
  event = reader.next();
  REQUIRE(event);
  CHECK(event->payload == "g");
  CHECK_FALSE(reader.next());
}

TEST_CASE("the checksum is the protocol's") {
  CHECK(framed("OK") == "$OK#9a");
  CHECK(framed("") == "$#00");
}

TEST_CASE("a wrong checksum is damage, and the next packet is read") {
  PacketReader reader;
  feed(reader, "$g#00$g#6x" + framed("g"));
  CHECK(reader.next()->kind == Kind::kDamaged);
  CHECK(reader.next()->kind == Kind::kDamaged);
  CHECK(reader.next()->kind == Kind::kPacket);
}

TEST_CASE("Ctrl-C counts between packets only; inside one it is data") {
  PacketReader reader;
  feed(reader, std::string("\x03") + framed(std::string("X0,1:\x03")));
  CHECK(reader.next()->kind == Kind::kInterrupt);
  CHECK(reader.next()->payload == std::string("X0,1:\x03"));
}

TEST_CASE("escapes") {
  const std::string bytes = "a$b#c}d*e";
  CHECK(unescaped(escaped(bytes)) == bytes);
  PacketReader reader;
  feed(reader, framed(escaped(bytes)));
  CHECK(reader.next()->payload == bytes);
}

TEST_CASE("numbers and hexadecimal bytes") {
  CHECK(hex_number("4c000") == 0x4c000);
  CHECK_FALSE(hex_number(""));
  CHECK_FALSE(hex_number("4g"));
  CHECK_FALSE(hex_number("12345678123456789"));
  CHECK(from_hex("4142") == "AB");
  CHECK_FALSE(from_hex("414"));
  CHECK(to_hex(0x1234, 4) == "34120000");
  CHECK(hex_text(0) == "0");
}

TEST_CASE("threads by number, with processes and without") {
  CHECK(thread_text({3, 2}, true) == "p4.3");
  CHECK(parse_thread("p4.3", true)->tile == 3u);
  CHECK(parse_thread("p4.3", true)->context == 2u);
  CHECK_FALSE(parse_thread("p4.-1", true)->context);
  CHECK_FALSE(parse_thread("-1", true)->tile);
  CHECK(parse_thread(thread_text({5, 6}, false), false)->tile == 5u);
  CHECK(parse_thread(thread_text({5, 6}, false), false)->context == 6u);
  CHECK_FALSE(parse_thread("p1.9", true));
  CHECK_FALSE(parse_thread("px.1", true));
}

TEST_CASE("garbage of any kind leaves the reader able to read") {
  std::mt19937 random(1);
  PacketReader reader;
  for (int n = 0; n < 2000; ++n) {
    std::string bytes;
    for (unsigned i = random() % 60; i > 0; --i) bytes += "$#}*\x03+-0a\xff"[random() % 10];
    feed(reader, bytes);
  }
  feed(reader, std::string(3 * kPacketBytes, '$') + std::string(3 * kPacketBytes, 'a'));
  feed(reader, "#00#00" + framed("qC"));
  std::string last;
  while (const auto event = reader.next()) last = event->payload;
  CHECK(last == "qC");
}
