// tessera disasm ELF: text of firmware as the tile's instructions, those of the extension included.
#include <fmt/format.h>

#include "rtl/spec/instructions.h"
#include "sw/firmware/host/elf_image.h"
#include "sw/tools/tessera/commands.h"

namespace tessera::tool {
namespace {

using firmware::ElfImage;
using firmware::ElfSymbol;

// "<main+0x10>"
std::string place(const ElfImage& image, uint32_t address) {
  const ElfSymbol* symbol = image.symbol_at(address);
  if (symbol == nullptr) return "";
  if (symbol->address == address) return fmt::format("<{}>", symbol->name);
  return fmt::format("<{}+{:#x}>", symbol->name, address - symbol->address);
}

// Where a branch or jump goes, or what an auipc and the instruction after it point to.
std::string target(const ElfImage& image, uint32_t word, uint32_t next, uint32_t pc) {
  const spec::Opcode opcode = spec::decode(word);
  if (opcode == spec::Opcode::Illegal) return "";
  const spec::Format format = spec::info(opcode).format;
  if (format == spec::Format::B || format == spec::Format::J)
    return place(image, pc + static_cast<uint32_t>(spec::immediate_of(format, word)));
  if (opcode == spec::Opcode::Auipc || opcode == spec::Opcode::Lui) {
    const spec::Opcode second = spec::decode(next);
    if (second == spec::Opcode::Illegal || spec::rs1_of(next) != spec::rd_of(word)) return "";
    const spec::Format second_format = spec::info(second).format;
    if (second_format != spec::Format::I && second_format != spec::Format::S) return "";
    const uint32_t base = opcode == spec::Opcode::Auipc ? pc : 0;
    return place(image, base + static_cast<uint32_t>(spec::immediate_of(format, word) +
                                                     spec::immediate_of(second_format, next)));
  }
  return "";
}

void disassemble(const std::string& path, const std::string& function) {
  const ElfImage image = firmware::read_elf_image(path);
  uint32_t from = 0, to = ~0u;
  if (!function.empty()) {
    const ElfSymbol* symbol = image.symbol(function);
    if (symbol == nullptr || !symbol->function)
      throw CommandError(fmt::format("{} has no function '{}'", path, function));
    from = symbol->address;
    to = from + symbol->bytes;
  }
  for (const firmware::Segment& segment : image.segments) {
    if (!segment.executable) continue;
    for (size_t i = 0; i < segment.words.size(); ++i) {
      const uint32_t pc = segment.address + 4 * static_cast<uint32_t>(i), word = segment.words[i];
      if (pc < from || pc >= to) continue;
      if (const ElfSymbol* symbol = image.symbol_at(pc); symbol != nullptr && symbol->address == pc)
        fmt::print("\n{:05x} <{}>:\n", pc, symbol->name);
      const std::string note = target(image, word, i + 1 < segment.words.size() ? segment.words[i + 1] : 0, pc);
      fmt::print("  {:05x}  {:08x}  {:<32}{}\n", pc, word, spec::disassemble(word, pc), note);
    }
  }
}

}  // namespace

void add_disasm(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "disasm", "Disassembles firmware, with the tile's own instructions and the names of functions");
  struct Options {
    std::string file, function;
  };
  auto o = std::make_shared<Options>();
  command->add_option("ELF", o->file, "firmware")->required();
  command->add_option("--function", o->function, "only this function");
  command->callback([o] { disassemble(o->file, o->function); });
}

}  // namespace tessera::tool
