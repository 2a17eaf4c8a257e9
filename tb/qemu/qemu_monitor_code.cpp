#include "qemu_monitor_code.h"

#include "tb/model/program.h"

namespace tessera::test {
namespace {

using spec::Opcode;

// Privileged CSRs and instructions, which tiles do not have.
constexpr int32_t kMstatus = 0x300, kMtvec = 0x305, kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342, kSatp = 0x180,
                  kPmpcfg0 = 0x3a0, kPmpaddr0 = 0x3b0, kFcsr = 0x003;
constexpr uint32_t kMret = 0x30200073, kFenceVma = 0x12000073;
constexpr uint32_t kStatusPrivilege = 0x1800, kStatusSupervisorAndFloat = 0x6800;
constexpr uint32_t kTestDevice = 0x100000, kPass = 0x5555;
constexpr unsigned kEntry = 31;  // register: the present table entry

void write_csr(Program& p, int32_t csr, unsigned rs1) { p.add(Opcode::Csrrw, {.rd = 0, .rs1 = rs1, .imm = csr}); }
void read_csr(Program& p, unsigned rd, int32_t csr) { p.add(Opcode::Csrrs, {.rd = rd, .rs1 = 0, .imm = csr}); }

// From the table entry in kEntry into its program, all registers zero.
void enter_program(Program& p) {
  p.add(Opcode::Lw, {.rd = 1, .rs1 = kEntry, .imm = qemu_table::kSatp});
  p.add(Opcode::Bne, {.rs1 = 1, .rs2 = 0, .imm = 5 * 4});
  p.add(Opcode::Lui, {.rd = 2, .imm = kTestDevice});
  p.add(Opcode::Lui, {.rd = 3, .imm = kPass & 0xf000});
  p.add(Opcode::Addi, {.rd = 3, .rs1 = 3, .imm = kPass & 0xfff});
  p.add(Opcode::Sw, {.rs1 = 2, .rs2 = 3, .imm = 0});
  write_csr(p, kSatp, 1);
  p.words.push_back(kFenceVma);
  p.add(Opcode::Lw, {.rd = 1, .rs1 = kEntry, .imm = qemu_table::kEntry});
  write_csr(p, kMepc, 1);
  write_csr(p, kMscratch, kEntry);
  p.load_immediate(1, kStatusPrivilege);
  p.add(Opcode::Csrrc, {.rd = 0, .rs1 = 1, .imm = kMstatus});
  p.load_immediate(1, kStatusSupervisorAndFloat);
  p.add(Opcode::Csrrs, {.rd = 0, .rs1 = 1, .imm = kMstatus});
  write_csr(p, kFcsr, 0);
  for (unsigned n = 0; n < 32; ++n) p.add(Opcode::FcvtDW, {.rd = n});
  for (unsigned n = 1; n < 32; ++n) p.add(Opcode::Addi, {.rd = n, .rs1 = 0, .imm = 0});
  p.words.push_back(kMret);
}

// At a trap: keeps all registers in the table entry, which becomes the next.
void leave_program(Program& p) {
  p.add(Opcode::Csrrw, {.rd = kEntry, .rs1 = kEntry, .imm = kMscratch});
  for (unsigned n = 1; n < kEntry; ++n)
    p.add(Opcode::Sw, {.rs1 = kEntry, .rs2 = n, .imm = static_cast<int32_t>(qemu_table::kIntegers + 4 * n)});
  const auto keep = [&p](int32_t csr, uint32_t at) {
    read_csr(p, 1, csr);
    p.add(Opcode::Sw, {.rs1 = kEntry, .rs2 = 1, .imm = static_cast<int32_t>(at)});
  };
  keep(kMscratch, qemu_table::kIntegers + 4 * kEntry);
  for (unsigned n = 0; n < 32; ++n)
    p.add(Opcode::Fsd, {.rs1 = kEntry, .rs2 = n, .imm = static_cast<int32_t>(qemu_table::kFloats + 8 * n)});
  keep(kFcsr, qemu_table::kFcsr);
  keep(kMcause, qemu_table::kCause);
  keep(kMepc, qemu_table::kPc);
  p.add(Opcode::Addi, {.rd = kEntry, .rs1 = kEntry, .imm = qemu_table::kStride});
}

}  // namespace

std::vector<uint32_t> qemu_monitor_code(uint32_t base, uint32_t table) {
  Program p;
  p.base = base;
  // All memory for all modes.
  p.add(Opcode::Addi, {.rd = 1, .rs1 = 0, .imm = -1});
  write_csr(p, kPmpaddr0, 1);
  p.add(Opcode::Addi, {.rd = 1, .rs1 = 0, .imm = 0x1f});
  write_csr(p, kPmpcfg0, 1);
  p.load_immediate(1, kStatusSupervisorAndFloat);
  p.add(Opcode::Csrrs, {.rd = 0, .rs1 = 1, .imm = kMstatus});
  p.load_immediate(kEntry, table);
  // The trap handler's address is known once the code that enters programs is.
  Program enter;
  enter_program(enter);
  const uint32_t next = p.here() + 12;
  const uint32_t handler = next + 4 * static_cast<uint32_t>(enter.words.size());
  p.words.push_back(spec::encode(Opcode::Lui, {.rd = 1, .imm = static_cast<int32_t>(base & 0xfffff000)}));
  p.add(Opcode::Addi, {.rd = 1, .rs1 = 1, .imm = static_cast<int32_t>(handler - (base & 0xfffff000))});
  write_csr(p, kMtvec, 1);
  p.words.insert(p.words.end(), enter.words.begin(), enter.words.end());
  leave_program(p);
  p.add(Opcode::Jal, {.rd = 0, .imm = static_cast<int32_t>(next - p.here())});
  return p.words;
}

}  // namespace tessera::test
