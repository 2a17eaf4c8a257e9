#include "worker_faults.h"

#include "layout.h"

namespace tessera::test {
namespace {

using layout::kOperand;
using layout::kPointer;
using spec::Csr;
using spec::Opcode;

constexpr unsigned kTriple = 26, kGoodTriple = layout::kFirstFixedFloat;  // float registers

void write_csr(Program& p, Csr csr, uint32_t value) {
  p.load_immediate(kOperand, value);
  p.add(Opcode::Csrrw, {.rs1 = kOperand, .imm = static_cast<int32_t>(csr)});
}

Opcode random_paced_step(Random& random) {
  using enum Opcode;
  return random.pick({F16v4hihov4amppace, F16v4sisoamppace, F32sisov2amppace, F8v8hihov4amppace, F16v4hihov4slicpace,
                      F16v4sisoslicpace, F32sisoslicpace, F8v8hihov4slicpace});
}

// Some instruction that uses the addresses in kTriple.
void use_triple(Program& p, Random& random) {
  switch (random.below(4)) {
    case 0:
      return p.add(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = kTriple, .rs2 = 5});
    case 1:
      return p.add(Opcode::Ldst64pace, {.rd = 4, .rs1 = kTriple, .rs2 = 5});
    case 2:
      return p.add(Opcode::Ld2x64pace, {.rd = 4, .rs1 = kTriple});
    default:
      return p.add(random_paced_step(random), {.rs1 = kTriple,
                                               .imm = spec::pace_immediate({.phase = random.below(4),
                                                                            .select_x = 0,
                                                                            .select_p = 0,
                                                                            .select_r = 0,
                                                                            .load_x = random.one_in(2),
                                                                            .load_p = random.one_in(2),
                                                                            .store_r = random.one_in(2)})});
  }
}

// Any flag that can trap does, whatever unit raises it.
void add_float_traps(Program& p, Random& random, MixOptions options) {
  write_csr(p, Csr::Xfpctl, 1 + random.below(63));
  options.rare = 0;
  for (int n = 0; n < 16; ++n) add_random_instruction(p, random, options);
}

void add_bad_triple(Program& p, Random& random, const Layout& at) {
  p.load_immediate(kPointer, random.pick({0u, at.base - 8, at.end, 0xfffff8u}));
  switch (random.below(3)) {
    case 0:
      p.add(Opcode::Tapack, {.rd = kTriple, .rs1 = kPointer, .rs2 = layout::kStep64});
      break;
    case 1:
      p.add(Opcode::Tapack, {.rd = kTriple, .rs1 = layout::kStep64, .rs2 = kPointer});
      p.add(Opcode::Taset2, {.rd = kTriple, .rs1 = kTriple, .rs2 = layout::kStep128});
      break;
    default:
      p.add(Opcode::Taset2, {.rd = kTriple, .rs1 = kGoodTriple, .rs2 = kPointer});
      break;
  }
}

void add_bad_step(Program& p, Random& random) {
  using enum Opcode;
  p.add(Addi, {.rd = 5,
               .rs1 = random.pick({layout::kStep128, layout::kStep64, layout::kStepRegion0}),
               .imm = random.pick({1, 2, 4, 8, 0})});
  for (int n = 0; n < 4; ++n) {
    const auto opcode = random.pick(
        {Ld64step, Ld32step, Ld16step, Ld128step, St64step, St32step, St16step, Ld64stride, Ld128stride, St64stride});
    p.add(opcode, {.rd = 4, .rs1 = random.one_in(8) ? 0u : 5u, .rs2 = 4, .imm = 0});
  }
}

// Meets the fetch of some worker, or its own other read.
void add_clash(Program& p, Random& random, const Layout& at) {
  p.load_immediate(kPointer, at.behind_code());
  const unsigned a0 = random.pick({kPointer, layout::kStep64}), a1 = random.pick({kPointer, layout::kStep64});
  p.add(Opcode::Tapack, {.rd = kTriple, .rs1 = a0, .rs2 = a1});
  p.add(Opcode::Taset2,
        {.rd = kTriple, .rs1 = kTriple, .rs2 = random.pick({kPointer, layout::kStep128, layout::kStep64})});
  p.add(Opcode::Rpti, {.rd = 2, .rs1 = 0, .imm = 3});
  p.add(random.pick({Opcode::Ld64step, Opcode::Ld32step}), {.rd = 4, .rs1 = kPointer, .imm = 0});
  use_triple(p, random);
}

void add_bad_body(Program& p, Random& random) {
  using enum Opcode;
  p.add(Rpti, {.rd = 2, .rs1 = 0, .imm = random.between(1, 3)});
  p.add(Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  switch (random.below(4)) {
    case 0:
      return p.add(random.pick({Beq, Bltu, Jal}), {.imm = 8});
    case 1:
      return p.add(random.pick({Csrrs, Csrrwi}), {.rd = 5, .imm = static_cast<int32_t>(Csr::Fflags)});
    case 2:
      return p.add(random.pick({Fence, FenceI, Ecall, Ebreak, Exit, Trap}));
    default:
      return p.add(random.pick({Rpt, Rpti}), {.imm = 1});
  }
}

void add_illegal(Program& p, Random& random, MixOptions options) {
  using enum Opcode;
  options.rare = 0;
  switch (random.below(4)) {
    case 0:
      return p.add(random.pick({Ld64stride, Ld128stride}),
                   {.rd = 4, .rs1 = layout::kStep128, .imm = random.between(4, 7)});
    case 1:  // rounding modes that do not exist
      p.add(Csrrwi, {.rs1 = 5 + random.below(3), .imm = static_cast<int32_t>(Csr::Frm)});
      for (int n = 0; n < 12; ++n) add_random_instruction(p, random, options);
      return;
    case 2:
      return p.add(random.pick({F32v2tof16, F16v2tof8, F32v2toi32}), {.rd = 4, .rs1 = 5, .rm = 5 + random.below(2)});
    default:  // of length 0
      return random.one_in(2) ? p.add(Rpti, {.imm = 2}) : p.add(Rpt, {.rs1 = 5});
  }
}

}  // namespace

void add_worker_fault(Program& p, Random& random, const MixOptions& options) {
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return add_float_traps(p, random, options);
    case 3:
      add_bad_triple(p, random, options.at);
      return use_triple(p, random);
    case 4:
      return add_bad_step(p, random);
    case 5:
      return add_clash(p, random, options.at);
    case 6:
      return add_bad_body(p, random);
    default:
      return add_illegal(p, random, options);
  }
}

}  // namespace tessera::test
