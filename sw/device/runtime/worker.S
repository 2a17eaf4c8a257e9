# Start routine of a worker: runs its list of vertices and exits with the AND of their results.
#
# CSR xvbase points at the list: stack top, stack limit, then pairs {entry, state} up to an entry of 0.

#include <tessera/encodings.h>

  .section .text.__tessera_worker, "ax", @progbits
  .globl __tessera_worker
  .type __tessera_worker, @function
__tessera_worker:
  csrr s0, TESSERA_CSR_XVBASE
  lw sp, 0(s0)
  lw t0, 4(s0)
  csrw TESSERA_CSR_XSTACKLIMIT, t0
  csrr s2, TESSERA_CSR_XWID
  li s1, 1
  lw t0, 8(s0)
  beqz t0, .Lend
.Lnext:
  lw a0, 12(s0)
  mv a1, s2
  jalr t0
  and s1, s1, a0
  addi s0, s0, 8
  lw t0, 8(s0)
  bnez t0, .Lnext
.Lend:
  xipu_exit s1
  .size __tessera_worker, . - __tessera_worker

# The list gives each vertex its stack: the routine itself uses none.
  .section .stack_sizes, "o", @progbits, .text.__tessera_worker
  .4byte __tessera_worker
  .uleb128 0
