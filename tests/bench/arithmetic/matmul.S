# C += A B on one tile: six workers stream rows of A and C through the matrix engine, one paced step per issue slot; the
# supervisor changes the weights (a panel of B) while no worker runs. Launch keeps accumulators, latches and registers, so
# the streams run on from panel to panel without filling or draining: a launch costs a worker no step.
#
# A is row-major. C is blocked by the engine's 16 outputs: [N / 16][rows][16]. B is a list of panels of 512 bytes in the order of the
# weight state, K block by K block within an N block. A worker has a chunk of rows.
#
# Streams. Element e of X, P, R is 64 bits; step t (counted over all panels) of a row of K steps uses P element t + K (the partial
# sums of the next row), leaves R element t - K (the results of the row before), and loads for t + 1 and stores what t - 1 left. So
# step t loads P element t + K + 1 and stores R element t - K - 1, and the addresses jump to the next panel
#   X (stride 1 at the end of a row, stride 2 at the end of the panel)  in the panel's last row
#   P (stride 3)                                                         in its last but one
#   R (stride 3)                                                         in the second row of the next panel.
# Operands `in` and `out` of the steps: see encodings.h.

#include <tessera/encodings.h>

#define PARAMETERS 0x7c000
#define ALL (XIPU_LOAD_X | XIPU_LOAD_P | XIPU_STORE_R)

# Vertex state: triple, rows - 4, stride 1, strides 2 and 3 within an N block, strides 2 and 3 to the next one.
  .macro load_state
  csrr t0, TESSERA_CSR_XVBASE
  fld fa0, 0(t0)
  lw a0, 8(t0)
  lw a1, 12(t0)
  lw a2, 16(t0)
  lw a3, 20(t0)
  lw a4, 24(t0)
  lw a5, 28(t0)
  csrw TESSERA_CSR_XSTRIDE1, a1
  csrw TESSERA_CSR_XSTRIDE2, a2
  csrw TESSERA_CSR_XSTRIDE3, a3
  xipu_zacc
  .endm

# A row of four steps. in2: of step 2, where X and P cross to another row; out0: of step 0, where R does.
  .macro row4 step, in2, out0
  \step fa0, 0, 0, \out0
  \step fa0, 1, 0, 28
  \step fa0, 2, \in2, 28
  \step fa0, 3, 0, 28
  .endm
# Before the first row: its partial sums enter, its first X is loaded. Then two rows whose results have nowhere to go yet.
  .macro begin4 step
  \step fa0, 3, 0, 8
  \step fa0, 0, 0, 8
  \step fa0, 1, 0, 8
  \step fa0, 2, 0, 8
  \step fa0, 3, 0, 12
  \step fa0, 0, 0, 12
  \step fa0, 1, 0, 12
  \step fa0, 2, 1, 12
  \step fa0, 3, 0, 12
  row4 \step, 1, 12
  .endm
# The first two rows of a later panel: R is a panel behind until the second.
  .macro enter4 step
  row4 \step, 1, 28
  row4 \step, 1, 31
  .endm
# All rows but the first two.
  .macro finish4 step
  xipu_rpt a0, 4
  row4 \step, 1, 28
  row4 \step, 13, 28
  row4 \step, 2, 28
  xipu_exit zero
  .endm
  .macro drain4 step
  \step fa0, 0, 0, 16
  \step fa0, 1, 0, 16
  \step fa0, 2, 0, 16
  \step fa0, 3, 0, 16
  \step fa0, 0, 0, 16
  xipu_exit zero
  .endm

# The same with eight steps: X moves every second step, crosses in step 5; P crosses in step 6.
  .macro row8 step, in5, in6, out0
  \step fa0, 0, 0, \out0
  \step fa0, 1, 0, 28
  \step fa0, 2, 0, 24
  \step fa0, 3, 0, 28
  \step fa0, 4, 0, 24
  \step fa0, 5, \in5, 28
  \step fa0, 6, \in6, 24
  \step fa0, 7, 0, 28
  .endm
  .macro begin8 step
  \step fa0, 7, 0, 8
  .irp phase, 0, 1, 2, 3, 4, 5, 6
  \step fa0, \phase, 0, 8
  .endr
  \step fa0, 7, 0, 12
  \step fa0, 0, 0, 8
  \step fa0, 1, 0, 12
  \step fa0, 2, 0, 8
  \step fa0, 3, 0, 12
  \step fa0, 4, 0, 8
  \step fa0, 5, 1, 12
  \step fa0, 6, 0, 8
  \step fa0, 7, 0, 12
  row8 \step, 1, 0, 8
  .endm
  .macro enter8 step
  row8 \step, 1, 0, 24
  row8 \step, 1, 0, 27
  .endm
  .macro finish8 step
  xipu_rpt a0, 8
  row8 \step, 1, 0, 24
  row8 \step, 1, 12, 24
  row8 \step, 2, 0, 24
  xipu_exit zero
  .endm
  .macro drain8 step
  .irp phase, 0, 1, 2, 3, 4, 5, 6, 7, 0
  \step fa0, \phase, 0, 16
  .endr
  xipu_exit zero
  .endm

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

# Entries of a worker: the first panel; a panel in the middle of an N block; the last one of a block, which must jump to the next
# block; the first one of a later block; and the end.
  .macro matmul name, step, steps
  function \name\()_begin
  load_state
  begin\steps \step
  finish\steps \step
  end_function \name\()_begin
  function \name\()_panel
  enter\steps \step
  finish\steps \step
  end_function \name\()_panel
  function \name\()_last
  enter\steps \step
  csrw TESSERA_CSR_XSTRIDE2, a4
  csrw TESSERA_CSR_XSTRIDE3, a5
  finish\steps \step
  end_function \name\()_last
  function \name\()_first
  enter\steps \step
  csrw TESSERA_CSR_XSTRIDE2, a2
  csrw TESSERA_CSR_XSTRIDE3, a3
  finish\steps \step
  end_function \name\()_first
  function \name\()_end
  drain\steps \step
  end_function \name\()_end
  .endm

  matmul matmul_f16, xipu_f16v4hihov4amppace, 4
  matmul matmul_f8, xipu_f8v8hihov4amppace, 4
  matmul matmul_f32, xipu_f32sisov2amppace, 8

# Parameters: weights, vertex states (32 bytes each), list of entries, its end. The cycles it took are left in s11 - s10.
  function matmul_supervisor
  csrr s10, TESSERA_CSR_CYCLE
  li t0, PARAMETERS
  lw a0, 0(t0)
  lw a1, 4(t0)
  lw t1, 8(t0)
  lw t2, 12(t0)
.Lpanel:
  lw t0, 0(t1)
  addi t1, t1, 4
  xipu_sync zero, 0
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  xipu_ld128putcs a0, \n
  .endr
  addi a0, a0, 512
  xipu_runall t0, a1, 32
  bne t1, t2, .Lpanel
  lw t0, 0(t1)
  xipu_sync zero, 0
  xipu_runall t0, a1, 32
  xipu_sync zero, 0
  csrr s11, TESSERA_CSR_CYCLE
  ebreak
  end_function matmul_supervisor
