#include "supervisor_segment.h"

#include "control_flow.h"
#include "extension_mix.h"
#include "layout.h"
#include "rtl/spec/words.h"
#include "segment_faults.h"

namespace tessera::test {
namespace {

using spec::Csr;
using spec::Opcode;

constexpr int32_t kContribute = 16;  // immediate bit of sync: value from rs1

class Segment {
 public:
  Segment(Program& p, Random& random, const Surroundings& around)
      : p_(p), random_(random), around_(around), options_{.rare = 1500, .at = around.at} {}

  void add() {
    // What an earlier segment may have left.
    for (const auto csr : {Csr::Xstacklimit, Csr::Xfpictl, Csr::Xcount})
      p_.add(Opcode::Csrrwi, {.rs1 = 0, .imm = static_cast<int32_t>(csr)});
    add_register_setup(p_, random_, options_);
    for (unsigned n = 2 + random_.below(7); n > 0; --n) {
      add_random_block(p_, random_, options_, random_.below(10));
      add_action();
    }
    if (random_.one_in(5)) add_segment_fault(p_, random_, around_.at);
    if (random_.one_in(4)) sync(0);
    p_.add(random_.pick({Opcode::Trap, Opcode::Ecall, Opcode::Ebreak}), {});
  }

 private:
  void add_action() {
    switch (random_.below(15)) {
      case 0:
      case 1:
      case 2:
        return run();
      case 3:
        return runall();
      case 4:
        return sync(0);
      case 5:
        return sync(random_.pick({2, 3, 4, 7}));
      case 6:
      case 7:
        return exchange();
      case 8:
      case 9:
        return packets();
      case 10:
      case 11:
        return weights();
      case 12:
        return random_.one_in(3) ? patch_running_loop() : patch();
      case 13:
        return skip();
      default:
        p_.add(Opcode::FenceI);
    }
  }

  void sync(int zone) {
    const bool contributes = random_.one_in(2);
    p_.add(Opcode::Sync, {.rs1 = contributes ? random_.below(24) : 0, .imm = zone + (contributes ? kContribute : 0)});
  }

  // Syncs that nothing waits for: a few, or so many that the next one has to.
  void skip() {
    for (unsigned n = random_.one_in(8) ? 6 + random_.below(6) : 1 + random_.below(2); n > 0; --n) {
      p_.add(Opcode::Sans, {.imm = static_cast<int32_t>(random_.below(spec::kMostSansCount + 1))});
      if (random_.one_in(2)) add_random_block(p_, random_, options_, random_.below(6));
    }
  }

  void run() {
    for (unsigned n = 1 + random_.below(4); n > 0; --n) {
      p_.load_immediate(layout::kPointer, entry());
      p_.add(Opcode::Run, {.rs1 = layout::kPointer, .rs2 = random_.below(24)});
    }
  }

  void runall() {
    sync(0);
    if (random_.one_in(2)) p_.add(Opcode::Csrrwi, {.rs1 = 1, .imm = static_cast<int32_t>(Csr::Xlc)});
    if (random_.one_in(3)) {  // rounding modes that the workers inherit
      p_.load_immediate(layout::kOperand, random_.below(5) << 16 | random_.below(8) << 3);
      p_.add(Opcode::Csrrw, {.rs1 = layout::kOperand, .imm = static_cast<int32_t>(Csr::Xfpictl)});
    }
    p_.load_immediate(layout::kPointer, entry());
    p_.add(Opcode::Runall, {.rs1 = layout::kPointer, .rs2 = random_.below(24), .imm = random_.between(-2048, 2047)});
    if (random_.one_in(2)) p_.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = static_cast<int32_t>(Csr::Xlc)});
  }

  // New weights while workers use the old.
  void weights() {
    run();
    for (unsigned n = 1 + random_.below(3); n > 0; --n) {
      add_random_block(p_, random_, options_, random_.below(12));
      add_weight_burst(p_, random_);
    }
  }

  void exchange() {
    const auto& list = around_.event_lists[random_.below(static_cast<uint32_t>(around_.event_lists.size()))];
    if (list.receives) sync(0);
    p_.load_immediate(layout::kPointer, list.address);
    p_.add(Opcode::Xarm, {.rs1 = layout::kPointer});
    if (random_.one_in(4)) add_random_block(p_, random_, options_, random_.below(6));
    if (random_.one_in(4)) sync(random_.pick({3, 4, 7}));
    sync(2);
    add_random_block(p_, random_, options_, random_.below(12));
    sync(1);
  }

  // Packets to the host, one of them perhaps a read whose response the surroundings send.
  void packets() {
    sync(random_.pick({3, 4}));
    for (unsigned n = 1 + random_.below(2); n > 0; --n) {
      const bool reads = random_.one_in(2);
      const uint32_t words = reads ? 3 : random_.one_in(8) ? 2 + random_.below(60) : 2 + random_.below(6);
      const uint32_t payload = reads ? random_.below(10) : words - 2;
      using spec::PacketKind;
      const uint32_t header =
          spec::PacketHeader{.words = payload, .kind = reads ? PacketKind::kReadHost : PacketKind::kWriteHost}.encode();
      p_.load_immediate(layout::kPointer, around_.at.packet_out + 4 * random_.below(512));
      p_.load_immediate(layout::kOperand, header);
      p_.add(Opcode::Sw, {.rs1 = layout::kPointer, .rs2 = layout::kOperand, .imm = 0});
      if (reads) {
        p_.load_immediate(layout::kOperand, around_.at.packet_in + 4 * random_.below(512));
        p_.add(Opcode::Sw, {.rs1 = layout::kPointer, .rs2 = layout::kOperand, .imm = 8});
        p_.load_immediate(layout::kOperand, payload);
        p_.add(Opcode::Csrrw, {.rs1 = layout::kOperand, .imm = static_cast<int32_t>(Csr::Xcount)});
      }
      p_.load_immediate(layout::kOperand, words);
      p_.add(Opcode::Hsend, {.rs1 = layout::kPointer, .rs2 = layout::kOperand});
      add_random_block(p_, random_, {.memory = true, .rare = 0}, random_.below(4));
      if (reads) sync(5);
    }
  }

  // Writes a routine into memory and runs it.
  void patch() {
    sync(0);
    Program routine;
    for (unsigned n = 1 + random_.below(3); n > 0; --n) add_random_instruction(routine, random_, kRoutine);
    routine.add(Opcode::Exit, {.rs1 = 5});
    write_patch(routine);
    p_.add(Opcode::FenceI);
    for (unsigned n = 1 + random_.below(3); n > 0; --n) p_.add(Opcode::Run, {.rs1 = layout::kPointer, .rs2 = 4});
  }

  // Stores a routine somewhere in the patched code; its address is in kPointer.
  void write_patch(const Program& routine) {
    const uint32_t at = around_.at.patched_code + 4 * random_.below(64);
    p_.load_immediate(layout::kPointer, at);
    int32_t offset = 0;
    for (const uint32_t word : routine.words) {
      p_.load_immediate(layout::kOperand, word);
      p_.add(Opcode::Sw, {.rs1 = layout::kPointer, .rs2 = layout::kOperand, .imm = offset});
      offset += 4;
    }
  }

  // What becomes of an instruction of several slots that is overwritten between its passes is not defined.
  void add_one_slot_instruction(Program& routine) {
    Program one;
    while (one.words.size() != 1 || spec::info(spec::decode(one.words[0])).slots != 1) {
      one.words.clear();
      add_random_instruction(one, random_, kRoutine);
    }
    routine.words.push_back(one.words[0]);
  }

  // Writes other instructions into a loop while a worker is in it: from when on it fetches them counts, and a store
  // that meets a fetch clashes.
  void patch_running_loop() {
    sync(0);
    constexpr int32_t kBody = 4;
    Program routine;
    routine.load_immediate(layout::kCounter, 12);
    for (int n = 0; n < kBody; ++n) add_one_slot_instruction(routine);
    const auto body = static_cast<int32_t>(routine.words.size()) - 1;
    routine.add(Opcode::Addi, {.rd = layout::kCounter, .rs1 = layout::kCounter, .imm = -1});
    routine.add(Opcode::Bne, {.rs1 = 0, .rs2 = layout::kCounter, .imm = -4 * (body + 1)});
    routine.add(Opcode::Exit, {.rs1 = 5});
    write_patch(routine);
    p_.add(Opcode::FenceI);
    p_.add(Opcode::Run, {.rs1 = layout::kPointer, .rs2 = 4});
    for (unsigned n = 1 + random_.below(4); n > 0 && body > 0; --n) {
      Program other;
      add_one_slot_instruction(other);
      p_.load_immediate(layout::kOperand, other.words[0]);
      p_.add(Opcode::Sw, {.rs1 = layout::kPointer,
                          .rs2 = layout::kOperand,
                          .imm = 4 * (1 + static_cast<int32_t>(random_.below(static_cast<uint32_t>(body))))});
    }
  }

  uint32_t entry() {
    return around_.worker_entries[random_.below(static_cast<uint32_t>(around_.worker_entries.size()))];
  }

  static constexpr MixOptions kRoutine{.worker = true, .memory = false, .rare = 0};
  Program& p_;
  Random& random_;
  const Surroundings& around_;
  const MixOptions options_;
};

}  // namespace

void add_supervisor_segment(Program& p, Random& random, const Surroundings& around) {
  Segment(p, random, around).add();
}

}  // namespace tessera::test
