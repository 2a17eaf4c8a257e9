// Two model chips as one: they agree with themselves, and a chip that was tampered with is found out.
#include "sim/engine/lockstep_chip.h"
#include "rtl/spec/words.h"

#include <catch2/catch.hpp>

#include "rtl/spec/machine.h"
#include "sim/engine/model_chip.h"
#include "tb/model/program.h"

using namespace tessera;
using spec::Opcode;

namespace {

class Memory : public chip::HostBus {  // the host's
 public:
  std::vector<uint32_t> written;
  void write(uint64_t, uint32_t, std::span<const uint32_t> words) override {
    written.insert(written.end(), words.begin(), words.end());
  }
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override {
    for (auto& word : words) word = ++address;
    return cycle + 500;
  }
};

constexpr uint32_t kPacket = 0x60000, kData = 0x90000;

// Waits for the host, reads two words from it, sends one of them back, stops.
test::Program program() {
  test::Program p;
  p.add(Opcode::Sync, {.imm = 3});
  p.load_immediate(1, kPacket);
  p.load_immediate(2, spec::PacketHeader{.words = 2, .kind = spec::PacketKind::kReadHost}.encode());
  p.add(Opcode::Csrrs, {.rd = 3, .rs1 = 0, .imm = 0xFC0});
  p.add(Opcode::Slli, {.rd = 3, .rs1 = 3, .imm = 17});
  p.add(Opcode::Or, {.rd = 2, .rs1 = 2, .rs2 = 3});
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 2, .imm = 0});
  p.load_immediate(4, kData);
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 4, .imm = 8});
  p.add(Opcode::Csrrwi, {.rd = 0, .rs1 = 2, .imm = 0x804});
  p.load_immediate(5, 3);
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 5});
  p.add(Opcode::Sync, {.imm = 5});
  p.add(Opcode::Lw, {.rd = 6, .rs1 = 4, .imm = 4});
  p.load_immediate(2, spec::PacketHeader{.words = 1, .kind = spec::PacketKind::kWriteHost}.encode());
  p.add(Opcode::Or, {.rd = 2, .rs1 = 2, .rs2 = 3});
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 2, .imm = 0});
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 6, .imm = 8});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 5});
  p.add(Opcode::Trap, {.imm = 5});
  return p;
}

struct Pair {
  Pair() {
    auto left = chip::make_model_chip(spec::load_machine("mk2-4"));
    auto right = chip::make_model_chip(spec::load_machine("mk2-4"));
    one = left.get();
    other = right.get();
    chip = chip::make_lockstep_chip(std::move(left), std::move(right), {"left", "right"});
    chip->attach(&host);
    chip->load(chip::kNoTile, 0x4C000, program().words);
  }
  void start() { chip->debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, 0x4C000); }
  Memory host;
  std::unique_ptr<chip::Chip> chip;
  chip::Chip *one, *other;
};

}  // namespace

TEST_CASE("Two equal chips run as one, and the host sees each transfer once") {
  Pair pair;
  pair.start();
  const auto stop = pair.chip->run(1'000'000, 0);
  CHECK(stop.reason == chip::StopReason::kException);
  CHECK(pair.chip->exception(3).cause == 2);
  CHECK(pair.chip->memory_hash() == pair.other->memory_hash());
  CHECK(pair.host.written == std::vector<uint32_t>{2, 2, 2, 2});
}

TEST_CASE("A chip whose memory was changed is found out at the first record that shows it") {
  Pair pair;
  // Another value in tile 2 of the right chip; the left one gets a debug write as well, which takes its cycle.
  const uint32_t address = 0x4C000 + 4;
  const uint32_t other = spec::encode(Opcode::Lui, {.rd = 1, .imm = 0x61000});
  pair.one->debug_write(2, chip::DebugSpace::kMemory, 0, address, program().words[1]);
  pair.other->debug_write(2, chip::DebugSpace::kMemory, 0, address, other);
  pair.start();
  std::string report;
  try {
    pair.chip->run(1'000'000, 0);
  } catch (const chip::LockstepDifference& difference) {
    report = difference.what();
  }
  CHECK(report.find("tile 2 differs in superstep 0") != std::string::npos);
  CHECK(report.find("ra = 0x61000") != std::string::npos);
}
