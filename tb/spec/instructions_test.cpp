// The instruction table against LLVM's assembler, and against itself.
#include <fmt/format.h>

#include <unistd.h>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tb/spec/random_operands.h"

using namespace tessera::spec;
using tessera::test::random_operands;

namespace {

bool is_zfa(Opcode opcode) { return opcode == Opcode::FmvpDX || opcode == Opcode::FmvhXD; }

// Words that the assembler makes of the lines, one each.
std::vector<uint32_t> assemble(const std::vector<std::string>& lines) {
  const auto base = std::filesystem::temp_directory_path() / fmt::format("tessera_assemble_{}", getpid());
  const std::string source = base.string() + ".s", object = base.string() + ".o", binary = base.string() + ".bin";
  {
    std::ofstream out(source);
    out << ".option norelax\n.option norvc\n";
    for (const auto& line : lines) out << line << "\n";
  }
  const std::string command = fmt::format(
      "llvm-mc-19 --triple=riscv32 --mattr=+m,+f,+d,+zfh,+zba,+zbb,+zfa,+zicsr --filetype=obj {} -o {} && "
      "llvm-objcopy-19 -O binary --only-section=.text {} {}",
      source, object, object, binary);
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(binary, std::ios::binary);
  std::vector<uint32_t> words;
  for (uint32_t word = 0; in.read(reinterpret_cast<char*>(&word), 4);) words.push_back(word);
  for (const auto& file : {source, object, binary}) std::filesystem::remove(file);
  return words;
}

}  // namespace

TEST_CASE("every standard instruction assembles to the table's encoding with LLVM") {
  std::mt19937 random(20);
  std::vector<std::string> lines;
  std::vector<uint32_t> words;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (entry.section.starts_with("Xipu") && !is_zfa(entry.opcode)) continue;
    for (int n = 0; n < 50; ++n) {
      const uint32_t word = encode(entry.opcode, random_operands(entry, random));
      std::string line = disassemble(word, 0);
      // Conversions that are exact take no rounding mode in assembly text.
      if (entry.opcode == Opcode::FcvtSH) {
        words.push_back(word & ~0x7000u);
        line = line.substr(0, line.rfind(','));
      } else if (entry.mnemonic == "fence") {
        words.push_back(0x0ff0000f);
      } else {
        words.push_back(word);
      }
      lines.push_back(line);
    }
  }
  const auto assembled = assemble(lines);
  REQUIRE(assembled.size() == words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    INFO(lines[i]);
    REQUIRE(fmt::format("{:08x}", words[i]) == fmt::format("{:08x}", assembled[i]));
  }
}

TEST_CASE("an encoded instruction decodes to itself and its immediate") {
  std::mt19937 random(21);
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    for (int n = 0; n < 100; ++n) {
      const Operands operands = random_operands(entry, random);
      const uint32_t word = encode(entry.opcode, operands);
      INFO(disassemble(word, 0));
      REQUIRE(decode(word) == entry.opcode);
      if (entry.unit != Unit::Csr) REQUIRE(immediate_of(entry.format, word) == operands.imm);
    }
  }
}

TEST_CASE("an operand that does not fit is refused by name") {
  CHECK_THROWS_WITH(encode(Opcode::Addi, {.rd = 1, .rs1 = 1, .imm = 2048}), "addi: imm = 2048 does not fit");
  CHECK_THROWS_WITH(encode(Opcode::Jal, {.rd = 0, .imm = 3}), "jal: offset = 3 does not fit");
  CHECK_THROWS_WITH(encode(Opcode::Slli, {.rd = 1, .rs1 = 1, .imm = 32}), "slli: shamt = 32 does not fit");
}

TEST_CASE("words outside the table are illegal") {
  CHECK(decode(0) == Opcode::Illegal);
  CHECK(decode(0xffffffff) == Opcode::Illegal);
  CHECK(decode(0x02208053 + (1 << 25)) != Opcode::FaddS);
  CHECK(decode(0x02208053) == Opcode::Illegal);  // fadd.d
  CHECK(decode(0xd2008053) == Opcode::Illegal);  // fcvt.d.w of a register that is not x0
}

TEST_CASE("what compilers emit and no tile executes is known for what it is") {
  CHECK(is_trap(0xc0001073));
  CHECK(disassemble(0xc0001073, 0) == "unimp");
  CHECK_FALSE(is_trap(0xc0002073));
  for (const uint32_t word : {0x02208053u, 0x02000043u, 0x40108053u, 0xd2008053u})  // fadd.d fmadd.d fcvt.s.d fcvt.d.w
    CHECK(is_double_arithmetic(word));
  for (const uint32_t word : {0x00208053u, 0x222080d3u, 0u, 0xffffffffu})  // fadd.s, fsgnj.d: a move, and none
    CHECK_FALSE(is_double_arithmetic(word));
}
