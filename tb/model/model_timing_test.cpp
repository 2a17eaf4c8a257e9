// Issue cycles of the model, worked out by hand from docs/reference/tile.md.
#include <catch2/catch.hpp>

#include "model_run.h"

using namespace tessera;
using spec::Opcode;
using spec::SyncZone;
using test::ModelRun;
using test::Program;

namespace {

// Issue cycles of a context, in order.
std::vector<uint64_t> issues(const ModelRun& run, unsigned context) {
  std::vector<uint64_t> cycles;
  for (const auto& r : run.records)
    if (r.context == context) cycles.push_back(r.cycle);
  return cycles;
}

ModelRun started(const Program& program, uint64_t to) {
  ModelRun run(program);
  run.start(program.base);  // in cycle 0: fetch in 1, first issue in 2
  run.step_to(to);
  return run;
}

}  // namespace

TEST_CASE("Independent supervisor instructions issue one a cycle, dependent ones six apart") {
  Program p;
  p.add(Opcode::Addi, {.rd = 1, .rs1 = 0, .imm = 5});
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 0, .imm = 6});
  p.add(Opcode::Add, {.rd = 3, .rs1 = 1, .rs2 = 2});   // waits for x2
  p.add(Opcode::Addi, {.rd = 3, .rs1 = 0, .imm = 1});  // waits for x3: it writes it
  p.add(Opcode::Ebreak);                               // serialising
  const auto run = started(p, 60);
  CHECK(issues(run, 0) == std::vector<uint64_t>{2, 3, 9, 15, 21});
  CHECK(run.records[2].reg_data == 11);
  CHECK(run.out.exception);
  const auto e = run.tile.exception();
  CHECK(e.cause == 1);
  CHECK(e.cycle == 21);
  CHECK(e.pc == p.base + 16);
}

TEST_CASE("A supervisor branch costs six cycles, taken or not") {
  Program p;
  p.add(Opcode::Beq, {.rs1 = 0, .rs2 = 1, .imm = 8});  // taken
  p.add(Opcode::Ebreak);
  p.add(Opcode::Bne, {.rs1 = 0, .rs2 = 1, .imm = 8});  // not taken
  p.add(Opcode::FenceI);
  p.add(Opcode::Jal, {.rd = 1, .imm = 8});
  p.add(Opcode::Ebreak);
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  const auto run = started(p, 60);
  CHECK(issues(run, 0) == std::vector<uint64_t>{2, 8, 14, 20, 26, 32});
}

TEST_CASE("Serialising instructions stand six cycles off both sides; a divide holds seven slots") {
  Program p;
  p.load_immediate(1, 100);
  p.load_immediate(2, 7);
  p.add(Opcode::Div, {.rd = 3, .rs1 = 1, .rs2 = 2});
  p.add(Opcode::Addi, {.rd = 4, .rs1 = 0, .imm = 1});
  p.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xC00 - 0x1000});
  p.add(Opcode::Ebreak);
  const auto run = started(p, 90);
  // 2, 3; first pass of the divide in 9, last in 9 + 36 = 45; then 51; the CSR read in 57.
  CHECK(issues(run, 0) == std::vector<uint64_t>{2, 3, 45, 51, 57, 63});
  CHECK(run.x(0, 3) == 14);
  CHECK(run.x(0, 5) == 57);
}

TEST_CASE("A worker issues every six cycles from its first slot six cycles after the launch, branches for free") {
  Program p;
  p.load_immediate(1, 0x4C000 + 0x400);
  p.load_immediate(2, 0x80000);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Ebreak);
  Program w;
  w.base = 0x4C400;
  w.add(Opcode::Csrrs, {.rd = 3, .rs1 = 0, .imm = 0xFC2 - 0x1000});
  w.add(Opcode::Sw, {.rs1 = 3, .rs2 = 3, .imm = 8});
  w.add(Opcode::Jal, {.rd = 0, .imm = 8});
  w.add(Opcode::Ebreak);
  w.add(Opcode::Exit, {.rs1 = 3});
  ModelRun run(p);
  run.load(w);
  run.start(p.base);
  run.step_to(100);
  const auto supervisor = issues(run, 0);
  REQUIRE(supervisor.size() == 6);
  const uint64_t launch = supervisor[3];
  // lui, addi (waits for lui), lui, run, sync, ebreak
  CHECK(supervisor[0] == 2);
  CHECK(supervisor[1] == 8);
  CHECK(supervisor[2] == 9);
  CHECK(launch == 15);
  CHECK(supervisor[4] == 21);
  // Worker 0 owns slot 0; active from 21: 24, 30, 36, 42; inactive from 48, when ebreak issues.
  CHECK(issues(run, 1) == std::vector<uint64_t>{24, 30, 36, 42});
  CHECK(supervisor[5] == 48);
  CHECK(run.tile.state().memory.read_word(0x80008) == 0x80000);
}

TEST_CASE("All six workers suspend the supervisor, and a seventh run waits for the first exit") {
  Program p;
  p.load_immediate(1, 0x4D000);
  for (int n = 0; n < 6; ++n) p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Addi, {.rd = 3, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  Program w;
  w.base = 0x4D000;
  for (int n = 0; n < 9; ++n) w.add(Opcode::Addi, {.rd = 1, .rs1 = 1, .imm = 1});
  w.add(Opcode::Exit, {.rs1 = 0});
  ModelRun run(p);
  run.load(w);
  run.start(p.base);
  run.step_to(200);
  // The runs stand six apart and each once meets the slot of a worker that it launched itself: slot 2 in 26, 3 in 33
  // ...
  const auto supervisor = issues(run, 0);
  REQUIRE(supervisor.size() == 9);
  CHECK(std::vector<uint64_t>(supervisor.begin(), supervisor.begin() + 7) ==
        std::vector<uint64_t>{2, 8, 14, 20, 27, 34, 41});
  CHECK(issues(run, 1)[0] == 18);
  CHECK(issues(run, 1).back() == 18 + 54);
  // Worker 5 is active from 47, when the addi may issue; worker 0 is inactive from 78: the first free slot.
  CHECK(supervisor[7] == 78);
}

TEST_CASE("A fetch and a data access in one element and cycle clash; the record has no write") {
  Program p;
  p.load_immediate(1, 0x4C000);
  for (int n = 0; n < 5; ++n) p.add(Opcode::Addi);
  p.add(Opcode::Lw, {.rd = 5, .rs1 = 1, .imm = 0});
  for (int n = 0; n < 8; ++n) p.add(Opcode::Addi);
  const auto run = started(p, 60);
  REQUIRE(run.tile.exception().cause == 6);
  CHECK(run.tile.exception().value == 0x4C000);
  CHECK(run.records.back().exception == 6);
  CHECK(!run.records.back().reg_write);
  // The instructions issued after the load do not retire.
  CHECK(run.records.size() == 7);
  CHECK(run.out.idle);
}

TEST_CASE("The sync request shows six cycles after issue and falls the cycle after the acknowledgement") {
  Program p;
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 18});  // zone 2, contributes x0 != 0: false
  p.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC3 - 0x1000});
  p.add(Opcode::Ebreak);
  ModelRun run(p);
  run.start(p.base);
  run.step_to(7);
  CHECK(!run.out.sync_request);
  run.step();  // outputs of cycle 8 = issue 2 + 6
  CHECK(run.out.sync_request);
  CHECK(run.out.sync_zone == 2);
  CHECK(!run.out.sync_value);
  CHECK(run.out.idle);
  run.step_to(30);
  run.in.sync_ack = run.in.sync_consensus = true;
  run.in.sync_ack_zone = SyncZone::kInternal;
  run.step();
  run.in.sync_ack = false;
  CHECK(!run.out.sync_request);
  run.step_to(60);
  CHECK(issues(run, 0) == std::vector<uint64_t>{2, 31, 37});
  CHECK(run.x(0, 5) == 1);
}

TEST_CASE("sans takes part in syncs while the supervisor goes on, and before what it waits for") {
  Program p;
  p.add(Opcode::Sans, {.rs1 = 0, .imm = 1});
  for (unsigned r = 1; r <= 8; ++r) p.add(Opcode::Addi, {.rd = r, .rs1 = 0, .imm = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Ebreak);
  ModelRun run(p);
  run.start(p.base);
  const auto acknowledge = [&](uint64_t cycle) {
    run.step_to(cycle);
    run.in.sync_ack = true;
    run.in.sync_ack_zone = SyncZone::kInternal;
    run.step();
    run.in.sync_ack = false;
  };
  run.step_to(7);
  CHECK(!run.out.sync_request);
  run.step_to(8);
  CHECK((run.out.sync_request && run.out.sync_zone == 6 && run.out.sync_value && !run.out.idle));
  acknowledge(12);
  CHECK(!run.out.sync_request);
  run.step_to(14);
  CHECK((run.out.sync_request && run.out.sync_zone == 6));
  acknowledge(18);
  CHECK(!run.out.sync_request);
  run.step_to(21);
  CHECK(!run.out.sync_request);
  run.step_to(22);  // the sync issued in 16
  CHECK((run.out.sync_request && run.out.sync_zone == 2 && run.out.idle));
  acknowledge(40);
  run.step_to(80);
  CHECK(issues(run, 0) == std::vector<uint64_t>{2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 41});
}

TEST_CASE("With 128 automatic syncs outstanding a sans does not issue") {
  Program p;
  for (int n = 0; n < 20; ++n) p.add(Opcode::Sans, {.rs1 = 0, .imm = 15});
  ModelRun run(p);
  run.start(p.base);
  run.step_to(19);
  CHECK(!run.out.idle);
  run.step_to(20);
  CHECK((run.out.idle && run.out.sync_request && run.out.sync_zone == 6));
  CHECK(issues(run, 0).size() == 13);  // the eighth's sixteen are seen in 15
  CHECK(issues(run, 0).back() == 14);
  for (uint64_t cycle = 30; cycle < 192; cycle += 2) {  // 81 of 208
    run.step_to(cycle);
    run.in.sync_ack = true;
    run.in.sync_ack_zone = SyncZone::kInternal;
    run.step();
    run.in.sync_ack = false;
    CHECK(!run.out.sync_request);
  }
  run.step_to(200);
  CHECK(issues(run, 0).at(13) == 191);
}

TEST_CASE("A sans of more than 15 is an operand exception") {
  Program p;
  p.add(Opcode::Sans, {.rs1 = 0, .imm = 16});
  const auto run = started(p, 30);
  CHECK(run.tile.exception().cause == 9);
  CHECK(run.tile.exception().cycle == 2);
}

TEST_CASE("A jump out of region 0 raises pc at the target, with no instruction in the record") {
  Program p;
  p.load_immediate(1, 0x80000);
  p.add(Opcode::Jalr, {.rd = 0, .rs1 = 1, .imm = 0});
  const auto run = started(p, 60);
  CHECK(run.tile.exception().cause == 10);
  CHECK(run.tile.exception().pc == 0x80000);
  // lui 2, jalr 8, fetch in 13, issue in 14.
  CHECK(run.tile.exception().cycle == 14);
  CHECK(run.records.back().exception == 10);
  CHECK(run.records.back().instruction == 0);
}
