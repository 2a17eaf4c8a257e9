// tessera-disassemble: a GTKWave process filter. Reads one instruction word in hexadecimal per line, writes its
// disassembly.
#include <cstdlib>
#include <iostream>
#include <string>

#include "rtl/spec/instructions.h"

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    char* end = nullptr;
    const unsigned long word = std::strtoul(line.c_str(), &end, 16);
    // Undefined bits stay as they are shown.
    if (end == line.c_str() || *end != '\0') {
      std::cout << line << std::endl;
    } else {
      std::cout << tessera::spec::disassemble(static_cast<uint32_t>(word), 0) << std::endl;
    }
  }
}
