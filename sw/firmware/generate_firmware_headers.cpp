// Writes what firmware knows of the hardware, from the tables that the RTL is made from: tessera/words.h (exchange
// events, packets), tessera/host_port.h (registers of BAR 0), and for every machine machines/NAME/tessera/machine.h and
// machines/NAME/memory_map.ld. Usage: generate_firmware_headers DIRECTORY
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "rtl/spec/system.h"
#include "rtl/spec/word_layouts.h"

namespace {

namespace fs = std::filesystem;
using tessera::spec::Machine;

std::string upper(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

// DebugSelect -> DEBUG_SELECT
std::string spaced(const std::string& identifier) {
  std::string name;
  for (char c : identifier) {
    if (!name.empty() && std::isupper(static_cast<unsigned char>(c))) name += '_';
    name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string field(const std::string& word, const char* name, unsigned high, unsigned low, const char* meaning) {
  const std::string prefix = "TESSERA_" + word + "_" + upper(name);
  return fmt::format("#define {0}_SHIFT {1} /* {2} */\n#define {0}_MOST {3:#x}u\n", prefix, low, meaning,
                     (uint64_t{1} << (high - low + 1)) - 1);
}

std::string words_header() {
  std::string text =
      "/* Generated from rtl/spec/word_layouts.h. A field f of value v: (v) << f_SHIFT, v <= f_MOST. */\n"
      "#pragma once\n\n/* Exchange events, 64 bits. */\n";
#define FIELD(name, high, low, meaning) text += field("EVENT", #name, high, low, meaning);
  TESSERA_EVENT_FIELDS(FIELD)
#undef FIELD
  text += "\n/* Word 0 of a packet. */\n";
#define FIELD(name, high, low, meaning) text += field("PACKET", #name, high, low, meaning);
  TESSERA_PACKET_FIELDS(FIELD)
#undef FIELD
#define KIND(name, number, meaning) \
  text += fmt::format("#define TESSERA_PACKET_{} {} /* {} */\n", upper(#name), number, meaning);
  TESSERA_PACKET_KINDS(KIND)
#undef KIND
  return text + fmt::format("#define TESSERA_PACKET_MOST_WORDS {}\n#define TESSERA_PACKET_MOST_PAYLOAD {}\n",
                            kMostPacketWords, kMostPayloadWords);
}

std::string host_port_header() {
  std::string text =
      "/* Generated from rtl/spec/registers.def: byte offsets in PCIe BAR 0, for programs of the host. */\n"
      "#pragma once\n\n";
#define REGISTER(id, offset, access, meaning) \
  text += fmt::format("#define TESSERA_REG_{} {:#05x} /* {} */\n", spaced(#id), offset, meaning);
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
    text += fmt::format("#define TESSERA_{} {:#x}\n", upper(name), value);
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
