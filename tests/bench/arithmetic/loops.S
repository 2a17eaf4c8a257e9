# Endless loops of six workers, for the speed of the simulation: integers only, f32 fma, packed f16 fma.

#include <tessera/encodings.h>

#define PARAMETERS 0x7c000

  .macro function name
  .section .text.\name, "ax", @progbits
  .globl \name
  .type \name, @function
\name:
  .endm
  .macro end_function name
  .size \name, . - \name
  .section .stack_sizes, "o", @progbits, .text.\name
  .4byte \name
  .uleb128 0
  .endm

# Parameters: entry, data (64 bytes a worker).
  function loop_supervisor
  li t0, PARAMETERS
  lw a0, 0(t0)
  lw a1, 4(t0)
  xipu_runall a0, a1, 64
  xipu_sync zero, 0
  ebreak
  end_function loop_supervisor

  function integer_loop
  csrr t0, TESSERA_CSR_XVBASE
.Linteger:
  lw a0, 0(t0)
  addi a0, a0, 1
  sh2add a1, a0, t0
  xor a2, a1, a0
  sw a0, 0(t0)
  add a3, a3, a2
  bnez a0, .Linteger
  xipu_exit zero
  end_function integer_loop

# x = x * a + b on eight registers; |a| < 1, so that x stays in its range and never settles: a differs between them.
  .macro load_floats load, step
  csrr t0, TESSERA_CSR_XVBASE
  \load ft0, 0(t0)
  \load ft1, \step(t0)
  \load ft2, 2*\step(t0)
  \load ft3, 3*\step(t0)
  .endm
  function fma_loop
  load_floats flw, 4
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  fmv.s fa\n, ft0  # a register that nobody has written holds no f32
  .endr
.Lfma:
  xipu_rpti 4095, 8
  fmadd.s fa0, fa0, ft0, ft1
  fmadd.s fa1, fa1, ft1, ft2
  fmadd.s fa2, fa2, ft2, ft3
  fmadd.s fa3, fa3, ft3, ft0
  fmadd.s fa4, fa4, ft0, ft2
  fmadd.s fa5, fa5, ft1, ft3
  fmadd.s fa6, fa6, ft2, ft0
  fmadd.s fa7, fa7, ft3, ft1
  j .Lfma
  end_function fma_loop

  function packed_fma_loop
  load_floats fld, 8
.Lpacked:
  xipu_rpti 4095, 4
  xipu_f16v4fma fa0, fa0, ft0, ft1
  xipu_f16v4fma fa1, fa1, ft1, ft2
  xipu_f16v4fma fa2, fa2, ft2, ft3
  xipu_f16v4fma fa3, fa3, ft3, ft0
  j .Lpacked
  end_function packed_fma_loop
