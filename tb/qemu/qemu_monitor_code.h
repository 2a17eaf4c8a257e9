// The machine-mode code that takes QEMU from program to program and keeps the registers each leaves.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::test {

// What the code reads and writes for a program, at kTable + n * kStride in physical memory. An entry whose satp is 0
// ends the machine.
namespace qemu_table {
constexpr uint32_t kStride = 512;
constexpr uint32_t kSatp = 0, kEntry = 4, kCause = 8, kPc = 12, kFcsr = 16;
constexpr uint32_t kIntegers = 32;             // 32 words
constexpr uint32_t kFloats = kIntegers + 128;  // 32 double words
}  // namespace qemu_table

// Code for physical address `base`; the table is at `table`.
std::vector<uint32_t> qemu_monitor_code(uint32_t base, uint32_t table);

}  // namespace tessera::test
