// Loads come back from a trace with the addresses that they read.
#include "inspect/trace/reads.h"

#include <catch2/catch.hpp>

#include "inspect/trace/recorder.h"
#include "inspect/trace/touches.h"
#include "inspect/trace/trace_reader.h"
#include "rtl/spec/instructions.h"
#include "sim/port/flip.h"
#include "synthetic_run.h"

namespace tessera::inspect::trace {
namespace {

using spec::Opcode;

constexpr unsigned kTile = 1, kWorker = 3;

uint32_t word(Opcode opcode, const spec::Operands& operands) { return spec::encode(opcode, operands); }

// Records of one worker, one every six cycles.
class Worker {
 public:
  chip::Retire& add(uint32_t instruction) {
    chip::Retire r;
    r.valid = true;
    r.cycle = 6 * records.size();
    r.context = kWorker;
    r.pc = 0x4c000 + 4 * (static_cast<uint32_t>(records.size()) % 40);
    r.instruction = instruction;
    records.push_back(r);
    return records.back();
  }
  void set(unsigned number, uint32_t value) {
    chip::Retire& r = add(word(Opcode::Addi, {.rd = number, .rs1 = 0, .imm = 1}));
    r.reg_write = true;
    r.reg = static_cast<uint8_t>(number);
    r.reg_data = value;
  }
  void set_float(unsigned number, uint64_t value) {
    chip::Retire& r = add(word(Opcode::FmvWX, {.rd = number, .rs1 = 0}));
    r.reg_write = r.reg_float = true;
    r.reg = static_cast<uint8_t>(number);
    r.reg_data = value;
  }
  void load(unsigned base, int32_t offset) { add(word(Opcode::Lw, {.rd = 5, .rs1 = base, .imm = offset})); }

  // What a trace of them says: of each record its reads.
  std::vector<std::vector<Touch>> traced(bool from_reset, bool registers, const std::vector<chip::Flip>& faults = {}) {
    TemporaryFile file;
    RecorderOptions options;
    options.path = file.path;
    options.registers = registers;
    options.block_events = 64;
    Recorder recorder(options, spec::load_machine("mk2-4"));
    if (from_reset) recorder.program_changed({});
    for (const chip::Retire& r : records) {
      if (&r == &records.back())
        for (const chip::Flip& flip : faults) recorder.flipped(r.cycle, flip);
      recorder.retire(kTile, r);
      if (r.cycle % 60 == 0) recorder.stands_at(r.cycle);
    }
    recorder.stands_at(records.back().cycle + 1);
    recorder.finish();
    std::vector<std::vector<Touch>> reads;
    TraceReader reader(file.path);
    reader.read(0, {}, [&](const Event& e) {
      if (e.kind == EventKind::kRetire) reads.push_back(touches(e));
    });
    return reads;
  }

  std::vector<chip::Retire> records;
};

void check_read(const std::vector<Touch>& touched, size_t n, uint32_t address, uint32_t bytes) {
  REQUIRE(touched.size() > n);
  CHECK(touched[n].address == address);
  CHECK(touched[n].bytes == bytes);
  CHECK_FALSE(touched[n].write);
}

TEST_CASE("loads have the address that their register says") {
  for (const bool registers : {false, true}) {
    Worker worker;
    worker.set(11, 0x50000);
    worker.load(11, 8);
    worker.load(11, -4);
    chip::Retire& step = worker.add(word(Opcode::Ld64step, {.rd = 4, .rs1 = 11, .imm = 16}));
    step.base_write = step.reg_write = step.reg_float = true;
    step.reg = 4, step.base = 11, step.base_data = 0x50010;
    worker.load(11, 0);
    const auto read = worker.traced(true, registers);
    REQUIRE(read.size() == 5);
    CHECK(read[0].empty());
    check_read(read[1], 0, 0x50008, 4);
    check_read(read[2], 0, 0x4fffc, 4);
    check_read(read[3], 0, 0x50000, 8);
    check_read(read[4], 0, 0x50010, 4);
  }
}

TEST_CASE("paced loads have both addresses beside that of their store") {
  Worker worker;
  worker.set_float(8, 0x50000u / 8 | uint64_t{0x60008 / 8} << 21 | uint64_t{0x70010 / 8} << 42);
  chip::Retire& both = worker.add(word(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = 8, .rs2 = 2}));
  both.mem_write = true;
  both.mem_address = 0x70010, both.mem_strobe = 0xff, both.mem_data = 7;
  worker.add(word(Opcode::Ldst64pace, {.rd = 4, .rs1 = 8, .rs2 = 2}));
  const auto read = worker.traced(true, false);
  REQUIRE(read.size() == 3);
  check_read(read[1], 0, 0x50000, 8);
  check_read(read[1], 1, 0x60008, 8);
  REQUIRE(read[1].size() == 3);
  CHECK(read[1][2].write);
  CHECK(read[1][2].address == 0x70010);
  check_read(read[2], 0, 0x50000, 8);
  CHECK(read[2].size() == 1);
}

TEST_CASE("a load by a register that nobody has seen written has no address") {
  Worker worker;
  worker.load(11, 8);
  worker.set(11, 0x50000);
  worker.load(11, 8);
  const auto joined = worker.traced(false, false), whole = worker.traced(true, false);
  CHECK(joined.at(0).empty());
  check_read(joined.at(2), 0, 0x50008, 4);
  check_read(whole.at(0), 0, 8, 4);  // zero after the reset
}

TEST_CASE("a fault in a register moves the loads by it") {
  Worker worker;
  worker.set(11, 0x50000);
  worker.load(11, 8);
  worker.load(11, 8);
  chip::Flip flip;
  flip.site = chip::FlipSite::kInteger;
  flip.tile = kTile, flip.context = kWorker, flip.address = 11, flip.mask = 0x400;
  const auto read = worker.traced(true, false, {flip});
  check_read(read.at(1), 0, 0x50008, 4);
  check_read(read.at(2), 0, 0x50408, 4);
}

TEST_CASE("any walk of addresses comes back") {
  for (const bool registers : {false, true}) {
    Worker worker;
    std::vector<uint32_t> expected;
    uint64_t state = seed_of_test(41);
    uint32_t base = 0x50000;
    for (unsigned i = 0; i < 3000; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      base = state >> 60 == 0 ? 0x50000 + static_cast<uint32_t>(state >> 40) % 4096 * 4 : base + 4;
      worker.set(11, base);
      const int32_t offset = static_cast<int32_t>(state >> 35 & 7) * 4 * (state >> 33 & 1 ? 1 : 0);
      worker.load(11, offset);
      expected.push_back(base + static_cast<uint32_t>(offset));
    }
    const auto read = worker.traced(true, registers);
    REQUIRE(read.size() == 2 * expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO("load " << i);
      REQUIRE(read[2 * i + 1].size() == 1);
      REQUIRE(read[2 * i + 1][0].address == expected[i]);
    }
  }
}

}  // namespace
}  // namespace tessera::inspect::trace
