// Instructions that a compiler put into firmware and no tile executes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/firmware/host/elf_image.h"

namespace tessera::firmware {

// Double arithmetic: clang has it whenever it has the 64-bit loads and stores, which tiles do have. In functions only,
// so that data beside them are not taken for it.
struct DoubleArithmetic {
  uint32_t address = 0, word = 0;
  std::string function;
};
std::vector<DoubleArithmetic> double_arithmetic(const ElfImage& image);

}  // namespace tessera::firmware
