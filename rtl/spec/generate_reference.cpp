// Writes the reference pages that follow from the tables: instructions.md, csrs.md, causes.md, words.md,
// machines.md.
// Usage: generate_reference FOLDER
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/word_tables.h"

namespace {

using namespace tessera::spec;

std::string bits(uint32_t match, uint32_t mask) {
  std::string text;
  for (int bit = 31; bit >= 0; --bit) {
    text += mask >> bit & 1 ? (match >> bit & 1 ? '1' : '0') : '.';
    if (bit == 25 || bit == 20 || bit == 15 || bit == 12 || bit == 7) text += ' ';
  }
  return text;
}

std::string_view who(Who w) {
  return w == Who::Both ? "supervisor and workers" : w == Who::Worker ? "workers" : "supervisor";
}

std::string raises(Raises r) {
  switch (r) {
    case Raises::kNone:
      return "illegal where it may not execute";
    case Raises::kPc:
      return "pc (at the next fetch)";
    case Raises::kMemory:
      return "address, clash";
    case Raises::kTrap:
      return "trap";
    case Raises::kBreak:
      return "break";
    case Raises::kIllegal:
      return "illegal (unknown, forbidden or read-only CSR)";
    case Raises::kFloat:
      return "float when the trap enable of a raised flag is set; illegal (rounding mode)";
    case Raises::kOperand:
      return "operand";
    case Raises::kExchange:
      return "config, address";
    case Raises::kStep:
      return "address, clash; float when the trap enable of a raised flag is set";
  }
  return {};
}

void write_instructions(std::ostream& out) {
  out << "# Instructions\n\nGenerated from `rtl/spec/instructions.def`. Encodings: bits 31 to 0, a dot is an operand "
         "bit. "
         "Timing and exception rules: `tile.md`; arithmetic: `float.md` and `arithmetic.md`.\n";
  std::string_view section;
  for (unsigned i = 0; i < kOpcodes; ++i) {
    const auto& entry = info(static_cast<Opcode>(i));
    if (entry.section != section) fmt::print(out, "\n## {}\n", section = entry.section);
    fmt::print(
        out,
        "\n### {}\n\n`{}`\n\n{}.\n\n| | |\n|---|---|\n| encoding | `{}` |\n| executed by | {} |\n| slots | {} |\n"
        "| exceptions | {} |\n",
        entry.mnemonic, entry.syntax, entry.effect, bits(entry.match, entry.mask), who(entry.who), entry.slots,
        raises(entry.raises));
  }
}

void write_csrs(std::ostream& out) {
  out << "# Control and status registers\n\nGenerated from `rtl/spec/csrs.def`.\n\n| number | name | accessible to | | "
         "meaning |\n"
         "|---|---|---|---|---|\n";
  for (unsigned number = 0; number < 4096; ++number)
    if (const auto* csr = csr_info(static_cast<uint16_t>(number)))
      fmt::print(out, "| 0x{:03x} | {} | {} | {} | {} |\n", number, csr->name, who(csr->who),
                 csr->read_only ? "read" : "read, write", csr->effect);
}

void write_causes(std::ostream& out) {
  out << "# Exception causes\n\nGenerated from `rtl/spec/causes.def`. Rules: `tile.md`.\n\n| cause | name | raised by "
         "|\n|---|---|---|\n";
#define CAUSE(id, number, name, why) \
  if (number != 0) fmt::print(out, "| {} | {} | {} |\n", number, name, why);
#include "rtl/spec/causes.def"
#undef CAUSE
}

void write_words(std::ostream& out) {
  out << "# Words and numbers\n\nGenerated from `rtl/spec/words.def`, `numbers.def` and `registers.def`. Bits that are "
         "not named are "
         "reserved: 0.\n";
  for (const WordTable& word : word_tables()) {
    fmt::print(out, "\n## {}\n\n{}. {} bits.\n\n| bits | field | |\n|---|---|---|\n", word.identifier, word.text,
               word.bits);
    for (const FieldRow& field : word.fields)
      fmt::print(out, "| {} | {} | {} |\n",
                 field.high == field.low ? fmt::format("{}", field.low) : fmt::format("{}:{}", field.high, field.low),
                 field.name, field.meaning);
  }
  for (const NumberTable& table : number_tables()) {
    fmt::print(out, "\n## {}\n\n{}.\n\n| | name | |\n|---|---|---|\n", table.identifier, table.text);
    for (const NumberRow& row : table.rows) fmt::print(out, "| {} | {} | {} |\n", row.number, row.name, row.meaning);
  }
  out << "\n## Constants\n\n| | value | |\n|---|---|---|\n";
  for (const ConstantRow& c : constants())
    fmt::print(out, "| {} | {} | {} |\n", c.identifier,
               c.value < 1000 ? fmt::format("{}", c.value) : fmt::format("{:#x}", c.value), c.meaning);
  out << "\n## Host port registers\n\nPCIe BAR 0, 32 bits each (edge.md). The machine description stands at 0x004.., "
         "one register a "
         "line.\n\n| offset | register | | |\n|---|---|---|---|\n";
#define REGISTER(id, offset, access, meaning)                                          \
  fmt::print(out, "| {:#05x} | {} | {} | {} |\n", offset, upper_case(snake_case(#id)), \
             std::string_view(#access) == "ReadOnly" ? "read" : "read, write", meaning);
#include "rtl/spec/registers.def"
#undef REGISTER
}

void write_machines(std::ostream& out) {
  const char* const names[] = {"mk2-4", "mk2-16", "mk2-64", "mk2", "bow", "mk1-4", "mk1", "small-4"};
  std::vector<Machine> machines;
  for (const char* name : names) machines.push_back(load_machine(name));
  out << "# Machines\n\nGenerated from `rtl/spec/machines/*.toml`.\n\n| |";
  for (const auto& m : machines) out << " " << m.name << " |";
  out << "\n|---|";
  for (size_t i = 0; i < machines.size(); ++i) out << "---|";
  out << "\n| tiles |";
  for (const auto& m : machines) out << " " << m.tiles() << " |";
  out << "\n| smallest exchange latency |";
  for (const auto& m : machines) out << " " << m.min_latency() << " |";
  const auto fields = machine_fields(machines[0]);
  for (size_t i = 0; i < fields.size(); ++i) {
    out << "\n| " << fields[i].first << " |";
    for (const auto& m : machines) out << " " << machine_fields(m)[i].second << " |";
  }
  out << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_reference FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, void (*page)(std::ostream&)) {
    std::ofstream out(folder / name);
    page(out);
    out.close();
    if (!out) throw std::runtime_error((folder / name).string() + " cannot be written");
  };
  try {
    write("instructions.md", write_instructions);
    write("csrs.md", write_csrs);
    write("causes.md", write_causes);
    write("words.md", write_words);
    write("machines.md", write_machines);
  } catch (const std::exception& error) {
    std::cerr << "generate_reference: " << error.what() << "\n";
    return 1;
  }
}
