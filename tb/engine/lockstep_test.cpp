// The comparison itself: equal streams in any interleaving, and what a difference says.
#include "sim/engine/lockstep.h"

#include <catch2/catch.hpp>

#include "rtl/spec/instructions.h"

using namespace tessera;
using chip::Lockstep;
using chip::PortWrite;
using chip::Retire;

namespace {

Retire addi(uint64_t cycle, uint32_t pc, uint32_t value) {
  Retire r;
  r.valid = true;
  r.cycle = cycle;
  r.context = 2;
  r.pc = pc;
  r.instruction = spec::encode(spec::Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  r.reg_write = true;
  r.reg = 5;
  r.reg_data = value;
  return r;
}

}  // namespace

TEST_CASE("Equal streams agree however they interleave") {
  Lockstep lockstep(2, {});
  for (unsigned n = 0; n < 10; ++n) lockstep.left().retire(n % 2, addi(n, 4 * n, n));
  for (unsigned tile = 0; tile < 2; ++tile)
    for (unsigned n = tile; n < 10; n += 2) lockstep.right().retire(tile, addi(n, 4 * n, n));
  lockstep.right().port_write(1, {true, false, 7, 0x80000, 1});
  lockstep.left().port_write(1, {true, false, 7, 0x80000, 1});
  lockstep.finish();
  CHECK(lockstep.report() == "");
  CHECK(lockstep.compared() == 10);
}

TEST_CASE("A difference shows both records, what came before it in the context, and where it is") {
  Lockstep lockstep(1, {});
  lockstep.left().superstep(3, 100);
  for (auto* side : {&lockstep.left(), &lockstep.right()})
    for (unsigned n = 0; n < 12; ++n) side->retire(0, addi(6 * n, 0x4C000 + 4 * n, n));
  lockstep.left().retire(0, addi(72, 0x4C030, 12));
  lockstep.right().retire(0, addi(72, 0x4C030, 13));
  REQUIRE(lockstep.differs());
  const auto& report = lockstep.report();
  CHECK(report.find("tile 0 differs in superstep 3") != std::string::npos);
  CHECK(report.find("t0 = 0xc") != std::string::npos);
  CHECK(report.find("t0 = 0xd") != std::string::npos);
  CHECK(report.find("addi t0, t0, 1") != std::string::npos);
  CHECK(lockstep.difference().superstep == 3);
  CHECK(lockstep.difference().cycle == 72);
  CHECK(report.find("cycle       24 context 2") != std::string::npos);  // the eighth before
  CHECK(report.find("cycle       18 context 2") == std::string::npos);
}

TEST_CASE("Every compared field can make a difference") {
  const auto field = GENERATE(range(0, 20));
  Retire a = addi(6, 0x4C000, 1);
  a.mem_write = a.pair_write = a.base_write = true;
  Retire b = a;
  if (field == 0) b.cycle = 7;
  if (field == 1) b.context = 3;
  if (field == 2) b.pc += 4;
  if (field == 3) b.instruction ^= 1u << 20;
  if (field == 4) b.reg_write = false;
  if (field == 5) b.reg_float = true;
  if (field == 6) b.reg = 6;
  if (field == 7) b.reg_data = 2;
  if (field == 8) b.mem_write = false;
  if (field == 9) b.mem_address = 8;
  if (field == 10) b.mem_strobe = 1;
  if (field == 11) b.flags = 1;
  if (field == 12) b.exception = 6;
  if (field == 13) b.mem_data = 1;
  if (field == 14) b.pair_write = false;
  if (field == 15) b.pair_data = 1;
  if (field == 16) b.base_write = false;
  if (field == 17) b.base_float = true;
  if (field == 18) b.base = 1;
  if (field == 19) b.base_data = 1;
  Lockstep lockstep(1, {});
  lockstep.left().retire(0, a);
  lockstep.right().retire(0, b);
  CHECK(lockstep.differs());
}

TEST_CASE("A record that only one side gave is a difference at the end") {
  Lockstep lockstep(1, {"a", "b"});
  lockstep.right().port_write(0, {true, true, 9, 0x80004, 5});
  CHECK(!lockstep.differs());
  lockstep.finish();
  CHECK(lockstep.report().find("nothing") != std::string::npos);
  CHECK(lockstep.report().find("packet [80004] = 00000005") != std::string::npos);
}
