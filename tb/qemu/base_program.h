// Random programs of the standard part of the instruction set (RV32IM, Zicsr, Zba, Zbb, F, Zfh, the container part of
// D), for a worker of a tile and for a RISC-V machine. Six of them share a memory: one per worker.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/random/program_generator.h"

namespace tessera::test {

struct BaseProgram {
  uint32_t entry = 0;
  uint32_t end = 0;                             // address of the word that ends it; not in the images
  std::vector<Image> images;                    // code and data
  uint32_t data[2] = {0, 0};                    // its two data areas
  static constexpr uint32_t kDataBytes = 1024;  // of each
};

constexpr unsigned kProgramsInMemory = 6;
BaseProgram random_base_program(uint64_t seed, unsigned worker);

}  // namespace tessera::test
