#include "segment_faults.h"

#include "layout.h"

namespace tessera::test {
namespace {

using layout::kOperand;
using layout::kPointer;
using spec::Csr;
using spec::Opcode;

void jump_to(Program& p, uint32_t target) {
  p.load_immediate(kPointer, target);
  p.add(Opcode::Jalr, {.rd = 0, .rs1 = kPointer, .imm = 0});
}

}  // namespace

void add_segment_fault(Program& p, Random& random, const Layout& at) {
  switch (random.below(15)) {
    case 0:  // data outside the memory
      p.load_immediate(kPointer, random.pick({0u, at.base - 8, at.end, 0xffffff00u}));
      p.add(random.pick({Opcode::Lw, Opcode::Sw}), {.rd = 5, .rs1 = kPointer, .rs2 = 5, .imm = 0});
      break;
    case 1:  // clash with its own fetch
      p.load_immediate(kPointer, at.supervisor_code + 4 * random.below(64));
      p.add(random.pick({Opcode::Lw, Opcode::Lb}), {.rd = 5, .rs1 = kPointer, .imm = 0});
      for (int n = 0; n < 4; ++n) p.add(Opcode::Addi, {.rd = static_cast<unsigned>(6 + n), .rs1 = 0, .imm = n});
      break;
    case 2:
      jump_to(p, random.pick({at.region1, at.base + 2, 0u, at.end}));
      break;
    case 3: {  // an instruction that does not exist, or nearly
      uint32_t word = random.pick({0u, 0xffffffffu, random.word()});
      while (spec::decode(word) != Opcode::Illegal) word = random.word();
      p.words.push_back(word);
      break;
    }
    case 4:  // not for the supervisor
      p.add(random.pick({Opcode::Exit, Opcode::FaddS, Opcode::Flw, Opcode::FdivH, Opcode::Ld64step, Opcode::F16v4fma,
                         Opcode::F16v4sisoamp, Opcode::Urand64}),
            {.rd = 3, .rs1 = 4, .rs2 = 5});
      break;
    case 5:
      p.load_immediate(kPointer, random.pick({at.region1, at.worker_code + 2, 0u}));
      p.add(Opcode::Run, {.rs1 = kPointer, .rs2 = 5});
      break;
    case 6:
      p.load_immediate(kPointer, at.worker_code);
      p.add(Opcode::Run, {.rs1 = kPointer, .rs2 = 5});
      p.add(Opcode::Runall, {.rs1 = kPointer, .rs2 = 5, .imm = 8});
      break;
    case 14:  // weights from where none can be, or from its own code
      p.load_immediate(kPointer, random.pick({0u, at.end, at.stream_tables + 8, at.stream_tables + 4,
                                              at.supervisor_code + at.element - 0x100}));
      p.add(Opcode::Ld128putcs, {.rs1 = layout::kTables, .imm = 5});
      p.add(random.pick({Opcode::Ld64putcs, Opcode::Ld128putcs}), {.rs1 = kPointer, .imm = 2});
      for (int n = 0; n < 4; ++n) p.add(Opcode::Addi, {.rd = static_cast<unsigned>(6 + n), .rs1 = 0, .imm = n});
      break;
    case 7:
      if (random.one_in(3)) {
        p.add(Opcode::Sans, {.imm = random.between(16, 2047)});
        break;
      }
      p.add(Opcode::Sync, {.rs1 = 5, .imm = random.pick({6, 8, 11, 15})});
      break;
    case 8:  // packets out of phase or shape
      p.add(Opcode::Sync, {.rs1 = 0, .imm = random.pick({2, 3})});
      p.load_immediate(kPointer, at.packet_out + random.pick({0u, 2u}));
      p.load_immediate(kOperand, random.pick({1u, 2u, 258u, 259u}));
      p.add(Opcode::Hsend, {.rs1 = kPointer, .rs2 = kOperand});
      break;
    case 9:
      p.load_immediate(kPointer, at.events + random.pick({0u, 4u, 0x100000u}));
      p.add(Opcode::Xarm, {.rs1 = kPointer});
      p.add(Opcode::Xarm, {.rs1 = kPointer});
      break;
    case 10:
      p.load_immediate(kOperand, 0x1000);
      p.add(Opcode::Csrrw, {.rs1 = kOperand, .imm = static_cast<int32_t>(Csr::Xstacklimit)});
      p.add(Opcode::Addi, {.rd = 2, .rs1 = kOperand, .imm = 0});
      p.add(Opcode::Addi, {.rd = 2, .rs1 = kOperand, .imm = -1});
      break;
    case 11:  // workers inherit traps and rounding modes, some of them bad
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
      p.load_immediate(kOperand, random.below(8) << 16 | random.below(64));
      p.add(Opcode::Csrrw, {.rs1 = kOperand, .imm = static_cast<int32_t>(Csr::Xfpictl)});
      p.load_immediate(kPointer, at.worker_code);
      p.add(Opcode::Runall, {.rs1 = kPointer, .rs2 = 5, .imm = 8});
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
      p.add(Opcode::Csrrw, {.rs1 = 0, .imm = static_cast<int32_t>(Csr::Xfpictl)});
      break;
    case 12:  // a worker runs while words arrive
      p.load_immediate(kPointer, at.events);
      p.add(Opcode::Xarm, {.rs1 = kPointer});
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
      p.load_immediate(kPointer, at.worker_code);
      p.add(Opcode::Run, {.rs1 = kPointer, .rs2 = 5});
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 1});
      break;
    default:  // data in the element that the exchange uses
      p.load_immediate(kPointer, at.events);
      p.add(Opcode::Xarm, {.rs1 = kPointer});
      p.load_immediate(kPointer, at.send_data);
      p.load_immediate(kOperand, at.receive_data);
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
      for (int n = 0; n < 12; ++n)
        p.add(random.pick({Opcode::Lw, Opcode::Sw}),
              {.rd = static_cast<unsigned>(3 + n), .rs1 = random.pick({kPointer, kOperand}), .rs2 = 3, .imm = 4 * n});
      p.add(Opcode::Sync, {.rs1 = 0, .imm = 1});
      break;
  }
}

}  // namespace tessera::test
