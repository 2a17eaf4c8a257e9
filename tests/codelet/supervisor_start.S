# A supervisor for one test: starts the worker routine on six lists, waits for the workers, keeps the local consensus in a2
# and stops with trap 1.

#define CSR_XLC 0x803
#define LISTS 0x7c000
#define LIST_BYTES 64

  .section .text.supervisor_start, "ax", @progbits
  .globl supervisor_start
  .type supervisor_start, @function
supervisor_start:
  li t0, 1
  csrw CSR_XLC, t0
  la a0, __tessera_worker
  li a1, LISTS
  .insn s 0x0b, 1, a1, LIST_BYTES(a0)    # runall a0, a1, LIST_BYTES
  .insn i 0x0b, 3, x0, x0, 0             # sync local
  csrr a2, CSR_XLC
  .insn i 0x0b, 6, x0, x0, 1             # trap 1
  .size supervisor_start, . - supervisor_start

  .section .stack_sizes, "o", @progbits, .text.supervisor_start
  .4byte supervisor_start
  .uleb128 0
