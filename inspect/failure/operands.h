// What an instruction reads, from its word.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/spec/register_names.h"

namespace tessera::inspect::failure {

using Source = spec::RegisterNumber;
std::vector<Source> sources_of(uint32_t instruction);  // each once; x0 is left out

// Memory access of an instruction with one address; bytes 0: it has none, or several addresses in one register.
struct Access {
  bool store = false;
  unsigned bytes = 0;
  uint8_t base = 0;    // integer register
  int32_t offset = 0;  // to its value before the instruction
};
Access access_of(uint32_t instruction);

}  // namespace tessera::inspect::failure
