# Where a tile begins: stacks and their limits, constructors, main; and where its workers begin.
# Memory is zero after reset, so nothing is cleared here; who loads a second program clears its .bss.

#include <tessera/encodings.h>
#include <tessera/machine.h>

  .section .text.tessera.start, "ax", @progbits
  .globl _start
  .type _start, @function
_start:
  la sp, __supervisor_stack_top
  la t0, __supervisor_stack_limit
  csrw TESSERA_CSR_XSTACKLIMIT, t0
  li t0, 1
  csrw TESSERA_CSR_XLC, t0
  la s0, __init_array_start
  la s1, __init_array_end
1:
  beq s0, s1, 2f
  lw t0, 0(s0)
  addi s0, s0, 4
  jalr t0
  j 1b
2:
  call main
  tail tessera_exit
  .size _start, . - _start

# xvbase points at a struct tessera_task. Worker n has the n-th stack below __worker_stacks_top.
  .section .text.tessera.worker_start, "ax", @progbits
  .globl __tessera_worker_start
  .type __tessera_worker_start, @function
__tessera_worker_start:
  csrr s0, TESSERA_CSR_XVBASE
  csrr a1, TESSERA_CSR_XWID
  la t0, __worker_stack_bytes
  mul t1, t0, a1
  la sp, __worker_stacks_top
  sub sp, sp, t1
  sub t1, sp, t0
  csrw TESSERA_CSR_XSTACKLIMIT, t1
  lw t0, 0(s0)
  lw a0, 4(s0)
  jalr t0
  xipu_exit a0
  .size __tessera_worker_start, . - __tessera_worker_start

# Which machine this was built for: not loaded, read by `tessera run`.
  .section .tessera.machine, "", @progbits
  .4byte TESSERA_MACHINE_HASH_LOW, TESSERA_MACHINE_HASH_HIGH
  .asciz TESSERA_MACHINE_NAME
