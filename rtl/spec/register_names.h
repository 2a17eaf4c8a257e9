// Names of registers as assembly and gdb write them: what traces, reports, waves, faults and messages call them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::spec {

constexpr std::array<const char*, 32> kIntegerRegisters = {
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
constexpr std::array<const char*, 32> kFloatRegisters = {
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

// Its number, 32 when there is none of the name.
constexpr unsigned integer_register(std::string_view name) {
  unsigned number = 0;
  while (number < kIntegerRegisters.size() && name != kIntegerRegisters[number]) ++number;
  return number;
}
constexpr unsigned kReturnAddress = integer_register("ra"), kStackPointer = integer_register("sp"),
                   kFirstArgument = integer_register("a0");
static_assert(kReturnAddress < 32 && kStackPointer < 32 && kFirstArgument < 32);

struct RegisterNumber {
  bool is_float = false;
  uint8_t number = 0;
  bool operator==(const RegisterNumber&) const = default;
};

constexpr const char* register_name(RegisterNumber r) {
  return (r.is_float ? kFloatRegisters : kIntegerRegisters)[r.number & 31];
}
// By its name, or by its number as in x13 and f3; none: there is no such register.
std::optional<RegisterNumber> find_register(std::string_view name);

}  // namespace tessera::spec
