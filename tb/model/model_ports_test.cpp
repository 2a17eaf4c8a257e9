// Cycles of the model's exchange sequencer and packet port, worked out by hand from docs/reference/{exchange,edge}.md.
#include <catch2/catch.hpp>
#include <map>

#include "model_run.h"
#include "rtl/spec/words.h"

using namespace tessera;
using spec::Opcode;
using spec::SyncZone;
using test::ModelRun;
using test::Program;

namespace {

constexpr uint32_t kList = 0x5C000, kSend = 0x60000, kReceive = 0x64000;
constexpr uint64_t kWay = 12;  // from a receive event to its first word, in row 0

uint64_t event(bool last, bool receive, uint32_t delay, uint32_t address, uint32_t count, uint32_t source) {
  return spec::ExchangeEvent{.last = last,
                             .is_receive = receive,
                             .delay = delay,
                             .word_address = address / 4,
                             .count = count,
                             .source = source}
      .encode();
}

// xarm, sync 2, sync 1, ebreak, with the given list; stepped up to the acknowledgement, which is in cycle `ack`.
struct Phase {
  explicit Phase(const std::vector<uint64_t>& list, uint64_t ack) : run(program()) {
    for (size_t n = 0; n < list.size(); ++n)
      run.tile.state().memory.write(kList + 8 * static_cast<uint32_t>(n), list[n], 0xff);
    for (uint32_t n = 0; n < 16; ++n) run.tile.state().memory.write_word(kSend + 4 * n, 0xA0 + n);
    run.start(0x4C000);
    run.step_to(ack);
    run.in.sync_ack = true;
    run.in.sync_ack_zone = SyncZone::kInternal;
    run.step();
    run.in.sync_ack = false;
    phase_start = ack + 1;
  }
  static Program program() {
    Program p;
    p.load_immediate(1, kList);
    p.add(Opcode::Xarm, {.rs1 = 1});
    p.add(Opcode::Sync, {.imm = 2});
    p.add(Opcode::Sync, {.imm = 1});
    p.add(Opcode::Ebreak);
    return p;
  }
  ModelRun run;
  uint64_t phase_start;
};

}  // namespace

TEST_CASE("A send is on the port two cycles after each read, and the sequencer is idle after the last read") {
  Phase phase({event(false, false, 3, kSend, 2, 0), event(true, false, 4, kSend + 8, 3, 0)}, 40);
  auto& run = phase.run;
  const uint64_t p = phase.phase_start;
  CHECK(run.out.exchanging);
  std::map<uint64_t, uint32_t> shown;  // by cycle
  uint64_t exchanging_until = 0;
  while (run.in.cycle < p + 40) {
    if (run.out.exchange_valid) shown[run.in.cycle] = run.out.exchange_data;
    if (run.out.exchanging) exchanging_until = run.in.cycle;
    run.step();
  }
  // Events in P + 3 and P + 3 + 1 + 4.
  const std::map<uint64_t, uint32_t> expected = {
      {p + 5, 0xA0}, {p + 6, 0xA1}, {p + 10, 0xA2}, {p + 11, 0xA3}, {p + 12, 0xA4}};
  CHECK(shown == expected);
  CHECK(exchanging_until == p + 10);
  // sync 1 issues in P; ebreak when the sequencer is idle, in P + 11.
  CHECK(run.tile.exception().cause == 1);
  CHECK(run.tile.exception().cycle == p + 11);
}

TEST_CASE("A receive selects its source from the cycle after, and writes each word in the cycle it comes") {
  Phase phase({event(false, true, 0, kReceive, 2, 5), event(true, true, 1, kReceive + 8, 1, 9)}, 40);
  auto& run = phase.run;
  const uint64_t p = phase.phase_start;
  std::map<uint64_t, unsigned> selected;
  while (run.in.cycle < p + 20) {
    if (run.out.exchange_select != chip::kNoTile) selected[run.in.cycle] = run.out.exchange_select;
    const uint64_t in_register = run.in.cycle + 1;
    run.in.exchange_valid = in_register >= p + kWay && in_register < p + kWay + 3;
    run.in.exchange_data = 0x100 + static_cast<uint32_t>(in_register - p);
    run.step();
  }
  CHECK(selected == std::map<uint64_t, unsigned>{{p + 1, 5}, {p + 2, 5}, {p + 3, 9}});
  REQUIRE(run.port_writes.size() == 3);
  for (uint32_t n = 0; n < 3; ++n) {
    CHECK(run.port_writes[n].cycle == p + kWay + n);
    CHECK(run.port_writes[n].address == kReceive + 4 * n);
    CHECK(run.port_writes[n].data == 0x100 + kWay + n);
  }
  // The last write is in P + 14, and the sequencer idle from the cycle after it.
  run.step_to(p + 30);
  CHECK(run.tile.exception().cause == 1);
  CHECK(run.tile.exception().cycle == p + kWay + 3);
}

TEST_CASE("A word of the exchange and one of a packet that come in one cycle are both told") {
  Phase phase({event(true, true, 0, kReceive, 1, 5)}, 40);
  auto& run = phase.run;
  const uint64_t p = phase.phase_start;
  const uint32_t header = spec::PacketHeader{.words = 1, .tile = 0, .kind = spec::PacketKind::kResponse}.encode();
  run.step_to(p + kWay - 3);
  for (const uint32_t word : {header, uint32_t{0x90000}, uint32_t{77}}) {
    run.in.packet_valid = true;
    run.in.packet_first = word == header;
    run.in.packet_data = word;
    run.in.exchange_valid = run.in.cycle + 1 == p + kWay;
    run.in.exchange_data = 55;
    run.step();
  }
  run.step();
  REQUIRE(run.port_writes.size() == 2);
  for (const chip::PortWrite& write : run.port_writes) {
    CHECK(write.cycle == p + kWay);
    CHECK(write.address == (write.packet ? 0x90000 : kReceive));
    CHECK(write.data == (write.packet ? 77 : 55));
  }
  CHECK(run.port_writes[0].packet != run.port_writes[1].packet);
}

TEST_CASE("A word that nobody sent is an exchange exception with its address") {
  Phase phase({event(true, true, 0, kReceive, 2, 5)}, 40);
  auto& run = phase.run;
  run.step_to(phase.phase_start + 20);
  CHECK(run.tile.exception().cause == 13);
  CHECK(run.tile.exception().value == kReceive);
  CHECK(run.tile.exception().cycle == phase.phase_start + kWay);
  CHECK(run.port_writes.empty());
}

TEST_CASE("A send before the last is over is a config exception") {
  Phase phase({event(false, false, 0, kSend, 3, 0), event(true, false, 1, kSend, 3, 0)}, 40);
  phase.run.step_to(phase.phase_start + 10);
  CHECK(phase.run.tile.exception().cause == 7);
  CHECK(phase.run.tile.exception().cycle == phase.phase_start + 2);
}

TEST_CASE("hsend: request six cycles after issue, words two cycles after their reads, next issue after the last") {
  Program p;
  p.add(Opcode::Sync, {.imm = 3});
  p.load_immediate(1, kSend);
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 0, .imm = 3});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Ebreak);
  ModelRun run(p);
  for (uint32_t n = 0; n < 4; ++n) run.tile.state().memory.write_word(kSend + 4 * n, 0xB0 + n);
  run.start(p.base);
  run.step_to(20);
  run.in.sync_ack = true;
  run.in.sync_ack_zone = SyncZone::kExternal;
  run.step();
  run.in.sync_ack = false;
  // lui 21, addi 22, hsend 28: request from 34.
  run.step_to(33);
  CHECK(!run.out.packet_request);
  run.step();
  CHECK(run.out.packet_request);
  CHECK(run.out.idle);
  run.step_to(50);
  run.in.packet_grant = true;  // G = 50
  run.step();
  run.in.packet_grant = false;
  CHECK(!run.out.packet_request);
  std::map<uint64_t, uint32_t> shown;
  uint64_t last = 0;
  while (run.in.cycle < 70) {
    if (run.out.packet_valid) shown[run.in.cycle] = run.out.packet_data;
    if (run.out.packet_last) last = run.in.cycle;
    run.step();
  }
  CHECK(shown == std::map<uint64_t, uint32_t>{{53, 0xB0}, {54, 0xB1}, {55, 0xB2}});
  CHECK(last == 55);
  CHECK(run.tile.exception().cause == 1);
  CHECK(run.tile.exception().cycle == 54);  // G + 1 + 3
}

TEST_CASE("A read response is written in the cycle behind its arrival and counts down xcount") {
  Program p;
  p.add(Opcode::Csrrwi, {.rd = 0, .rs1 = 2, .imm = static_cast<int32_t>(spec::Csr::Xcount) - 0x1000});
  p.add(Opcode::Sync, {.imm = 5});
  p.add(Opcode::Ebreak);
  ModelRun run(p);
  run.start(p.base);
  run.step_to(40);
  const auto response = [](uint32_t words, uint32_t tile) {
    return spec::PacketHeader{.words = words, .tile = tile, .kind = spec::PacketKind::kResponse}.encode();
  };
  const uint32_t other[] = {response(1, 7), 0x90000, 5}, mine[] = {response(2, 0), 0x90000, 11, 12};
  const auto send = [&run](const uint32_t* words, int count) {
    for (int n = 0; n < count; ++n) {
      run.in.packet_valid = true;
      run.in.packet_first = n == 0;
      run.in.packet_data = words[n];
      run.step();
    }
    run.in.packet_valid = false;
  };
  send(other, 3);
  CHECK(run.port_writes.empty());
  send(mine, 4);
  run.step();
  REQUIRE(run.port_writes.size() == 2);
  CHECK(run.port_writes[0].cycle == 46);
  CHECK(run.port_writes[1].address == 0x90004);
  CHECK(run.port_writes[1].data == 12);
  run.step_to(60);
  // xcount is zero from 48.
  CHECK(run.tile.exception().cycle == 48);
}
