// No tile keeps the exchange block from others (docs/reference/edge.md, Packets): one excepts, or is started anew, in
// any cycle from before its request to behind its last word; the others' packets come to the host, on the engine's
// fabric and on the RTL's alike.
#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <vector>

#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/model/tile.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;
using chip::FabricChoice;
using chip::StopReason;
using Op = TileProgram::Op;

namespace {

constexpr uint64_t kLimit = 1'000'000;
constexpr unsigned kBroken = 1, kWritten = 20;

using Engine = chip::ChipEngine<model::ModelTile>;

// Each tile writes kWritten words to host memory and reads them back. A worker of tile kBroken traps after so many
// turns of a loop, if any.
ChipProgram packets_program(const spec::Machine& m, uint32_t turns) {
  ChipProgram tiles(m.tiles(), TileProgram(Places(m)));
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    const uint32_t host = 0x1000 * (t + 1);
    p.data(p.places().sent,
           {spec::PacketHeader{.words = kWritten, .tile = t, .kind = spec::PacketKind::kWriteHost}.encode(), host});
    for (unsigned i = 0; i < kWritten; ++i) p.data(p.places().sent + 8 + 4 * i, sent_word(t, i));
    p.data(p.places().result,
           {spec::PacketHeader{.words = kWritten, .tile = t, .kind = spec::PacketKind::kReadHost}.encode(), host,
            p.places().received});
    p.add(Op::Jal, {.rd = 0, .imm = 4 * 6});
    const uint32_t entry = p.here();
    p.delay(turns);
    p.trap(1);
    p.sync(3);
    if (t == kBroken && turns != 0) {
      p.li(10, entry);
      p.li(11, p.places().sent);
      p.add(Op::Run, {.rs1 = 10, .rs2 = 11});
    }
    p.li(9, kWritten);
    p.csr_write(spec::Csr::Xcount, 9);
    p.hsend(p.places().sent, kWritten + 2);
    p.hsend(p.places().result, 3);
    p.sync(5);
    p.sync(2);
    p.trap(2);
  }
  return tiles;
}

struct End {
  StopReason reason;
  uint64_t cycle, memory;
  std::vector<uint64_t> packets;  // cycles at the host
  std::vector<uint32_t> host;
  bool operator==(const End&) const = default;
};

// Tile kBroken is started anew in cycle `start` behind the first, where one is given.
End run(FabricChoice fabric, const spec::Machine& m, const ChipProgram& program, uint64_t start) {
  Engine chip(m);
  if (auto pins = chip::make_fabric_pins(fabric, m)) chip.use_fabric(std::move(pins));
  HostMemory host(m);
  chip.attach(&host);
  load_and_start(chip, program);
  if (start != 0) {
    chip.run(chip.cycle() + start, 0);
    chip.debug_write(kBroken, DebugSpace::kControl, 0, spec::DebugControl::kStart, program[kBroken].places().code);
  }
  const chip::Stop stop = chip.run(kLimit, 0);
  End end{stop.reason, stop.cycle, chip.memory_hash(), host.cycles(), {}};
  for (unsigned t = 0; t < m.tiles(); ++t)
    for (unsigned i = 0; i < kWritten; ++i) end.host.push_back(host.word(0x1000 * (t + 1) + 4 * i));
  return end;
}

// What the others have written is there, and that of the broken tile wholly or not at all. Returns whether it is.
bool check_host(const End& end, const spec::Machine& m) {
  const bool written = end.host[kBroken * kWritten] != 0;
  for (unsigned t = 0; t < m.tiles(); ++t)
    for (unsigned i = 0; i < kWritten; ++i)
      CHECK(end.host[t * kWritten + i] == (t != kBroken || written ? sent_word(t, i) : 0));
  return written;
}

}  // namespace

TEST_CASE("a tile that excepts before, in or behind its packet keeps no other from the host") {
  const auto m = spec::load_machine("mk2-4");
  std::map<bool, unsigned> written;
  std::map<size_t, unsigned> packets;
  for (uint32_t turns = 1; turns < 70; ++turns) {
    INFO("after " << turns << " turns");
    const ChipProgram program = packets_program(m, turns);
    const End engine = run(FabricChoice::kEngine, m, program, 0), rtl = run(FabricChoice::kRtl, m, program, 0);
    CHECK((engine == rtl));
    CHECK(engine.reason == StopReason::kException);
    ++written[check_host(engine, m)];
    ++packets[engine.packets.size()];
  }
  CHECK(written[false] > 5);
  CHECK(written[true] > 5);
  CHECK(packets[2 * m.tiles() - 2] > 5);  // nothing of it
  CHECK(packets[2 * m.tiles() - 1] > 2);  // the write
  CHECK(packets[2 * m.tiles()] > 5);      // the read as well
}

TEST_CASE("a tile that is started anew before, in or behind its packet keeps no other from the host") {
  const auto m = spec::load_machine("mk2-4");
  std::map<bool, unsigned> written;
  const ChipProgram program = packets_program(m, 0);
  for (uint64_t start = 1; start < 900; start += 7) {
    INFO("started in cycle " << start);
    const End engine = run(FabricChoice::kEngine, m, program, start), rtl = run(FabricChoice::kRtl, m, program, start);
    CHECK((engine == rtl));
    const bool whole = check_host(engine, m);
    // Before the external sync is over the tile takes part in it again.
    if (start > m.external_request + m.external_acknowledge + 20) {
      CHECK(engine.reason == StopReason::kDeadlock);
      ++written[whole];
    }
  }
  CHECK(written[false] > 5);
  CHECK(written[true] > 5);
}
