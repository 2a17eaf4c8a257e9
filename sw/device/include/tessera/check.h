// What codelets compiled with `popc --check` test at run time, and how a test that fails stops the tile: an instruction
// that no tile executes, whose number tells the kind, with what was found in a0, a1, ... The report reads them
// (program/check_trap.h). In a plain build nothing of this is there.
#pragma once

#ifdef __TESSERA_CHECK__

#define TESSERA_CHECK_INDEX_TRAP 1

namespace tessera::check {

// `vector`: where pointer and size stand in memory.
[[noreturn, gnu::always_inline]] __attribute__((no_sanitize("undefined"))) inline void bad_index(const void* vector,
                                                                                                 unsigned index,
                                                                                                 unsigned size) {
  register const void* a0 __asm__("a0") = vector;
  register unsigned a1 __asm__("a1") = index;
  register unsigned a2 __asm__("a2") = size;
  // Not merged with others, so that each has its line.
  [[clang::nomerge]] __asm__ volatile("csrrwi zero, 0xc00, %3" : : "r"(a0), "r"(a1), "r"(a2),
                                      "i"(TESSERA_CHECK_INDEX_TRAP) : "memory");
  __builtin_unreachable();
}

}  // namespace tessera::check

#define TESSERA_CHECK_INDEX(vector, index, size) \
  ((index) < (size) ? (void)0 : ::tessera::check::bad_index((vector), (index), (size)))
// Vectors differ from those of a plain build, and so do the names of functions that take them: a program may have
// codelets of both kinds.
#define TESSERA_CHECKED_TYPE __attribute__((abi_tag("checked")))

#else

#define TESSERA_CHECK_INDEX(vector, index, size) ((void)0)
#define TESSERA_CHECKED_TYPE

#endif
