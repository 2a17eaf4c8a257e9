// Event lists on one tile: cycles of reads, ports, selects and writes (docs/reference/exchange.md, Event lists).
#include <catch2/catch.hpp>
#include <map>

#include "rtl/spec/causes.h"
#include "rtl/spec/words.h"
#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::SyncZone;

namespace {

constexpr uint32_t kEvents = 0x54000, kSend = 0x90000, kReceive = 0xA0000;
using tessera::spec::kNoTile;
constexpr uint64_t kPhase = 61;  // P: the acknowledgement is in cycle 60
constexpr uint64_t kWay = 12;    // from a receive event to its first word, in row 0
enum Cause { kBreak = 1, kConfig = 7, kExchange = 13, kParity = 14 };

uint64_t event(bool last, bool receive, uint32_t delay, uint32_t address, uint32_t count, uint32_t source = 0,
               uint32_t pair = 0) {
  return tessera::spec::ExchangeEvent{.last = last,
                                      .is_receive = receive,
                                      .pair = pair,
                                      .delay = delay,
                                      .word_address = address / 4,
                                      .count = count,
                                      .source = source}
      .encode();
}

struct Phase {
  TileRun tile;
  std::map<uint64_t, uint32_t> sent;               // port by cycle
  std::map<uint64_t, unsigned> selected;           // by cycle, when some tile is
  std::map<uint64_t, uint32_t> incoming, of_pair;  // what its register of words in holds, and that of its pair's
  std::map<uint64_t, uint32_t> for_pair;           // sent by the port of its pair
  uint64_t paired_from = 0, paired_to = 0;
  std::map<uint64_t, uint32_t> packets;  // and that of the packet port, the first of them a packet's first
  std::map<uint64_t, tessera::spec::Observe> written;  // records of words that ports wrote, by the cycle of the write
  uint64_t running_from = 0, running_to = 0;
  uint32_t list = kEvents;               // where the events are
  unsigned stores = 0;                   // of the supervisor from the phase's start on, into the element of kReceive
  uint32_t illegal_load = 0;             // a float load of the supervisor there, at the phase's start; 0: none
  std::map<uint32_t, uint32_t> flipped;  // bits of words of the memory, before it runs

  // One of a word for `address` comes, the word in `cycle`.
  void packet_comes(uint64_t cycle, uint32_t address, uint32_t word) {
    const uint32_t header =
        tessera::spec::PacketHeader{.words = 1, .tile = 5, .kind = tessera::spec::PacketKind::kResponse}.encode();
    packets = {{cycle - 2, header}, {cycle - 1, address}, {cycle, word}};
  }

  // sync zone 1 in the phase start cycle, then ebreak, then the list runs with this program.
  void run(const std::vector<uint64_t>& events, uint64_t to) {
    Program p;
    p.load_immediate(1, list);
    p.load_immediate(3, kReceive);
    if (illegal_load != 0) p.load_immediate(4, illegal_load);
    p.add(Opcode::Xarm, {.rs1 = 1});
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
    if (illegal_load != 0) p.add(Opcode::Flw, {.rd = 1, .rs1 = 4, .imm = 0});
    for (unsigned n = 0; n < stores; ++n) p.add(Opcode::Sw, {.rs1 = 3, .rs2 = 1, .imm = 64});
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 1});
    p.add(Opcode::Ebreak);
    tile.load(p);
    for (size_t i = 0; i < events.size(); ++i) {
      const auto at = list + 8 * static_cast<uint32_t>(i);
      tile.load(at, {static_cast<uint32_t>(events[i]), static_cast<uint32_t>(events[i] >> 32)});
    }
    for (uint32_t i = 0; i < 16; ++i) tile.write(0, 0, kSend + 4 * i, 0x1000 + i);
    for (const auto& [address, bits] : flipped) tile.flip(address, bits);
    tile.start(kCode);
    while (tile.cycle() < to) {
      const uint64_t now = tile.cycle();
      if (tile.top.exchange_valid_o) sent[now] = tile.top.exchange_data_o;
      if (tile.top.exchange_select_o != kNoTile) selected[now] = tile.top.exchange_select_o;
      if (tile.top.exchanging_o && running_from == 0) running_from = now;
      if (tile.top.exchanging_o) running_to = now;
      if (tile.top.pair_valid_o) for_pair[now] = tile.top.pair_data_o;
      if (tile.top.paired_o && paired_from == 0) paired_from = now;
      if (tile.top.paired_o) paired_to = now;
      const auto half = of_pair.find(now + 1);
      tile.top.pair_valid_i = half != of_pair.end();
      tile.top.pair_data_i = half != of_pair.end() ? half->second : 0;
      const auto word = incoming.find(now + 1);
      tile.top.exchange_valid_i = word != incoming.end();
      tile.top.exchange_data_i = word != incoming.end() ? word->second : 0;
      tile.answer({.zone = SyncZone::kInternal, .ack = now == kPhase - 1});
      const auto packet = packets.find(now + 1);
      tile.top.packet_valid_i = packet != packets.end();
      tile.top.packet_first_i = packet != packets.end() && packet == packets.begin();
      tile.top.packet_data_i = packet != packets.end() ? packet->second : 0;
      tile.step();
      const auto record = tessera::spec::Observe::decode(&tile.top.observe_o[0]);
      if (record.receive_valid || record.packet_valid) written[now] = record;
    }
  }
};

}  // namespace

TEST_CASE("A word of the exchange and one of a packet that come in one cycle are both told") {
  constexpr uint32_t kIn = 0x98000;
  Phase phase;
  phase.incoming = {{kPhase + kWay, 55}};
  phase.packet_comes(kPhase + kWay, kIn, 77);
  phase.run({event(true, true, 0, kReceive, 1, 3)}, 100);
  REQUIRE(phase.written.size() == 1);
  const auto& [cycle, record] = *phase.written.begin();
  CHECK(cycle == kPhase + kWay);
  CHECK((record.receive_valid && record.receive_address == kReceive && record.receive_data == 55));
  CHECK((record.packet_valid && record.packet_address == kIn && record.packet_data == 77));
  CHECK(phase.tile.word(kReceive) == 55);
  CHECK(phase.tile.word(kIn) == 77);
}

TEST_CASE("A send event puts word i on the port in S + i + 2; the next event counts from the one before") {
  Phase phase;
  phase.run({event(false, false, 5, kSend, 3), event(true, false, 2, kSend + 32, 1)}, 100);
  const uint64_t s = kPhase + 5, second = s + 1 + 2;  // second = s + count: the earliest
  CHECK(phase.sent ==
        std::map<uint64_t, uint32_t>{{s + 2, 0x1000}, {s + 3, 0x1001}, {s + 4, 0x1002}, {second + 2, 0x1008}});
  CHECK(phase.running_from == kPhase);
  CHECK(phase.running_to == second);
  // sync zone 1 issues in P, waits from P + 6 on: the sequencer is idle from second + 1 = P + 9.
  CHECK(phase.tile.records.back().cycle == second + 1);
  CHECK(phase.tile.cause() == kBreak);
}

TEST_CASE("A receive event selects from R + 1, takes word i in R + 12 + i, and is done in the cycle after the last") {
  Phase phase;
  const uint64_t r = kPhase;
  for (uint32_t i = 0; i < 5; ++i) phase.incoming[r + kWay + i] = 0x2000 + i;
  phase.run({event(false, true, 0, kReceive, 2, 9), event(true, true, 1, kReceive + 64, 3, 12)}, 100);
  CHECK(phase.selected == std::map<uint64_t, unsigned>{{r + 1, 9}, {r + 2, 9}, {r + 3, 12}, {r + 4, 12}, {r + 5, 12}});
  CHECK(phase.running_to == r + kWay + 4);
  CHECK(phase.tile.cause() == kBreak);
  CHECK(phase.tile.word(kReceive) == 0x2000);
  CHECK(phase.tile.word(kReceive + 4) == 0x2001);
  CHECK(phase.tile.word(kReceive + 64) == 0x2002);
  CHECK(phase.tile.word(kReceive + 72) == 0x2004);
}

TEST_CASE("Sending and receiving go on at once; an event without words is a delay") {
  Phase phase;
  const uint64_t r = kPhase, s = kPhase + 1 + 4 + 1;
  for (uint32_t i = 0; i < 8; ++i) phase.incoming[r + kWay + i] = i;
  phase.run({event(false, true, 0, kReceive, 8, 1), event(false, false, 4, 0, 0), event(true, false, 0, kSend, 2)},
            100);
  CHECK(phase.sent == std::map<uint64_t, uint32_t>{{s + 2, 0x1000}, {s + 3, 0x1001}});
  CHECK(phase.tile.word(kReceive + 28) == 7);
  CHECK(phase.tile.cause() == kBreak);
}

TEST_CASE("A word that nobody sent is an exchange exception in its cycle") {
  Phase phase;
  phase.incoming[kPhase + kWay] = 1;
  phase.run({event(true, true, 0, kReceive, 2, 1)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_pc() == 0);
  CHECK(phase.tile.exception_value() == kReceive + 4);
  CHECK(phase.tile.exception_cycle() == kPhase + kWay + 1);
  CHECK(phase.tile.word(kReceive) == 1);
}

TEST_CASE("A transfer begun before the last of its kind ends is a config exception") {
  Phase sends, receives;
  sends.run({event(false, false, 0, kSend, 3), event(true, false, 1, kSend + 32, 1)}, 100);
  CHECK(sends.tile.cause() == kConfig);
  CHECK(sends.tile.exception_value() == kSend + 32);
  CHECK(sends.tile.exception_cycle() == kPhase + 2);
  for (uint32_t i = 0; i < 4; ++i) receives.incoming[kPhase + kWay + i] = i;
  receives.run({event(false, true, 0, kReceive, 4, 1), event(true, true, 2, kReceive + 32, 1, 1)}, 100);
  CHECK(receives.tile.cause() == kConfig);
  CHECK(receives.tile.exception_cycle() == kPhase + 3);
}

TEST_CASE("Ports that meet in one element: the address of the first port is reported") {
  Phase phase;
  phase.run({event(false, false, 0, kEvents + 256, 3), event(true, false, 8, kSend, 1)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kEvents + 256);  // event 1 reads first, so the send is the one that meets it
  CHECK(phase.tile.exception_cycle() == kPhase);
}

TEST_CASE(
    "Of ports that read in one element and a received word that nobody sent, in one cycle, the first port is told") {
  Phase phase;
  phase.incoming[kPhase + kWay] = 1;
  phase.run({event(false, true, 0, kReceive, 2, 1), event(false, false, kWay, kEvents + 256, 2),
             event(true, false, 8, kSend, 1)},
            100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kEvents + 256);
  CHECK(phase.tile.exception_cycle() == kPhase + kWay + 1);
}

TEST_CASE("A word that is sent from the element of a fetch is a port clash") {
  Phase phase;
  phase.stores = 20;  // fetched one a cycle
  phase.run({event(true, false, 2, kCode + 0x800, 4)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kCode + 0x800);
  CHECK(phase.tile.exception_cycle() == kPhase + 2);
}

TEST_CASE(
    "A received word and one of a packet that come for one element in one cycle are a port clash, that of the packet") {
  constexpr uint32_t kIn = kReceive + 64;
  Phase phase;
  phase.incoming = {{kPhase + kWay, 55}};
  phase.packet_comes(kPhase + kWay, kIn, 77);
  phase.run({event(true, true, 0, kReceive, 1, 3)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kIn);
  CHECK(phase.tile.exception_cycle() == kPhase + kWay);
  CHECK(phase.tile.word(kReceive) == 55);
}

TEST_CASE("An event list that runs out of memory, and transfers outside it, are config exceptions") {
  Phase phase;
  phase.run({event(true, false, 3, 0xE7FFC, 2)}, 100);
  CHECK(phase.tile.cause() == kConfig);
  CHECK(phase.tile.exception_value() == 0xE8000);
  CHECK(phase.tile.exception_cycle() == kPhase + 4);
}

// The tile's id is 5: the lower of a pair, with 7.
TEST_CASE("A paired send puts the low word on the port and the high word on that of the pair") {
  Phase phase;
  phase.run({event(false, false, 2, kSend, 2, 0, 1), event(true, false, 1, kSend + 4, 1)}, 100);
  const uint64_t s = kPhase + 2;
  CHECK(phase.sent == std::map<uint64_t, uint32_t>{{s + 2, 0x1000}, {s + 3, 0x1002}, {s + 4, 0x1001}});
  CHECK(phase.for_pair == std::map<uint64_t, uint32_t>{{s + 2, 0x1001}, {s + 3, 0x1003}});
  CHECK(phase.tile.cause() == kBreak);
}

TEST_CASE("A paired receive writes both words in the cycle of the late half") {
  for (const bool early : {true, false}) {
    Phase phase;
    const uint64_t own = kPhase + kWay, other = early ? own + 1 : own - 1, last = early ? own + 1 : own;
    for (uint32_t i = 0; i < 3; ++i) {
      phase.incoming[own + i] = 0x100 + i;
      phase.of_pair[other + i] = 0x200 + i;
    }
    phase.run({event(true, true, 0, kReceive, 3, 9, early ? 1 : 2)}, 100);
    CHECK(phase.selected == std::map<uint64_t, unsigned>{{kPhase + 1, 9}, {kPhase + 2, 9}, {kPhase + 3, 9}});
    CHECK(phase.paired_from == kPhase + 1);
    CHECK(phase.paired_to == last + 2);
    CHECK(phase.running_to == last + 2);
    REQUIRE(phase.written.size() == 3);
    for (uint32_t i = 0; i < 3; ++i) {
      CHECK(phase.tile.word(kReceive + 8 * i) == 0x100 + i);
      CHECK(phase.tile.word(kReceive + 8 * i + 4) == 0x200 + i);
      const auto& record = phase.written.at(last + i);
      CHECK((record.receive_valid && record.receive_double));
      CHECK(record.receive_address == kReceive + 8 * i);
      CHECK((record.receive_data == 0x100 + i && record.receive_high == 0x200 + i));
    }
    CHECK(phase.tile.cause() == kBreak);
  }
}

TEST_CASE("A half that nobody sent is an exchange exception in the cycle of the late one") {
  Phase phase;
  phase.incoming = {{kPhase + kWay, 1}, {kPhase + kWay + 1, 2}};
  phase.of_pair = {{kPhase + kWay + 1, 3}};
  phase.run({event(true, true, 0, kReceive, 2, 9, 1)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kReceive + 8);
  CHECK(phase.tile.exception_cycle() == kPhase + kWay + 2);
}

TEST_CASE("A tile that lends its port selects and writes nothing") {
  Phase phase;
  phase.run({event(false, true, 0, 0, 3, 9, 3), event(true, true, 2, kReceive, 0)}, 100);
  CHECK(phase.selected == std::map<uint64_t, unsigned>{{kPhase + 1, 9}, {kPhase + 2, 9}, {kPhase + 3, 9}});
  CHECK(phase.written.empty());
  CHECK(phase.paired_from == 0);
  CHECK(phase.tile.cause() == kBreak);
}

TEST_CASE("A receive too soon behind an early one, an odd address and a part that there is not are exceptions config") {
  const std::vector<std::pair<std::vector<uint64_t>, uint32_t>> wrong = {
      {{event(false, true, 0, kReceive, 3, 9, 1), event(true, true, 2, kReceive + 64, 1, 9)}, kReceive + 64},
      {{event(true, true, 0, kReceive + 4, 1, 9, 2)}, kReceive + 4},
      {{event(true, false, 0, kSend + 4, 1, 0, 1)}, kSend + 4},
      {{event(true, false, 0, kSend, 1, 0, 2)}, kSend}};
  for (const auto& [events, address] : wrong) {
    Phase phase;
    phase.run(events, 100);
    CHECK(phase.tile.cause() == kConfig);
    CHECK(phase.tile.exception_value() == address);
  }
  Phase alone;  // in a machine without pairs
  alone.tile.stands(false);
  alone.run({event(true, false, 0, kSend, 1, 0, 1)}, 100);
  CHECK(alone.tile.cause() == kConfig);
  Phase early;
  early.tile.stands(false);
  early.run({event(true, true, 0, kReceive, 1, 9, 1)}, 100);
  CHECK(early.tile.cause() == kConfig);
  CHECK(early.tile.exception_value() == kReceive);
}

TEST_CASE(
    "An event or a word to be sent in which a bit has turned over is a parity exception two cycles behind its read") {
  const auto fault = [](uint32_t address, uint64_t event_word, uint32_t read_in) {
    Phase phase;
    phase.flipped = {{address, 0x80}};
    phase.run({event(false, false, 5, kSend, 3), event_word}, 100);
    CHECK(phase.tile.cause() == kParity);
    CHECK(phase.tile.exception_value() == address);
    CHECK(phase.tile.exception_cycle() == read_in);
    CHECK(phase.running_to <= read_in + 2);  // from the next cycle on nothing shows
    for (const auto& [cycle, word] : phase.sent) CHECK(cycle <= read_in + 2);
  };
  const uint64_t s = kPhase + 5;
  fault(kEvents + 12, event(true, false, 9, kSend + 32, 1), s);  // the second event, when the first executes
  fault(kSend + 8, event(true, false, 9, kSend + 32, 1), s + 2);
  fault(kSend + 32, event(true, false, 9, kSend + 32, 1), s + 10);
  Phase beside;  // of the double word only one is sent
  beside.flipped = {{kSend + 36, 0x80}};
  beside.run({event(true, false, 5, kSend + 32, 1)}, 100);
  CHECK(beside.tile.cause() == kBreak);
}

TEST_CASE("A word received in the cycle of a store into its element is a port clash: it is written, the store is not") {
  Phase phase;
  phase.incoming = {{kPhase + kWay, 55}};
  phase.stores = 20;
  phase.run({event(true, true, 0, kReceive, 1, 3)}, 100);
  CHECK(phase.tile.cause() == kExchange);
  CHECK(phase.tile.exception_value() == kReceive);
  CHECK(phase.tile.exception_cycle() == kPhase + kWay);
  CHECK(phase.tile.word(kReceive) == 55);
  Phase beside;  // its element is another's
  beside.incoming = {{kPhase + kWay, 55}};
  beside.stores = 20;
  beside.run({event(true, true, 0, kReceive + 8, 1, 3)}, 120);
  CHECK(beside.tile.cause() == kBreak);
  CHECK(beside.tile.word(kReceive + 8) == 55);
}

TEST_CASE("The last double word of an event list, and the last words sent and received, may be those of the memory") {
  constexpr uint32_t kEnd = 0xE8000;
  struct Case {
    uint32_t list, address, words;
    bool receive, last, fits;
  };
  for (const auto& [list, address, words, receive, last, fits] :
       std::initializer_list<Case>{{kEnd - 8, kSend, 1, false, true, true},
                                   {kEnd - 8, kSend, 1, false, false, false},
                                   {kEvents, kEnd - 4, 1, false, true, true},
                                   {kEvents, kEnd - 4, 2, false, true, false},
                                   {kEvents, kEnd - 4, 1, true, true, true},
                                   {kEvents, kEnd - 4, 2, true, true, false}}) {
    INFO("list " << list << ", " << words << " words at " << address << (receive ? " received" : " sent"));
    Phase phase;
    phase.list = list;
    for (uint32_t i = 0; i < words; ++i) phase.incoming[kPhase + kWay + i] = i;
    phase.run({event(last, receive, 0, address, words, 3)}, 120);
    CHECK(phase.tile.cause() == (fits ? kBreak : kConfig));
    if (!fits) CHECK(phase.tile.exception_value() == kEnd);
  }
}

TEST_CASE("While the sequencer runs no automatic sync is requested") {
  Program p;
  p.load_immediate(1, kEvents);
  p.add(Opcode::Xarm, {.rs1 = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Sans, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  const uint64_t send = event(true, false, 0, kSend, 30);
  tile.load(kEvents, {static_cast<uint32_t>(send), static_cast<uint32_t>(send >> 32)});
  tile.start(kCode);
  uint64_t asked = 0, ran = 0;
  while (!tile.top.exception_o && tile.cycle() < 200) {
    const uint64_t now = tile.cycle();
    if (tile.top.exchanging_o) ran = now;
    if (now > kPhase && tile.sync().valid && asked == 0) asked = now;
    if (tile.top.exchanging_o) CHECK_FALSE(tile.sync().valid);
    tile.answer({.zone = SyncZone::kInternal, .ack = now == kPhase - 1});
    tile.step();
  }
  CHECK(ran == kPhase + 29);
  CHECK(asked == ran + 1);
  CHECK(tile.cause() == kBreak);
}

TEST_CASE("An illegal load makes no access: it meets no word that is sent from its element") {
  constexpr uint32_t kElement = 0x60000;  // in region 0, apart from text and events
  Phase p;
  p.illegal_load = kElement + 0x800;
  p.run({event(true, false, 0, kElement, 60)}, 100);
  CHECK(p.tile.cause() == static_cast<unsigned>(tessera::spec::Cause::Illegal));
  CHECK(p.tile.exception_cycle() == kPhase);
  CHECK(p.sent.contains(kPhase + 2));  // it was sending
}
