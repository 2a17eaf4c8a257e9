// What stands at a pc, in words: disassembly, function, source line. Looked up once an instruction.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "inspect/source_lines.h"
#include "program/program_info.h"

namespace tessera::inspect::waves {

// Texts by number, so that a change of a signal is a change of a number. 0 is "".
class Texts {
 public:
  uint32_t add(const std::string&);
  const std::string& operator[](uint32_t number) const { return texts_[number]; }

 private:
  std::vector<std::string> texts_{""};
  std::unordered_map<std::string, uint32_t> numbers_{{"", 0}};
};

// How a 64-bit register that an instruction has written is read as numbers.
enum class NumberFormat : uint8_t { kNone, kSingle, kHalf, kPackedSingles, kPackedHalves };

struct InstructionNames {
  uint32_t instruction = 0, function = 0, line = 0;  // of Texts
  NumberFormat result = NumberFormat::kNone;         // of a float register that it writes; kNone: moves bits
};

class InstructionTexts {
 public:
  InstructionTexts(const names::ProgramInfo&, Texts&);
  const InstructionNames& at(uint32_t pc, uint32_t word);

 private:
  const names::ProgramInfo& program_;
  Texts& texts_;
  SourceLines lines_;
  std::unordered_map<uint64_t, InstructionNames> known_;
};

// "1.5", "[1 2]", "[1 2 0.5 -3]": a float register, NaN-boxed scalars recognised whatever the format says.
std::string number_text(uint64_t value, NumberFormat packed);

}  // namespace tessera::inspect::waves
