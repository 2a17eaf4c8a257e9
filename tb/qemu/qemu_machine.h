// Runs base programs on qemu-system-riscv32, machine virt, many in one process: each in supervisor mode under a page
// table that puts its memory at the tile's addresses, from a start with all registers zero to its ecall.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base_program.h"

namespace tessera::test {

struct RegisterState {
  std::array<uint32_t, 32> x{};
  std::array<uint64_t, 32> f{};
  uint32_t fcsr = 0;
};

struct QemuResult {
  RegisterState registers;
  uint32_t cause = 0;  // mcause at its end: 9 is the ecall
  uint32_t pc = 0;
  std::vector<uint32_t> data;  // its data areas, one after the other
};

// Throws std::runtime_error with one line when QEMU cannot be run. Programs come in memories of kProgramsInMemory.
std::vector<QemuResult> run_on_qemu(const std::vector<BaseProgram>& programs);

}  // namespace tessera::test
