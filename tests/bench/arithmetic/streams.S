# Memory kernels of six workers: reading 128 bits an instruction, copying, adding two vectors of half. Each worker has a vertex
# state of 32 bytes that the loader wrote; the supervisor starts all six and waits.

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

# Parameters: entry, vertex states. The cycles it took are left in s11 - s10.
  function streams_supervisor
  csrr s10, TESSERA_CSR_CYCLE
  li t0, PARAMETERS
  lw a0, 0(t0)
  lw a1, 4(t0)
  xipu_runall a0, a1, 32
  xipu_sync zero, 0
  csrr s11, TESSERA_CSR_CYCLE
  ebreak
  end_function streams_supervisor

# State: address, number of 16-byte reads. The last 16 bytes end up in ft0, ft1.
  function read_128
  csrr t0, TESSERA_CSR_XVBASE
  lw a0, 0(t0)
  lw a1, 4(t0)
  xipu_rpt a1, 1
  xipu_ld128step ft0, a0, 16
  xipu_exit zero
  end_function read_128

# State: triple (a0 = source + 8, a2 = destination), source, words - 1. What a step loads is stored by the next one.
  function copy_64
  csrr t0, TESSERA_CSR_XVBASE
  lw a0, 8(t0)
  lw a1, 12(t0)
  fld fa0, 0(t0)
  fld ft0, 0(a0)
  xipu_rpt a1, 1
  xipu_ldst64pace ft0, fa0, ft0, 0
  xipu_taget a2, fa0, 2
  fsd ft0, 0(a2)
  xipu_exit zero
  end_function copy_64

# State: triple of two inputs and the output, words. The loop stores the sums of the turn before, so the first turn is outside it.
  function add_f16
  csrr t0, TESSERA_CSR_XVBASE
  lw a1, 8(t0)
  fld fa0, 0(t0)
  xipu_ld2x64pace ft0, fa0, 0
  xipu_f16v4add ft2, ft0, ft1
  xipu_rpt a1, 2
  xipu_ld2xst64pace ft0, fa0, ft2, 0
  xipu_f16v4add ft2, ft0, ft1
  xipu_taget a2, fa0, 2
  fsd ft2, 0(a2)
  xipu_exit zero
  end_function add_f16
