#include "instruction_mix.h"

#include <vector>

#include "extension_mix.h"

namespace tessera::test {
namespace {

using spec::Csr;
using spec::Format;
using spec::Opcode;
using spec::Operands;
using spec::Unit;

struct Choices {
  std::vector<Opcode> supervisor, worker, standard;
};

bool straight(const spec::InstructionInfo& info) {
  return info.unit != Unit::Branch && info.unit != Unit::System && info.unit != Unit::Repeat &&
         info.opcode != Opcode::FenceI;
}

bool is_custom(const spec::InstructionInfo& info) {
  const uint32_t major = info.match & 0x7f;
  return is_extension(info) || major == 0x0b || major == 0x2b || major == 0x5b || major == 0x7b;
}

const Choices& choices() {
  static const Choices made = [] {
    Choices c;
    for (unsigned n = 0; n < spec::kOpcodes; ++n) {
      const auto& info = spec::info(static_cast<Opcode>(n));
      if (!straight(info)) continue;
      if (info.who != spec::Who::Worker) c.supervisor.push_back(info.opcode);
      if (info.who != spec::Who::Supervisor) c.worker.push_back(info.opcode);
      if (info.who != spec::Who::Supervisor && !is_custom(info)) c.standard.push_back(info.opcode);
    }
    return c;
  }();
  return made;
}

unsigned bytes_of(Opcode opcode) {
  using enum Opcode;
  switch (opcode) {
    case Lb:
    case Lbu:
    case Sb:
      return 1;
    case Lh:
    case Lhu:
    case Sh:
    case Flh:
    case Fsh:
      return 2;
    case Fld:
    case Fsd:
      return 8;
    default:
      return 4;
  }
}

bool is_float_destination(Format format) {
  return format == Format::FI || format == Format::FR || format == Format::FRrm || format == Format::FR1rm ||
         format == Format::FX1 || format == Format::FX1rm || format == Format::FZ || format == Format::R4rm;
}

int32_t csr_operand(Csr csr) { return static_cast<int32_t>(csr); }

// CSRs of the arithmetic extension, and the modes in xfpctl.
void add_extension_csr(Program& p, Random& random, Opcode opcode, Operands o, const MixOptions& options) {
  const bool immediate = opcode == Opcode::Csrrwi || opcode == Opcode::Csrrsi || opcode == Opcode::Csrrci;
  o.imm = csr_operand(
      random.pick({Csr::Xtas, Csr::Xprng0, Csr::Xprng1, Csr::Xprng2, Csr::Xprng3, Csr::Xprngseed, Csr::Xf8, Csr::Xf8,
                   Csr::Xfpctl, Csr::Xfpctl, Csr::Xfpctl, Csr::Xstride1, Csr::Xstride2, Csr::Xstride3}));
  const bool stride = o.imm >= csr_operand(Csr::Xstride1) && o.imm <= csr_operand(Csr::Xstride3);
  // Strides stay small, or addresses would leave the streams.
  if (stride && (immediate ? opcode != Opcode::Csrrwi : opcode != Opcode::Csrrc)) o.rs1 = 0;
  if (stride && opcode == Opcode::Csrrwi) o.rs1 = random.below(8);
  if (stride && opcode == Opcode::Csrrc) o.rs1 = layout::kCounter;
  if (o.imm == csr_operand(Csr::Xfpctl)) {  // without traps
    if (immediate) o.rs1 = 8 * random.below(4);
    if (!immediate) {
      p.load_immediate(layout::kOperand, 8 * random.below(8));
      o.rs1 = layout::kOperand;
    }
  }
  if (options.rare && random.one_in(options.rare / 8 + 1)) o.rs1 = random.below(32);
  p.add(opcode, o);
}

void add_csr(Program& p, Random& random, Opcode opcode, const MixOptions& options) {
  Operands o;
  o.rd = random.below(layout::kFirstFixed);
  o.rs1 = random.below(32);
  if (options.rare && random.one_in(options.rare)) {
    o.imm = static_cast<int32_t>(random.below(4096));  // mostly unknown numbers
    p.add(opcode, o);
    return;
  }
  const bool replaces = opcode == Opcode::Csrrw || opcode == Opcode::Csrrwi;
  if (random.one_in(3)) {  // read only
    o.imm = csr_operand(random.pick({Csr::Cycle, Csr::Cycleh, Csr::Xtile, Csr::Xwid}));
    if (options.worker && random.one_in(2))
      o.imm = csr_operand(random.pick({Csr::Xvbase, Csr::Xrepeat, Csr::Xprng1, Csr::Xprng2, Csr::Xstride1, Csr::Xf8}));
    if (!options.worker && random.one_in(4)) o.imm = csr_operand(random.pick({Csr::Xgc, Csr::Xmark}));
    if (options.standard) o.imm = csr_operand(random.pick({Csr::Fflags, Csr::Frm, Csr::Fcsr}));
    o.rs1 = 0;
    p.add(replaces ? Opcode::Csrrs : opcode, o);
    return;
  }
  if (!options.worker) {
    o.imm = csr_operand(random.pick({Csr::Xlc, Csr::Xfpictl, Csr::Xcount, Csr::Xstacklimit, Csr::Xf8i}));
    // A limit, or traps and rounding modes that workers inherit, would except soon: keep these near 0.
    if (o.imm != csr_operand(Csr::Xlc) && o.imm != csr_operand(Csr::Xf8i)) o.rs1 = 0;
    // xcount is left at 0, or a later wait for packets would not end.
    if (o.imm == csr_operand(Csr::Xcount)) o.rs1 = 0;
    p.add(opcode, o);
    return;
  }
  if (!options.standard && random.one_in(2)) return add_extension_csr(p, random, opcode, o, options);
  o.imm = csr_operand(random.pick({Csr::Fflags, Csr::Fflags, Csr::Fcsr, Csr::Frm, Csr::Xfpctl, Csr::Xstacklimit}));
  if (options.standard) o.imm = csr_operand(random.pick({Csr::Fflags, Csr::Fflags, Csr::Fcsr, Csr::Frm}));
  const bool immediate = opcode == Opcode::Csrrwi || opcode == Opcode::Csrrsi || opcode == Opcode::Csrrci;
  if (o.imm == csr_operand(Csr::Frm)) {
    o.rs1 = immediate ? (opcode == Opcode::Csrrsi ? 0 : random.below(5)) : 0;
    if (opcode == Opcode::Csrrci) o.rs1 = random.below(8);
  } else if (o.imm == csr_operand(Csr::Fcsr)) {
    // The immediate reaches only the flags and, by replacing, clears the mode.
    if (!immediate) o.rs1 = 0;
  } else if (o.imm != csr_operand(Csr::Fflags) && !(options.rare && random.one_in(options.rare / 8 + 1))) {
    o.rs1 = 0;
  }
  p.add(opcode, o);
}

void add_memory(Program& p, Random& random, Opcode opcode, const MixOptions& options) {
  const auto bytes = static_cast<int32_t>(bytes_of(opcode));
  Operands o;
  o.rd = random.below(is_float_destination(spec::info(opcode).format) ? layout::kFirstFixedFloat : layout::kFirstFixed);
  o.rs2 = random.below(32);
  o.rs1 = random.pick({layout::kBase0, layout::kBase1});
  const auto reach = static_cast<int32_t>(layout::kDataBytes);
  o.imm = random.between(-reach / bytes, reach / bytes - 1) * bytes;
  if (options.rare && random.one_in(options.rare)) {
    if (random.one_in(2))
      o.imm += 1;  // misaligned, if larger than a byte
    else
      o.rs1 = random.below(32);  // anywhere
  }
  p.add(opcode, o);
}

}  // namespace

void add_random_instruction(Program& p, Random& random, const MixOptions& options) {
  const auto& list = options.standard ? choices().standard : options.worker ? choices().worker : choices().supervisor;
  const auto count = static_cast<uint32_t>(list.size());
  const auto opcode = list[options.deck ? options.deck->deal(random, count) : random.below(count)];
  const auto& info = spec::info(opcode);
  if (info.unit == Unit::Csr) return add_csr(p, random, opcode, options);
  if (info.unit == Unit::Load || info.unit == Unit::Store) {
    if (options.memory) add_memory(p, random, opcode, options);
    return;
  }
  if (info.unit == Unit::Fence) return p.add(opcode);
  if (is_extension(info)) return add_extension_instruction(p, random, opcode, options);
  Operands o;
  const bool to_float = is_float_destination(info.format);
  o.rd = random.below(to_float ? layout::kFirstFixedFloat : layout::kFirstFixed);
  // Few registers, so that results are used; integers also read the fixed ones.
  o.rs1 = random.below(info.unit == Unit::FpFma || random.one_in(2) ? 12 : 32);
  o.rs2 = random.below(random.one_in(2) ? 12 : 32);
  o.rs3 = random.below(12);
  o.rm = random.one_in(3) ? 7 : random.below(5);
  if (options.rare && random.one_in(options.rare)) o.rm = random.below(8);
  if (info.format == Format::U) o.imm = static_cast<int32_t>(random.word() & 0xfffff000);
  if (info.format == Format::I) o.imm = random.between(-2048, 2047);
  if (info.format == Format::Ishamt) o.imm = random.between(0, 31);
  p.add(opcode, o);
}

void add_register_setup(Program& p, Random& random, const MixOptions& options) {
  p.load_immediate(layout::kBase0, options.at.data0 + layout::kDataBytes);
  p.load_immediate(layout::kBase1, options.at.data1 + layout::kDataBytes);
  const unsigned values = random.below(6);
  for (unsigned n = 0; n < values; ++n)
    p.load_immediate(1 + random.below(layout::kFirstFixed - 1),
                     random.pick({random.word(), random.below(64), 0x80000000u, 0xffffffffu, random.word() & 0xff}));
  if (!options.standard) add_stream_setup(p, random, options);
  if (!options.worker) return;
  for (unsigned n = random.below(8); n > 0; --n)
    p.add(random.pick({Opcode::Fld, Opcode::Fld, Opcode::Flw, Opcode::Flh}),
          {.rd = random.below(12),
           .rs1 = random.pick({layout::kBase0, layout::kBase1}),
           .imm = 8 * random.between(-32, 31)});
}

}  // namespace tessera::test
