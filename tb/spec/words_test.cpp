// Words against bits written down here by hand: what an instruction set simulator, a logic analyser or another driver
// would use.
#include <catch2/catch.hpp>
#include <cstdint>

#include "rtl/spec/register_use.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"

using namespace tessera::spec;

TEST_CASE("events, packet headers and debug words have their bits") {
  const ExchangeEvent event{
      .last = true, .is_receive = true, .delay = 0xabc, .word_address = 0x2a5a5, .count = 0x1234, .source = 0x5a5};
  const uint64_t bits =
      1 | 1 << 1 | 0xabcu << 4 | uint64_t{0x2a5a5} << 16 | uint64_t{0x1234} << 34 | uint64_t{0x5a5} << 48;
  CHECK(event.encode() == bits);
  CHECK(ExchangeEvent::decode(bits) == event);
  CHECK(ExchangeEvent::decode(bits | uint64_t{31} << 59) == event);  // reserved bits are passed over

  CHECK(PacketHeader{.words = 256, .tile = 0x5bf, .kind = PacketKind::kResponse}.encode() ==
        (3u << 28 | 0x5bf << 17 | 256));
  CHECK(PacketHeader::decode(0x2000'0000 | 7 << 17 | 1 << 16 | 5) == PacketHeader{.words = 5, .tile = 7, .kind = 2});
  CHECK(PacketHeader::decode(0x4000'0000 | 63 << 10 | 1) ==
        PacketHeader{.words = 1, .chip = 63, .kind = PacketKind::kWriteTile});

  CHECK(DebugSelect{.tile = kNoTile, .space = DebugSpace::kControl, .context_id = kAllContexts}.encode() ==
        (0x7ff | 4 << 16 | 7 << 20));
  CHECK(HostStatus{.running = true, .exception = true}.encode() == 5);
  CHECK(TileStatus::decode(0x1e5d) ==
        TileStatus{.cause = 13, .context_id = 5, .excepted = true, .requests = true, .sends = true, .idle = true});
  CHECK(SyncOperand{.zone = SyncZone::kInternal, .contributes = true}.encode() == 18);
}

TEST_CASE("words on the ports of tiles and fabric have their bits") {
  CHECK(SyncRequest{.value = true, .zone = SyncZone::kHost, .valid = true}.encode() == 0x29);
  CHECK(SyncAnswer{.mark = 0xbeef, .consensus = true, .zone = SyncZone::kHost, .ack = true}.encode() == 0x29beef);
  CHECK(TileSite{.in_pair = true, .select_latency = 11, .tile_id = 0x5bf}.encode() == (1 | 11 << 1 | 0x5bf << 7));
  CHECK(HostAccess{.wdata = 0x89abcdef, .address = 0x128, .write = true, .valid = true}.encode() == 0x3128'89abcdef);
  CHECK(PacketUp{.data = 5, .bad = true, .last = true, .valid = true}.encode() == 0x7'00000005);
  CHECK(PacketDown::decode(0x6'00000005) == PacketDown{.data = 5, .first = true, .valid = true});
  CHECK(ChannelWord::decode(0xc'00000005) == ChannelWord{.data = 5, .layer = true, .valid = true});
  CHECK(TilePacket{.data = 5, .first = true, .valid = true}.encode() == 0x3'00000005);
  CHECK(LinkSetup{.data = 5, .select = 64, .write = true, .chip = 63}.encode() == 0x3fc0'00000005);
  const TileDebug access{
      .wdata = 0x11, .address = 0x80022, .context_id = 7, .space = DebugSpace::kControl, .write = true};
  CHECK(access.encode() == std::array<uint32_t, 3>{0x11, 0x80022, 1 << 6 | 4 << 3 | 7});
}

TEST_CASE("an observe record lies in its 32-bit words") {
  const Observe record{.receive_data = 0x11,
                       .receive_address = 0x22,
                       .mem_data = 0x44444444'33333333,
                       .mem_address = 0x55,
                       .reg_data = 0x77777777'66666666,
                       .instruction = 0x88,
                       .pc = 0x99,
                       .mem_strobe = 0xf0,
                       .exception = 12,
                       .receive_double = true,
                       .flags = 0x15,
                       .reg_number = 21,
                       .context_id = 6,
                       .mem_write = true,
                       .reg_float = true,
                       .retire_valid = true,
                       .base_data = 0xbbbbbbbb'aaaaaaaa,
                       .pair_data = 0xdddddddd'cccccccc,
                       .base_number = 17,
                       .pair_write = true,
                       .packet_data = 0xee,
                       .packet_address = 0xff,
                       .receive_high = 0x11111111};
  const std::array<uint32_t, 18> words = {
      0x11,
      0x22,
      0x33333333,
      0x44444444,
      0x55,
      0x66666666,
      0x77777777,
      0x88,
      0x99,
      1u << 31 | 1 << 27 | 1 << 26 | 6 << 23 | 21 << 18 | 0x15 << 13 | 1 << 12 | 12 << 8 | 0xf0,
      0xaaaaaaaa,
      0xbbbbbbbb,
      0xcccccccc,
      0xdddddddd,
      1u << 31 | 17 << 24,
      0xee,
      0xff,
      0x11111111};
  CHECK(record.encode() == words);
  CHECK(Observe::decode(words.data()) == record);
}

TEST_CASE("a value that does not fit its field is refused by name") {
  CHECK_THROWS_WITH((PacketHeader{.words = 1024}.encode()), "PacketHeader::words: 1024 does not fit 10 bits");
  CHECK_THROWS_AS((ExchangeEvent{.delay = 4096}.encode()), std::out_of_range);
  CHECK(ExchangeEvent{.delay = 4095}.encode() == 0xfff0);
}

TEST_CASE("a field is changed alone") {
  CHECK(ExchangeEvent::Layout::source.with(~uint64_t{0}, 3) == (~uint64_t{0} & ~(uint64_t{0x7fc} << 48)));
  CHECK(ExchangeEvent::Layout::count.most() == 16383);
}

TEST_CASE("numbers have names") {
  CHECK(std::string(zone_name(SyncZone::kHost)) == "host");
  CHECK(std::string(zone_name(8)) == "unknown");
  CHECK(static_cast<unsigned>(DebugControl::kArmedEvent) == 11);
  CHECK(static_cast<unsigned>(kRegDebugSelect) == 0x120);
}

TEST_CASE("what instructions read, write and update") {
  const RegisterUse store = register_use(Opcode::Fsd);
  CHECK((store.reads_x1 && store.reads_f2 && !store.reads_x2 && !store.writes_x && !store.writes_f));
  CHECK(register_use(Opcode::Csrrw).reads_x1);
  CHECK_FALSE(register_use(Opcode::Csrrwi).reads_x1);  // the rs1 field is a number
  const RegisterUse pace = register_use(Opcode::Ld2x64pace);
  CHECK((pace.writes_f && pace.writes_pair && pace.updates_f && !pace.updates_x));
  CHECK(register_use(Opcode::Ld64step).updates_x);
}

TEST_CASE("loads and stores have the size of their name") {
  CHECK(access_bytes(Opcode::Lbu) == 1);
  CHECK(access_bytes(Opcode::Fsh) == 2);
  CHECK(access_bytes(Opcode::Lw) == 4);
  CHECK(access_bytes(Opcode::Fld) == 8);
  CHECK(access_bytes(Opcode::Ld128step) == 16);
  CHECK(access_bytes(Opcode::Ld16step) == 2);
  CHECK(access_bytes(Opcode::Add) == 0);
}
