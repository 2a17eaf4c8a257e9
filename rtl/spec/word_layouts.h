// Words that software builds and hardware takes apart: FIELD(name, highest bit, lowest bit, meaning). The RTL's own
// slices are compared with these lines by tests/firmware/word_layouts_test.sh.
#pragma once

// An exchange event, 64 bits (docs/reference/exchange.md, Event lists).
#define TESSERA_EVENT_FIELDS(FIELD)                              \
  FIELD(last, 0, 0, "no further event")                          \
  FIELD(is_receive, 1, 1, "0 send, 1 receive")                   \
  FIELD(delay, 15, 4, "cycles after the event before, less one") \
  FIELD(address, 33, 16, "byte address / 4")                     \
  FIELD(count, 47, 34, "words; 0: a pure delay")                 \
  FIELD(source, 58, 48, "tile to receive from")

// Word 0 of a packet (docs/reference/edge.md, Packets).
#define TESSERA_PACKET_FIELDS(FIELD)                       \
  FIELD(kind, 31, 28, "1 write, 2 read, 3 response")       \
  FIELD(tile, 27, 17, "sender, or whom a response is for") \
  FIELD(words, 9, 0, "payload words")

#define TESSERA_PACKET_KINDS(KIND)         \
  KIND(write_host, 1, "write host memory") \
  KIND(read_host, 2, "read host memory")   \
  KIND(response, 3, "response to a read")

constexpr unsigned kMostPacketWords = 258, kMostPayloadWords = 256;
