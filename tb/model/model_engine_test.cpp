// State of the arithmetic extension on the model tile: weights, latches, random numbers, float control. What the units
// compute is tested beside them.
#include <catch2/catch.hpp>

#include "worker_run.h"

using namespace tessera;
using spec::Opcode;
using test::Program;
using test::WorkerRun;

namespace {

constexpr uint32_t kData = 0x90000;
constexpr uint64_t kOnes = 0x3c003c003c003c00;  // four f16
constexpr uint32_t kFour = 0x40800000;          // f32

uint64_t triple(uint32_t a0, uint32_t a1, uint32_t a2) {
  return uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
}

}  // namespace

TEST_CASE("A matrix step sees the weights of loads issued six cycles before it") {
  // The worker steps in every slot while the supervisor loads one weight after the other; each step adds the products
  // of phase 1 to its accumulators, so that it shows which weights it met.
  Program p;
  p.load_immediate(2, kData);
  p.load_immediate(1, WorkerRun::kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  for (int n = 0; n < 6; ++n) p.add(Opcode::Addi);
  for (int n = 0; n < 16; ++n) p.add(Opcode::Ld64putcs, {.rs1 = 2, .imm = 4 * n + 1});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Ebreak);
  WorkerRun run(p);
  for (uint32_t n = 0; n < 64; ++n) run.memory().write(kData + 8 * n, kOnes, 0xff);
  run.f(1) = kOnes;
  Program w = WorkerRun::worker();
  for (int n = 0; n < 8; ++n) w.add(Opcode::F16v4hihov4amp, {.rd = 2, .rs1 = 1, .rs2 = 0, .imm = 1});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == 1);
  std::vector<uint64_t> steps;
  std::array<uint64_t, 16> loads{};
  unsigned count = 0;
  for (const auto& r : run.records) {
    const auto opcode = spec::decode(r.instruction);
    if (opcode == Opcode::F16v4hihov4amp) steps.push_back(r.cycle);
    if (opcode == Opcode::Ld64putcs) loads[count++] = r.cycle;
  }
  REQUIRE(count == 16);
  REQUIRE(steps.front() < loads[0]);
  REQUIRE(steps.back() > loads[15] + 6);
  bool close = false;
  for (unsigned unit = 0; unit < 16; ++unit) {
    float expected = 0;
    for (const uint64_t step : steps) {
      if (step >= loads[unit] + 6) expected += 4;
      close = close || step == loads[unit] + 5 || step == loads[unit] + 6;
    }
    CHECK(std::bit_cast<float>(run.floats().engine.accumulators.a[unit]) == expected);
  }
  CHECK(close);  // the cycles were not all far from the border
}

TEST_CASE("A paced step works on the latches, then loads and stores them") {
  WorkerRun run;
  auto& engine = run.floats().engine;
  engine.x = kOnes;
  engine.r = 0x1234;
  engine.accumulators.s[0] = 0x3f800000;  // leaves as f16 1
  for (uint32_t unit = 0; unit < 16; ++unit) run.tile.state().weights.set_word(8 * unit + 2, 0x3c00);
  run.memory().write(kData, 77, 0xff);
  run.memory().write(kData + 8, 88, 0xff);
  run.f(1) = triple(kData, kData + 8, kData + 0x10000);
  Program w = WorkerRun::worker();
  const auto pace = [](bool x, bool p, bool r) {
    return spec::pace_immediate(
        {.phase = 1, .select_x = 0, .select_p = 0, .select_r = 0, .load_x = x, .load_p = p, .store_r = r});
  };
  w.add(Opcode::F16v4hihov4amppace, {.rs1 = 1, .imm = pace(true, true, true)});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == 1);
  CHECK(run.memory().read(kData + 0x10000) == 0x1234);  // the old R
  CHECK(engine.x == 77);
  CHECK(engine.p == 88);
  CHECK(engine.r == 0x3c00);
  CHECK(run.f(1) == triple(kData + 8, kData + 16, kData + 0x10008));
  CHECK(engine.accumulators.a[0] == 0x3f800000);  // one weight of 1 met an input of 1
  const auto record = run.retired()[0];
  CHECK((record.base_write && record.mem_write && !record.reg_write));
}

TEST_CASE("zacc clears accumulators and latches; a 128-bit load of weights fills two") {
  Program p;
  p.load_immediate(2, kData);
  p.add(Opcode::Ld128putcs, {.rs1 = 2, .imm = 3});
  const auto rest = WorkerRun::launcher();
  p.words.insert(p.words.end(), rest.words.begin(), rest.words.end());
  WorkerRun run(p);
  run.memory().write(kData + 48, 5, 0xff);
  run.memory().write(kData + 56, 6, 0xff);
  auto& engine = run.floats().engine;
  engine.x = engine.p = engine.r = 1;
  engine.accumulators.a[3] = engine.accumulators.s[15] = kFour;
  Program w = WorkerRun::worker();
  w.add(Opcode::Zacc);
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == 1);
  CHECK(engine == model::EngineState{});
  CHECK(run.tile.state().weights.word(12) == 5);
  CHECK(run.tile.state().weights.word(14) == 6);
  CHECK(run.tile.state().weights.word(10) == 0);
}

TEST_CASE("The generator is seeded at reset by the worker, by xprngseed and word by word; each draw advances it once") {
  WorkerRun run;
  for (unsigned worker = 0; worker < model::kWorkers; ++worker)
    CHECK(run.tile.state().floats[worker + 1].random == model::seeded(worker));
  run.x(1) = 0x1234;
  Program w = WorkerRun::worker();
  w.add(Opcode::Csrrw, {.rd = 0, .rs1 = 1, .imm = 0x80d - 0x1000});
  w.add(Opcode::Urand64, {.rd = 1});
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0x80c - 0x1000});
  w.add(Opcode::Urand32, {.rd = 0});
  w.add(Opcode::F32v2grand, {.rd = 2});
  w.add(Opcode::F32v2tof16, {.rd = 3, .rs1 = 1, .rm = 0});  // draws only when xfpctl says so
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == 1);
  auto expected = model::seeded(0x1234);
  CHECK(run.f(1) == model::peek(expected));
  model::advance(expected);
  CHECK(run.x(5) == expected.s1 >> 32);
  model::advance(expected);
  model::advance(expected);
  CHECK(run.floats().random == expected);
}

TEST_CASE("An instruction that excepts does not draw") {
  WorkerRun run;
  run.f(1) = 0x7f8000007f800000;  // infinities, whose difference is invalid
  run.f(2) = 0x7f800001;          // a signalling NaN
  Program w = WorkerRun::worker();
  w.add(Opcode::Csrrwi, {.rs1 = 9, .imm = 0x801 - 0x1000});  // invalid operations trap; rounding by chance
  w.add(Opcode::F32v2tof16, {.rd = 3, .rs1 = 1, .rm = 0});
  w.add(Opcode::F32v2tof16, {.rd = 3, .rs1 = 2, .rm = 0});
  run.run(w);
  REQUIRE(run.cause() == 5);
  auto expected = model::seeded(0);
  model::advance(expected);
  CHECK(run.floats().random == expected);
}

TEST_CASE("Workers inherit float control and f8 format; the repeat of an earlier run is forgotten") {
  Program p;
  p.load_immediate(2, 0x3003f);
  p.add(Opcode::Csrrw, {.rs1 = 2, .imm = 0x802 - 0x1000});
  p.load_immediate(2, 0xffffffff);
  p.add(Opcode::Csrrw, {.rs1 = 2, .imm = 0x80f - 0x1000});
  const auto rest = WorkerRun::launcher();
  p.words.insert(p.words.end(), rest.words.begin(), rest.words.end());
  WorkerRun run(p);
  run.floats().repeat = {WorkerRun::kWorker, WorkerRun::kWorker, 9};
  Program w = WorkerRun::worker();
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == 1);
  CHECK(run.retired().size() == 1);
  CHECK(run.floats().control == 0x3f);
  CHECK(run.floats().frm == 3);
  CHECK(run.floats().f8 == 0x3f03);
}
