# Where the tests of a checked build end when they fail (tessera/check.h): those that the compiler writes, assert(), and the
# assertions of the C++ library. The report finds what was wrong in a0, a1, ... and the place of the call in ra.

# The kinds of program/check_trap.h.
  .macro stops name, kind
  .section .text.\name, "ax", @progbits
  .globl \name
  .type \name, @function
\name:
  csrrwi zero, 0xc00, \kind
  .size \name, . - \name
  .section .stack_sizes, "o", @progbits, .text.\name
  .4byte \name
  .uleb128 0
  .endm

  stops __assert_fail, 2
  stops _ZSt21__glibcxx_assert_failPKciS0_S0_, 3
  stops __ubsan_handle_out_of_bounds_abort, 4
  stops __ubsan_handle_type_mismatch_v1_abort, 5
  stops __ubsan_handle_divrem_overflow_abort, 6
  stops __ubsan_handle_builtin_unreachable, 7
  stops __ubsan_handle_missing_return, 8
  stops __ubsan_handle_load_invalid_value_abort, 9
