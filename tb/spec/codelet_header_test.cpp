// The assembly macros of the generated codelet header against the table's own encoder: LLVM's assembler puts the fields
// of .insn together by itself.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tb/spec/random_operands.h"

using namespace tessera::spec;
using tessera::test::random_operands;

namespace {

// The call of a macro that makes `word`: the disassembly, with numbers where it has names.
std::string macro_call(const InstructionInfo& entry, uint32_t word) {
  std::string text = "xipu_" + disassemble(word, 0);
  const std::string rs1 = text.substr(text.find(' ') + 1, text.find(',') - text.find(' ') - 1);
  if (entry.format == Format::AMPP)
    return fmt::format("xipu_{} {}, {}, {}, {}", entry.mnemonic, rs1, word >> 25 & 7, word >> 7 & 15,
                       (word >> 20) % 32);
  if (entry.opcode == Opcode::Sync)
    return fmt::format("xipu_sync x{}, {}", rs1_of(word), immediate_of(entry.format, word));
  if (entry.format == Format::FRrmv || entry.format == Format::FR1rmv)
    return text.substr(0, text.rfind(',')) + fmt::format(", {}", rm_high_of(word));
  return text;
}

}  // namespace

TEST_CASE("every macro of the codelet header assembles to the table's encoding") {
  std::mt19937 random(22);
  std::vector<std::string> lines;
  std::vector<uint32_t> words;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (!entry.section.starts_with("Xipu")) continue;
    for (int n = 0; n < 40; ++n) {
      words.push_back(encode(entry.opcode, random_operands(entry, random)));
      lines.push_back(macro_call(entry, words.back()));
    }
  }
  const auto base = std::filesystem::temp_directory_path() / fmt::format("tessera_macros_{}", getpid());
  const std::string source = base.string() + ".S", object = base.string() + ".o", binary = base.string() + ".bin";
  {
    std::ofstream out(source);
    out << "#include \"" TESSERA_ENCODINGS "\"\n";
    for (const auto& line : lines) out << line << "\n";
  }
  const std::string command = fmt::format(
      "clang-19 --target=riscv32-unknown-elf -march=rv32imfd_zfh_zba_zbb -mabi=ilp32d -mno-relax -c {} -o {} && "
      "llvm-objcopy-19 -O binary --only-section=.text {} {}",
      source, object, object, binary);
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream in(binary, std::ios::binary);
  std::vector<uint32_t> assembled;
  for (uint32_t word = 0; in.read(reinterpret_cast<char*>(&word), 4);) assembled.push_back(word);
  for (const auto& file : {source, object, binary}) std::filesystem::remove(file);
  REQUIRE(assembled.size() == words.size());
  for (size_t i = 0; i < words.size(); ++i) {
    INFO(lines[i]);
    REQUIRE(fmt::format("{:08x}", words[i]) == fmt::format("{:08x}", assembled[i]));
  }
}
