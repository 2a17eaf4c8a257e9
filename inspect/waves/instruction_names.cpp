#include "inspect/waves/instruction_names.h"

#include <fmt/format.h>

#include <bit>

#include "formats/half.h"
#include "inspect/function_name.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect::waves {
namespace {

float single_value(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

NumberFormat result_of(std::string_view mnemonic) {
  const auto has = [&](std::string_view part) { return mnemonic.find(part) != std::string_view::npos; };
  if (mnemonic == "flh" || mnemonic == "ld16step" || has(".h.") || mnemonic.ends_with(".h"))
    return mnemonic == "fcvt.s.h" || mnemonic == "fcvt.w.h" ? NumberFormat::kSingle : NumberFormat::kHalf;
  if (has("tof16") || has("hiho") || has("siho")) return NumberFormat::kPackedHalves;
  if (has("tof32") || has("siso")) return NumberFormat::kPackedSingles;
  if (mnemonic.starts_with("f16v")) return NumberFormat::kPackedHalves;
  if (mnemonic.starts_with("f32")) return NumberFormat::kPackedSingles;
  return NumberFormat::kNone;
}

}  // namespace

uint32_t Texts::add(const std::string& text) {
  const auto [at, fresh] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
  if (fresh) texts_.push_back(text);
  return at->second;
}

InstructionTexts::InstructionTexts(const names::ProgramInfo& program, Texts& texts)
    : program_(program), texts_(texts), lines_(program.elf) {}

const InstructionNames& InstructionTexts::at(uint32_t pc, uint32_t word) {
  const auto [at, fresh] = known_.try_emplace(static_cast<uint64_t>(pc) << 32 | word);
  InstructionNames& names = at->second;
  if (!fresh) return names;
  names.instruction = texts_.add(spec::disassemble(word, pc));
  std::string function = lines_.function_at(pc);
  const names::Symbol* symbol = program_.symbol_at(pc);
  if (function.empty() && symbol) function = function_name(program_, *symbol);
  names.function = texts_.add(function);
  for (const SourceLine& line : lines_.at(pc)) {
    if (line.line == 0) continue;  // the compiler's own
    names.line = texts_.add(fmt::format("{}:{}", line.file.substr(line.file.rfind('/') + 1), line.line));
    break;
  }
  if (const auto opcode = spec::decode(word); opcode != spec::Opcode::Illegal)
    names.result = result_of(spec::info(opcode).mnemonic);
  return names;
}

std::string number_text(uint64_t value, NumberFormat format) {
  const auto half = [&](unsigned lane) { return formats::half_to_float(static_cast<uint16_t>(value >> 16 * lane)); };
  if (value >> 16 == 0xffffffffffffull && (format == NumberFormat::kHalf || format == NumberFormat::kNone))
    return fmt::format("{}", half(0));
  if (value >> 32 == 0xffffffffull) {
    if (format == NumberFormat::kPackedHalves) return fmt::format("[{} {}]", half(0), half(1));
    return fmt::format("{}", single_value(value));
  }
  if (format == NumberFormat::kPackedHalves) return fmt::format("[{} {} {} {}]", half(0), half(1), half(2), half(3));
  return fmt::format("[{} {}]", single_value(value), single_value(value >> 32));
}

}  // namespace tessera::inspect::waves
