#include "control_flow.h"

#include "extension_mix.h"
#include "layout.h"

namespace tessera::test {
namespace {

using spec::Opcode;

Opcode random_branch(Random& random) {
  using enum Opcode;
  return random.pick({Beq, Bne, Blt, Bge, Bltu, Bgeu});
}

// A jump over `body` instructions, which are there to show when it went wrong.
void add_skip(Program& p, Random& random, const MixOptions& options) {
  Program skipped;
  for (unsigned n = 1 + random.below(3); n > 0; --n) add_random_instruction(skipped, random, options);
  const auto over = static_cast<int32_t>(4 * (skipped.words.size() + 1));
  switch (random.below(4)) {
    case 0:
      p.add(Opcode::Jal, {.rd = random.below(layout::kFirstFixed), .imm = over});
      break;
    case 1:
      p.add(Opcode::Auipc, {.rd = layout::kLink, .imm = 0});
      // Bit 0 of the target is dropped.
      p.add(Opcode::Jalr, {.rd = random.below(layout::kFirstFixed),
                           .rs1 = layout::kLink,
                           .imm = over + 4 + static_cast<int32_t>(random.below(2))});
      break;
    default:
      p.add(random_branch(random), {.rs1 = random.below(20), .rs2 = random.below(20), .imm = over});
      break;
  }
  p.words.insert(p.words.end(), skipped.words.begin(), skipped.words.end());
}

void add_loop(Program& p, Random& random, const MixOptions& options) {
  p.load_immediate(layout::kCounter, 1 + random.below(5));
  const uint32_t top = p.here();
  for (unsigned n = 1 + random.below(6); n > 0; --n) add_random_instruction(p, random, options);
  if (random.one_in(3)) add_skip(p, random, options);
  p.add(Opcode::Addi, {.rd = layout::kCounter, .rs1 = layout::kCounter, .imm = -1});
  p.add(random.pick({Opcode::Bne, Opcode::Bltu}),
        {.rs1 = 0, .rs2 = layout::kCounter, .imm = static_cast<int32_t>(top - p.here())});
}

}  // namespace

void add_random_block(Program& p, Random& random, const MixOptions& options, unsigned length) {
  const uint32_t end = p.here() + 4 * length;
  while (p.here() < end) {
    const unsigned kind = random.below(16);
    if (kind == 3 && options.worker && !options.standard)
      add_repeat(p, random, options);
    else if (kind == 4 && options.worker && !options.standard)
      add_dense_steps(p, random, options);
    else if (kind == 0)
      add_loop(p, random, options);
    else if (kind <= 2)
      add_skip(p, random, options);
    else
      add_random_instruction(p, random, options);
  }
}

}  // namespace tessera::test
