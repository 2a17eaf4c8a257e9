#include "compiler/passes/control/emit_packets.h"

#include "compiler/passes/vertices/emit_state.h"

namespace tessera::compiler {
namespace {

using spec::Opcode;

constexpr std::uint32_t kHeaderAt = 4, kWordsAt = 12;  // in a description

// visit(i, offset) for each description of a table, which stands `offset` bytes behind a0, `at_once` of them one
// after another with i from 0 on; load() before them, so that what it loads is not waited for.
template <class Load, class Visit>
void for_each_packet(ir::BlockId table, std::uint32_t packets, std::uint32_t at_once, Assembler& code, const Load& load,
                     const Visit& visit) {
  const auto some = [&](std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) load(i, i * kPacketBytes);
    for (std::uint32_t i = 0; i < count; ++i) visit(i);
  };
  const std::uint32_t rest = packets % at_once, end = (packets - rest) * kPacketBytes, turn = at_once * kPacketBytes;
  code.load_addresses({{kA0, {table, 0}}});
  if (end > turn) code.load_addresses({{kA1, {table, end}}});
  if (end > 0) {
    const Label next = code.label();
    code.bind(next);
    some(at_once);
    if (end > turn || rest > 0) code.i(Opcode::Addi, kA0, kA0, turn);
    if (end > turn) code.branch(Opcode::Bne, kA0, kA1, next);
  }
  some(rest);
}

constexpr unsigned kFew[kFewPackets][2] = {{kT1, kT2}, {kT3, kT4}, {kT5, kA2}};  // pointer, words

}  // namespace

void emit_send(unsigned pointer, unsigned header, unsigned address, unsigned words, Assembler& code) {
  code.i(Opcode::Lw, kT4, pointer, 0);
  code.i(Opcode::Lw, kT5, pointer, 4);
  code.store(Opcode::Sw, header, 0, pointer);
  code.store(Opcode::Sw, address, 4, pointer);
  code.emit(Opcode::Hsend, {.rs1 = pointer, .rs2 = words});
  code.store(Opcode::Sw, kT4, 0, pointer);
  code.store(Opcode::Sw, kT5, 4, pointer);
}

void emit_sends(ir::BlockId table, std::uint32_t packets, Assembler& code) {
  constexpr unsigned kData[][4] = {{kT0, kT1, kT2, kT3}, {kA2, kA3, kA4, kA5}};
  for_each_packet(
      table, packets, 2, code,
      [&](std::uint32_t i, std::uint32_t offset) {
        for (std::uint32_t word = 0; word < 4; ++word) code.i(Opcode::Lw, kData[i][word], kA0, offset + 4 * word);
      },
      [&](std::uint32_t i) { emit_send(kData[i][0], kData[i][1], kData[i][2], kData[i][3], code); });
}

void emit_headers(ir::BlockId table, std::uint32_t packets, Assembler& code) {
  constexpr unsigned kData[][3] = {{kT0, kT1, kT2}, {kT3, kT4, kT5}, {kA2, kA3, kA4}, {kA5, kA6, kA7}};
  for_each_packet(
      table, packets, 4, code,
      [&](std::uint32_t i, std::uint32_t offset) {
        for (std::uint32_t word = 0; word < 3; ++word) code.i(Opcode::Lw, kData[i][word], kA0, offset + 4 * word);
      },
      [&](std::uint32_t i) {
        for (std::uint32_t word = 0; word < 2; ++word)
          code.store(Opcode::Sw, kData[i][1 + word], 4 * word, kData[i][0]);
      });
}

void emit_made_sends(ir::BlockId table, std::uint32_t packets, Assembler& code) {
  constexpr unsigned kData[][2] = {{kT0, kT1}, {kT2, kT3}, {kT4, kT5}, {kA2, kA3}};
  for_each_packet(
      table, packets, 4, code,
      [&](std::uint32_t i, std::uint32_t offset) {
        code.i(Opcode::Lw, kData[i][0], kA0, offset);
        code.i(Opcode::Lw, kData[i][1], kA0, offset + kWordsAt);
      },
      [&](std::uint32_t i) { code.emit(Opcode::Hsend, {.rs1 = kData[i][0], .rs2 = kData[i][1]}); });
}

void emit_few_headers(ir::BlockId table, std::uint32_t packets, Assembler& code) {
  constexpr unsigned kHeader[kFewPackets][2] = {{kA3, kA4}, {kA5, kA6}, {kA7, kA1}};
  code.load_addresses({{kA0, {table, 0}}});
  for (std::uint32_t i = 0; i < packets; ++i) {
    const std::uint32_t at = i * kPacketBytes;
    code.i(Opcode::Lw, kFew[i][0], kA0, at);
    for (std::uint32_t word = 0; word < 2; ++word) code.i(Opcode::Lw, kHeader[i][word], kA0, at + kHeaderAt + 4 * word);
    code.i(Opcode::Lw, kFew[i][1], kA0, at + kWordsAt);
  }
  for (std::uint32_t i = 0; i < packets; ++i)
    for (std::uint32_t word = 0; word < 2; ++word) code.store(Opcode::Sw, kHeader[i][word], 4 * word, kFew[i][0]);
}

void emit_few_sends(std::uint32_t packets, Assembler& code) {
  for (std::uint32_t i = 0; i < packets; ++i) code.emit(Opcode::Hsend, {.rs1 = kFew[i][0], .rs2 = kFew[i][1]});
}

}  // namespace tessera::compiler
