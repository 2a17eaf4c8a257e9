// The instruction by which a checked build of codelets stops a tile, `csrrwi x0, cycle, kind`: no tile may execute it,
// and the exception that it raises tells the kind. What the checks leave in a0, a1, ...:
// sw/device/include/tessera/check.h and sw/device/runtime/checks.S, whose numbers are these.
#pragma once

#include <cstdint>

namespace tessera::names {

enum class CheckKind : uint8_t {
  kNone = 0,
  kIndex = 1,          // a0: the field's pointer and size in memory, a1: index, a2: size
  kAssert = 2,         // a0: text of the condition, a1: file, a2: line
  kLibraryAssert = 3,  // a0: file, a1: line, a2: function, a3: condition (of the C++ library)
  kArrayIndex = 4,     // a0: what clang says of the place, a1: index; the same for all that follow
  kPointer = 5,        // a1: pointer that is null or misaligned
  kDivision = 6,       // a1, a2: operands
  kUnreachable = 7,    // a place that the program says is never reached
  kNoReturn = 8,       // the end of a function that should have returned a value
  kInvalidValue = 9,   // a1: a value that its type does not have
};

constexpr CheckKind check_kind(uint32_t instruction) {
  const uint32_t kind = instruction >> 15 & 31;
  return (instruction & ~(31u << 15)) == 0xc0005073 && kind <= 9 ? static_cast<CheckKind>(kind) : CheckKind::kNone;
}

}  // namespace tessera::names
