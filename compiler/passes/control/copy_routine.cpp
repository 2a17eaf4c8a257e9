#include "compiler/passes/control/copy_routine.h"

#include <algorithm>

#include "compiler/passes/control/assembler.h"

namespace tessera::compiler {
namespace {

using spec::Opcode;

// Issue slots of a worker.
constexpr std::uint64_t kRunCost = 12, kByteCost = 5, kWordCost = 3, kStridedWordCost = 6;
constexpr std::uint64_t kPairedRunCost = 32, kPairCost = 1;
constexpr std::uint32_t kLeastPaired = 32;  // bytes of a run that is copied 64 bits at a time

bool by_words(const LocalCopy& c) {
  return (c.source.offset | c.target.offset | c.bytes | static_cast<std::uint32_t>(c.source_step) |
          static_cast<std::uint32_t>(c.target_step)) %
             4 ==
         0;
}

// Whether source and target lie alike in units of 64 bits, as far as is known before they have addresses.
bool by_pairs(const LocalCopy& c) {
  return by_words(c) && c.bytes >= kLeastPaired && (c.source.offset ^ c.target.offset) % 8 == 0;
}

// Room for less than this is not worth a part of a copy that can be cut.
constexpr std::uint64_t kLeastPart = kRunCost + 16 * kWordCost;
constexpr std::uint32_t kLeastFill = 8;  // runs; below, a copy like others does

std::uint64_t run_cost(const LocalCopy& c) {
  if (entry_kind(c) == EntryKind::kFill) return 1;
  if (entry_kind(c) == EntryKind::kWords) return kStridedWordCost;
  if (by_pairs(c)) return kPairedRunCost + c.bytes / 8 * kPairCost;
  return kRunCost + (by_words(c) ? c.bytes / 4 * kWordCost : c.bytes * kByteCost);
}

// Bytes of a run that so many slots copy, a multiple of 8.
std::uint64_t bytes_for(const LocalCopy& c, std::uint64_t slots) {
  if (by_pairs(c)) return slots < kPairedRunCost ? 0 : (slots - kPairedRunCost) / kPairCost * 8;
  return (slots - kRunCost) / kWordCost * 4 / 64 * 64;
}

}  // namespace

EntryKind entry_kind(const LocalCopy& c) {
  if (!by_words(c) || c.bytes != 4 || c.count < 2) return EntryKind::kRuns;
  return c.source_step == 0 && c.target_step == 4 && c.count >= kLeastFill ? EntryKind::kFill : EntryKind::kWords;
}

std::vector<std::uint32_t> copy_routine() {
  Assembler a;
  const Label next = a.label(), again = a.label(), fours = a.label(), tail = a.label(), word = a.label(),
              bytes = a.label(), byte = a.label(), fill = a.label(), filling = a.label(), fill_tail = a.label(),
              fill_word = a.label(), filled = a.label(), strided = a.label(), done = a.label(), end = a.label(),
              words = a.label(), pairs = a.label(), small = a.label(), uneven = a.label();
  const auto load = [&](unsigned rd, std::int32_t offset, unsigned base) { a.i(Opcode::Lw, rd, base, offset); };
  const auto add = [&](unsigned r, std::int32_t n) { a.i(Opcode::Addi, r, r, n); };
  a.read_csr(kA0, spec::Csr::Xvbase);
  load(kA1, 0, kA0);
  load(kA2, 4, kA0);
  a.load_constant(kA7, 1);
  a.load_constant(kS4, kLeastPaired);
  a.branch(Opcode::Beq, kA2, kZero, end);
  a.bind(next);
  load(kT0, 0, kA1);   // target
  load(kT1, 4, kA1);   // source
  load(kT2, 8, kA1);   // bytes
  load(kT3, 12, kA1);  // count
  load(kT4, 16, kA1);  // target step
  load(kT5, 20, kA1);  // source step
  add(kA1, kCopyEntryBytes);
  a.branch(Opcode::Beq, kT3, kZero, fill);
  a.branch(Opcode::Beq, kT2, kZero, strided);
  a.bind(again);
  // 64 bits at a time: what a turn loads the next one stores.
  constexpr unsigned kPair = 0, kAddresses = 10;  // float registers
  const auto copy_pairs = [&](unsigned target, unsigned source, unsigned bytes) {
    a.i(Opcode::Fld, kPair, source, 0);
    a.i(Opcode::Addi, kS0, source, 8);
    a.r(Opcode::Tapack, kAddresses, kS0, kZero);
    a.r(Opcode::Taset2, kAddresses, kAddresses, target);
    a.i(Opcode::Srli, kS1, bytes, 3);
    add(kS1, -1);
    a.r(Opcode::Add, kA3, target, bytes);
    a.emit(Opcode::Rpt, {.rs1 = kS1, .imm = 1});
    a.emit(Opcode::Ldst64pace, {.rd = kPair, .rs1 = kAddresses, .rs2 = kPair, .imm = 0});
    a.store(Opcode::Fsd, kPair, -8, kA3);
  };
  a.branch(Opcode::Bltu, kT2, kS4, small);
  a.r(Opcode::Or, kT6, kT0, kT1);
  a.r(Opcode::Or, kT6, kT6, kT2);
  a.i(Opcode::Andi, kS0, kT6, 7);
  a.branch(Opcode::Bne, kS0, kZero, uneven);
  copy_pairs(kT0, kT1, kT2);
  a.jump(kZero, done);
  a.bind(small);
  a.r(Opcode::Or, kT6, kT0, kT1);
  a.r(Opcode::Or, kT6, kT6, kT2);
  a.bind(uneven);
  a.move(kA3, kT0);
  a.move(kA4, kT1);
  a.r(Opcode::Add, kA5, kT0, kT2);  // end of the target
  a.i(Opcode::Andi, kT6, kT6, 3);
  a.branch(Opcode::Bne, kT6, kZero, bytes);
  a.branch(Opcode::Bltu, kT2, kS4, words);
  a.r(Opcode::Xor, kT6, kT0, kT1);
  a.i(Opcode::Andi, kT6, kT6, 4);
  a.branch(Opcode::Bne, kT6, kZero, words);
  // A word before and one behind may be left over.
  a.i(Opcode::Andi, kT6, kT0, 4);
  a.branch(Opcode::Beq, kT6, kZero, pairs);
  load(kS0, 0, kA4);
  add(kA4, 4);
  a.store(Opcode::Sw, kS0, 0, kA3);
  add(kA3, 4);
  a.bind(pairs);
  a.r(Opcode::Sub, kT6, kA5, kA3);
  a.i(Opcode::Andi, kT6, kT6, -8);
  copy_pairs(kA3, kA4, kT6);
  a.r(Opcode::Add, kA4, kA4, kT6);
  a.jump(kZero, tail);
  a.bind(words);
  a.i(Opcode::Andi, kT6, kT2, 15);
  a.r(Opcode::Sub, kA6, kA5, kT6);  // end of the groups of four words
  a.branch(Opcode::Beq, kA3, kA6, tail);
  a.bind(fours);
  constexpr unsigned kData[4] = {kS0, kS1, kS2, kS3};
  for (int k = 0; k < 4; ++k) load(kData[k], 4 * k, kA4);
  for (int k = 0; k < 4; ++k) a.store(Opcode::Sw, kData[k], 4 * k, kA3);
  add(kA4, 16);
  add(kA3, 16);
  a.branch(Opcode::Bne, kA3, kA6, fours);
  a.bind(tail);
  a.branch(Opcode::Beq, kA3, kA5, done);
  a.bind(word);
  load(kS0, 0, kA4);
  add(kA4, 4);
  a.store(Opcode::Sw, kS0, 0, kA3);
  add(kA3, 4);
  a.branch(Opcode::Bne, kA3, kA5, word);
  a.jump(kZero, done);
  a.bind(bytes);
  a.bind(byte);
  a.i(Opcode::Lbu, kS0, kA4, 0);
  add(kA4, 1);
  a.store(Opcode::Sb, kS0, 0, kA3);
  add(kA3, 1);
  a.branch(Opcode::Bne, kA3, kA5, byte);
  a.bind(done);
  a.r(Opcode::Add, kT0, kT0, kT4);
  a.r(Opcode::Add, kT1, kT1, kT5);
  add(kT3, -1);
  a.branch(Opcode::Bne, kT3, kZero, again);
  a.bind(filled);
  add(kA2, -1);
  a.branch(Opcode::Bne, kA2, kZero, next);
  a.bind(end);
  a.emit(Opcode::Exit, {.rs1 = kA7});
  a.bind(fill);
  load(kS0, 0, kT1);
  a.r(Opcode::Add, kA5, kT0, kT2);  // end of the target
  a.i(Opcode::Andi, kT6, kT2, 15);
  a.r(Opcode::Sub, kA6, kA5, kT6);  // end of the groups of four words
  a.branch(Opcode::Beq, kT0, kA6, fill_tail);
  a.bind(filling);
  for (int k = 0; k < 4; ++k) a.store(Opcode::Sw, kS0, 4 * k, kT0);
  add(kT0, 16);
  a.branch(Opcode::Bne, kT0, kA6, filling);
  a.bind(fill_tail);
  a.branch(Opcode::Beq, kT0, kA5, filled);
  a.bind(fill_word);
  a.store(Opcode::Sw, kS0, 0, kT0);
  add(kT0, 4);
  a.branch(Opcode::Bne, kT0, kA5, fill_word);
  a.jump(kZero, filled);
  a.bind(strided);
  load(kS0, 0, kT1);
  a.r(Opcode::Add, kT1, kT1, kT5);
  a.store(Opcode::Sw, kS0, 0, kT0);
  a.r(Opcode::Add, kT0, kT0, kT4);
  add(kT3, -1);
  a.branch(Opcode::Bne, kT3, kZero, strided);
  a.jump(kZero, filled);
  return a.take();
}

std::vector<std::vector<LocalCopy>> split_among_workers(const LocalCopy* first, const LocalCopy* last) {
  std::vector<std::vector<LocalCopy>> lists(6);
  std::uint64_t total = 0;
  for (const LocalCopy* c = first; c != last; ++c) total += run_cost(*c) * c->count;
  // What is cut has the cost of a run once more for each part.
  const bool cuts = std::any_of(first, last, [&](const LocalCopy& c) { return run_cost(c) > total / 6; });
  const std::uint64_t share = (total + (cuts ? 5 * kPairedRunCost : 0)) / 6 + 1;
  std::size_t worker = 0;
  std::uint64_t room = share;
  const auto next_worker = [&] {
    if (worker < 5) ++worker, room = share;
  };
  for (const LocalCopy* c = first; c != last; ++c) {
    LocalCopy rest = *c;
    while (rest.count > 0) {
      const std::uint64_t cost = run_cost(rest);
      LocalCopy part = rest;
      if (worker == 5 || cost * rest.count <= room) {
        rest.count = 0;
      } else if (rest.count > 1) {
        part.count = std::clamp<std::uint64_t>(room / cost, 1, rest.count);
        rest.count -= part.count;
        rest.source.offset += part.count * rest.source_step;
        rest.target.offset += part.count * rest.target_step;
      } else if (by_words(rest) && room > kLeastPart && rest.bytes > 128) {
        part.bytes = std::clamp<std::uint64_t>(bytes_for(rest, room), 64, (rest.bytes - 4) / 8 * 8);
        rest.bytes -= part.bytes;
        rest.source.offset += part.bytes;
        rest.target.offset += part.bytes;
      } else {
        rest.count = 0;
      }
      const std::uint64_t spent = run_cost(part) * part.count;
      lists[worker].push_back(part);
      room -= std::min(room, spent);
      if (room <= kLeastPart) next_worker();
    }
  }
  return lists;
}

}  // namespace tessera::compiler
