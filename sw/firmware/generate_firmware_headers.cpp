// Writes what firmware knows of the hardware, from the tables that the RTL is made from: tessera/words.h (exchange
// events, packets, debug words, sync zones), tessera/host_port.h (registers of BAR 0), and for every machine
// machines/NAME/tessera/machine.h and machines/NAME/memory_map.ld. Usage: generate_firmware_headers DIRECTORY
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "rtl/spec/system.h"
#include "rtl/spec/word_tables.h"

namespace {

namespace fs = std::filesystem;
using namespace tessera::spec;

// Macros: they serve in constant expressions of C, where tables of events are made.
void add_fields(std::string& text, const WordTable& word) {
  const char* type = word.bits > 32 ? "uint64_t" : "uint32_t";
  text += fmt::format("\n/* {}. */\n", word.text);
  for (const FieldRow& field : word.fields) {
    const std::string name = fmt::format("TESSERA_{}_{}", word.prefix, upper_case(field.name));
    const uint64_t most = ~uint64_t{0} >> (63 - field.high + field.low);
    text += fmt::format(
        "#define {0}(v) (({1})(v) << {2}) /* {3} */\n#define {0}_OF(word) ((word) >> {2} & {4:#x}u)\n"
        "#define {0}_MOST {4:#x}u\n",
        name, type, field.low, field.meaning, most);
  }
}

std::string words_header() {
  std::string text =
      "/* Generated from rtl/spec/words.def and numbers.def. A word is the OR of its fields: TESSERA_EVENT_DELAY(v), "
      "of at\n"
      "   most TESSERA_EVENT_DELAY_MOST, is put where TESSERA_EVENT_DELAY_OF(word) takes it from. */\n"
      "#pragma once\n\n#include <stdint.h>\n";
  for (const WordTable& word : tessera::spec::word_tables())
    if (word.bits <= 64) add_fields(text, word);
  for (const NumberTable& table : tessera::spec::number_tables()) {
    text += fmt::format("\n/* {}. */\n", table.text);
    for (const NumberRow& row : table.rows)
      text += fmt::format("#define TESSERA_{}_{} {} /* {} */\n", table.prefix, upper_case(snake_case(row.identifier)),
                          row.number, row.meaning);
  }
  text += "\n";
  for (const ConstantRow& c : tessera::spec::constants())
    text +=
        fmt::format("#define TESSERA_{} {:#x} /* {} */\n", upper_case(snake_case(c.identifier)), c.value, c.meaning);
  return text;
}

std::string host_port_header() {
  std::string text =
      "/* Generated from rtl/spec/registers.def: byte offsets in PCIe BAR 0, for programs of the host. */\n"
      "#pragma once\n\n";
#define REGISTER(id, offset, access, meaning) \
  text += fmt::format("#define TESSERA_REG_{} {:#05x} /* {} */\n", upper_case(snake_case(#id)), offset, meaning);
#include "rtl/spec/registers.def"
#undef REGISTER
  return text;
}

std::string machine_header(const Machine& machine) {
  std::string text = fmt::format(
      "/* Machine {0}: generated from its description. */\n#pragma once\n\n#define TESSERA_MACHINE_NAME \"{0}\"\n",
      machine.name);
  // In two halves: the assembler takes no suffix, and C wants one.
  text += fmt::format("#define TESSERA_MACHINE_HASH_LOW {:#x}\n#define TESSERA_MACHINE_HASH_HIGH {:#x}\n",
                      machine.hash() & 0xffffffff, machine.hash() >> 32);
  for (const auto& [name, value] : tessera::spec::machine_fields(machine))
    text += fmt::format("#define TESSERA_{} {:#x}\n", upper_case(name), value);
  return text + fmt::format("#define TESSERA_TILES {}\n", machine.tiles());
}

std::string memory_map(const Machine& machine) {
  return fmt::format(
      "/* Machine {}: generated from its description. */\n"
      "__memory_base = {:#x};\n__memory_end = {:#x};\n__region1_base = {:#x};\n__element_bytes = {:#x};\n",
      machine.name, machine.memory_base, machine.memory_end(), machine.region1_base, machine.element_bytes);
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path.string() + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: generate_firmware_headers DIRECTORY\n";
    return 2;
  }
  try {
    const fs::path root = argv[1];
    write(root / "tessera/words.h", words_header());
    write(root / "tessera/host_port.h", host_port_header());
    std::vector<std::string> names = tessera::spec::machine_names();
    for (const std::string& name : tessera::spec::system_names()) names.push_back(name);
    for (const std::string& name : names) {
      const tessera::spec::System system = tessera::spec::load_system(name);
      if (system.chips.size() != 1) continue;  // firmware is made for one chip
      const Machine& machine = system.chips.front();
      write(root / "machines" / name / "tessera/machine.h", machine_header(machine));
      write(root / "machines" / name / "memory_map.ld", memory_map(machine));
    }
  } catch (const std::exception& error) {
    std::cerr << "generate_firmware_headers: " << error.what() << "\n";
    return 1;
  }
}
