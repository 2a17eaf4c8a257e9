// run_alone() does what step() in a loop does.
#include <catch2/catch.hpp>

#include "model_run.h"

using namespace tessera;
using spec::Opcode;
using test::ModelRun;
using test::Program;

namespace {

class Recorder : public chip::Observer {
 public:
  void retire(unsigned, const chip::Retire& r) override { records.push_back(r); }
  std::vector<chip::Retire> records;
};

// Six workers each in a loop of `count` rounds over loads, arithmetic, a float multiply-add and a store; then exit. The
// supervisor waits for them and syncs.
void load_loop(ModelRun& run, uint32_t count) {
  Program p;
  p.load_immediate(1, 0x4C400);
  p.load_immediate(2, 0x80000);
  p.add(Opcode::Runall, {.rs1 = 1, .rs2 = 2, .imm = 64});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Sync, {.imm = 2});
  p.add(Opcode::Ebreak);
  Program w;
  w.base = 0x4C400;
  w.add(Opcode::Csrrs, {.rd = 3, .rs1 = 0, .imm = 0xFC2 - 0x1000});
  w.load_immediate(4, count);
  const uint32_t loop = w.here();
  w.add(Opcode::Lw, {.rd = 5, .rs1 = 3, .imm = 0});
  w.add(Opcode::Flw, {.rd = 1, .rs1 = 3, .imm = 8});
  w.add(Opcode::Add, {.rd = 6, .rs1 = 5, .rs2 = 4});
  w.add(Opcode::FmaddS, {.rd = 2, .rs1 = 1, .rs2 = 1, .rs3 = 2});
  w.add(Opcode::Sw, {.rs1 = 3, .rs2 = 6, .imm = 0});
  w.add(Opcode::Addi, {.rd = 4, .rs1 = 4, .imm = -1});
  w.add(Opcode::Bne, {.rs1 = 4, .rs2 = 0, .imm = static_cast<int32_t>(loop - w.here())});
  w.add(Opcode::Exit, {.rs1 = 0});
  run.load(p);
  run.load(w);
  run.start(p.base);
}

}  // namespace

TEST_CASE("Running a tile alone gives the records and the cycle of stepping it") {
  ModelRun stepped({}), alone({});
  load_loop(stepped, 50);
  load_loop(alone, 50);
  Recorder recorder;
  const uint64_t end = alone.tile.run_alone(alone.in.cycle, 1000000, &recorder, 0, alone.out);
  while (!stepped.out.sync_request) stepped.step();
  CHECK(stepped.in.cycle == end);
  CHECK(alone.out.sync_request);
  REQUIRE(stepped.records.size() == recorder.records.size());
  REQUIRE(recorder.records.size() > 6 * 50 * 7);
  for (size_t n = 0; n < recorder.records.size(); ++n) {
    CHECK(stepped.records[n].cycle == recorder.records[n].cycle);
    CHECK(stepped.records[n].reg_data == recorder.records[n].reg_data);
  }
  CHECK(stepped.tile.state().memory.read_word(0x80000) == alone.tile.state().memory.read_word(0x80000));
}

TEST_CASE("Six workers finish a loop in the cycles that their slots give") {
  ModelRun run({});
  load_loop(run, 1000);
  const uint64_t end = run.tile.run_alone(run.in.cycle, ~uint64_t{0}, nullptr, 0, run.out);
  // runall issues in 15; worker 3 is the first to begin, in 21, and exits after two instructions and 1000 rounds of
  // seven. Six cycles later its slot is the supervisor's: the local sync issues there, the one of zone 2 in another
  // six, and after six more its request shows. All workers have exited by then.
  CHECK(end == 21 + 6 * (2 + 7 * 1000) + 6 + 6 + 6);
}
