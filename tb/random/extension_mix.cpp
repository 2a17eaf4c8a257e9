#include "extension_mix.h"

namespace tessera::test {
namespace {

using spec::Csr;
using spec::Format;
using spec::Opcode;
using spec::Operands;
using spec::Unit;

constexpr int32_t kStrideReach = 8;
constexpr unsigned kTripleCount = 4, kTriplesInTable = 8;

bool rarely(Random& random, const MixOptions& options) { return options.rare && random.one_in(options.rare); }

// A number for the field at `shift`, of the bits that the instruction's mask leaves free.
int32_t free_number(Random& random, const spec::InstructionInfo& info, unsigned shift, uint32_t bits) {
  return static_cast<int32_t>(random.word() & bits & ~info.mask >> shift);
}

bool writes_pair(const spec::InstructionInfo& info) { return (info.mask & 0xf80) == 0x80; }

unsigned float_destination(Random& random, const spec::InstructionInfo& info) {
  return writes_pair(info) ? 2 * random.below(layout::kFirstFixedFloat / 2) : random.below(layout::kFirstFixedFloat);
}

unsigned triple(Random& random, const MixOptions& options) {
  if (rarely(random, options)) return random.below(32);
  return layout::kFirstFixedFloat + random.below(kTripleCount);
}

int32_t random_pace(Random& random, const spec::InstructionInfo& info) {
  const auto phase = static_cast<unsigned>(free_number(random, info, 25, 7));
  return spec::pace_immediate({.phase = phase,
                               .select_x = random.below(4),
                               .select_p = random.below(4),
                               .select_r = random.below(4),
                               .load_x = !random.one_in(4),
                               .load_p = !random.one_in(4),
                               .store_r = !random.one_in(4)});
}

// Loads and stores at one address.
void add_step(Program& p, Random& random, const spec::InstructionInfo& info, const MixOptions& options) {
  using enum Opcode;
  Operands o;
  o.rd = float_destination(random, info);
  o.rs2 = random.below(32);
  const bool wide = writes_pair(info);
  o.rs1 = wide ? layout::kStep128 : random.pick({layout::kStep64, layout::kStepRegion0});
  if (rarely(random, options)) o.rs1 = random.below(32);
  if (info.format == Format::FIR || info.format == Format::FSR) {
    o.imm = static_cast<int32_t>(random.below(4));
    if (info.format == Format::FIR && rarely(random, options)) o.imm += 4;
  } else {
    o.imm = 16 * random.between(-8, 8);
    if (rarely(random, options)) o.imm += random.between(1, 15);
  }
  p.add(info.opcode, o);
}

void add_paced_access(Program& p, Random& random, const spec::InstructionInfo& info, const MixOptions& options) {
  Operands o;
  o.rd = float_destination(random, info);
  // Now and then into its own triple, which is then lost.
  if (rarely(random, options)) o.rd = writes_pair(info) ? 30 : 29;
  o.rs1 = triple(random, options);
  if (info.opcode != Opcode::Ld2x64pace) o.rs2 = random.below(32);
  o.imm = static_cast<int32_t>(random.below(info.format == Format::PACE3 ? 64 : 16));
  p.add(info.opcode, o);
}

// Fresh numbers for a register, as NaNs spread.
void add_tame_load(Program& p, Random& random, unsigned rd) {
  p.add(Opcode::Fld, {.rd = rd, .rs1 = layout::kTables, .imm = static_cast<int32_t>(8 * random.below(64))});
}

void add_engine(Program& p, Random& random, const spec::InstructionInfo& info, const MixOptions& options) {
  Operands o;
  o.rd = random.below(layout::kFirstFixedFloat);
  o.rs1 = random.below(12);
  o.rs2 = random.below(12);
  if (options.memory && random.one_in(2)) add_tame_load(p, random, random.one_in(2) ? o.rs1 : o.rs2);
  if (random.one_in(12)) p.add(Opcode::Zacc);
  switch (info.format) {
    case Format::FRi:
      o.imm = free_number(random, info, 20, 31);
      break;
    case Format::AMPR:
      o.imm = free_number(random, info, 25, 7);
      break;
    case Format::AMPP:
      o.rs1 = triple(random, options);
      o.imm = random_pace(random, info);
      break;
    default:
      break;
  }
  p.add(info.opcode, o);
}

void add_plain(Program& p, Random& random, const spec::InstructionInfo& info, const MixOptions& options) {
  Operands o;
  const bool to_integer = info.format == Format::X0 || info.format == Format::FR1x || info.format == Format::FXI;
  o.rd = random.below(to_integer ? layout::kFirstFixed : layout::kFirstFixedFloat);
  o.rs1 = random.below(random.one_in(2) ? 12 : 32);
  o.rs2 = random.below(random.one_in(2) ? 12 : 32);
  o.rs3 = random.below(12);
  o.rm = random.one_in(3) ? 7 : random.below(5);
  if (rarely(random, options)) o.rm = random.below(8);
  if (info.format == Format::FRi || info.format == Format::FXI) o.imm = free_number(random, info, 20, 31);
  if (info.format == Format::FXI && !random.one_in(8)) o.imm = static_cast<int32_t>(random.below(3));
  if (info.format == Format::FRRi) o.imm = free_number(random, info, 25, 3);
  if (info.format == Format::FRsh) o.imm = free_number(random, info, 20, 255);
  if (options.memory && random.one_in(6)) add_tame_load(p, random, o.rs1 < layout::kFirstFixedFloat ? o.rs1 : 0);
  p.add(info.opcode, o);
}

bool may_repeat(const spec::InstructionInfo& info) {
  return info.unit != Unit::Csr && info.unit != Unit::Fence && info.unit != Unit::Branch;
}

}  // namespace

bool is_extension(const spec::InstructionInfo& info) { return info.unit >= Unit::Packed; }

void add_extension_instruction(Program& p, Random& random, Opcode opcode, const MixOptions& options) {
  const auto& info = spec::info(opcode);
  const bool touches_memory = info.unit == Unit::Stream || info.unit == Unit::Weights || info.format == Format::AMPP;
  if (touches_memory && !options.memory) return;
  switch (info.unit) {
    case Unit::Stream:
      if (info.format == Format::PACE3 || info.format == Format::PACE2)
        add_paced_access(p, random, info, options);
      else
        add_step(p, random, info, options);
      break;
    case Unit::Weights: {
      const unsigned base = rarely(random, options) ? random.below(32) : layout::kTables;
      p.add(opcode, {.rs1 = base, .imm = free_number(random, info, 20, 63)});
      break;
    }
    case Unit::Amp:
      add_engine(p, random, info, options);
      break;
    default:
      add_plain(p, random, info, options);
      break;
  }
}

void add_stream_setup(Program& p, Random& random, const MixOptions& options) {
  p.load_immediate(layout::kTables, options.at.stream_tables);
  if (!options.worker) return;
  p.load_immediate(layout::kStep64, random.pick({options.at.stream_a, options.at.stream_b}));
  p.load_immediate(layout::kStep128, options.at.stream_c);
  p.load_immediate(layout::kStepRegion0, options.at.stream0);
  for (unsigned n = 0; n < kTripleCount; ++n)
    p.add(Opcode::Fld, {.rd = layout::kFirstFixedFloat + n,
                        .rs1 = layout::kTables,
                        .imm = static_cast<int32_t>(layout::kTriples + 8 * random.below(kTriplesInTable))});
  const auto write = [&p](Csr csr, uint32_t value) {
    p.load_immediate(layout::kOperand, value);
    p.add(Opcode::Csrrw, {.rs1 = layout::kOperand, .imm = static_cast<int32_t>(csr)});
  };
  for (const auto stride : {Csr::Xstride1, Csr::Xstride2, Csr::Xstride3})
    if (random.one_in(2)) write(stride, static_cast<uint32_t>(random.between(-kStrideReach, kStrideReach)));
  // Modes: of rounding, of f16 overflow, of f8.
  if (random.one_in(2)) p.add(Opcode::Csrrwi, {.rs1 = random.below(5), .imm = static_cast<int32_t>(Csr::Frm)});
  if (random.one_in(2)) write(Csr::Xfpctl, 8 * random.below(8));
  if (random.one_in(3)) write(Csr::Xf8, random.below(4) | (random.below(8) - 4) % 64 << 8);
}

void add_weight_burst(Program& p, Random& random) {
  p.add(Opcode::Addi, {.rd = layout::kPointer,
                       .rs1 = layout::kTables,
                       .imm = static_cast<int32_t>(16 * random.below(layout::kTableSlack / 16))});
  for (unsigned n = 4 + random.below(16); n > 0; --n) {
    const auto opcode = random.pick({Opcode::Ld64putcs, Opcode::Ld64putcs, Opcode::Ld128putcs});
    p.add(opcode, {.rs1 = layout::kPointer, .imm = free_number(random, spec::info(opcode), 20, 63)});
  }
}

void add_dense_steps(Program& p, Random& random, const MixOptions& options) {
  using enum Opcode;
  const auto kind = random.pick({F16v4hihov4amp, F16v4sisoamp, F32sisov2amp, F8v8hihov4amp, F16v4hihov4slic,
                                 F16v4sisoslic, F32sisoslic, F8v8hihov4slic, F16v4sihoamp});
  const auto paced = random.pick({F16v4hihov4amppace, F16v4sisoamppace, F32sisov2amppace, F8v8hihov4amppace,
                                  F16v4hihov4slicpace, F16v4sisoslicpace, F32sisoslicpace, F8v8hihov4slicpace});
  const bool streams = options.memory && random.one_in(2);
  const auto& info = spec::info(streams ? paced : kind);
  const unsigned steps = random.one_in(3) ? 1 + random.below(4) : 4;
  if (random.one_in(2)) p.add(Zacc);
  if (options.memory) add_tame_load(p, random, 1);
  p.add(Rpti, {.rd = steps, .rs1 = 0, .imm = random.between(2, 10)});
  const unsigned first = random.one_in(4) ? random.below(4) : 0;
  for (unsigned n = 0; n < steps; ++n) {
    const unsigned phase = (first + n) & 7 & ~info.mask >> 25;
    if (streams)
      p.add(info.opcode, {.rs1 = layout::kFirstFixedFloat + random.below(kTripleCount),
                          .imm = spec::pace_immediate({.phase = phase,
                                                       .select_x = random.below(4),
                                                       .select_p = random.below(4),
                                                       .select_r = random.below(4),
                                                       .load_x = true,
                                                       .load_p = !random.one_in(4),
                                                       .store_r = !random.one_in(4)})});
    else
      p.add(info.opcode,
            {.rd = 2 + random.below(4), .rs1 = 1, .rs2 = random.below(12), .imm = static_cast<int32_t>(phase)});
  }
}

void add_repeat(Program& p, Random& random, const MixOptions& options) {
  const uint32_t count = random.one_in(8) ? 0 : 1 + random.below(6);
  const unsigned wanted = 1 + random.below(5);
  Program body;
  while (body.words.size() < wanted) {
    Program one;
    add_random_instruction(one, random, options);
    bool fits = true;
    for (const uint32_t word : one.words) fits = fits && may_repeat(spec::info(spec::decode(word)));
    // Some bodies hold what they must not.
    if (fits || rarely(random, options)) body.words.insert(body.words.end(), one.words.begin(), one.words.end());
  }
  auto length = static_cast<uint32_t>(body.words.size());
  if (rarely(random, options)) length = 0;
  if (random.one_in(2)) {
    p.add(Opcode::Rpti, {.rd = length & 31, .rs1 = length >> 5, .imm = static_cast<int32_t>(count)});
  } else {
    p.load_immediate(layout::kCounter, count);
    p.add(Opcode::Rpt, {.rs1 = layout::kCounter, .imm = static_cast<int32_t>(length)});
  }
  p.words.insert(p.words.end(), body.words.begin(), body.words.end());
}

}  // namespace tessera::test
