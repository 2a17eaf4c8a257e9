# Start of a program under QEMU's virt machine: runs a list of {entry, state} pairs as the worker start routine does and
# ends the emulation with status 0 if the AND of the results is 1, else 1.

#define LIST 0x80200000
#define STACK_TOP 0x80300000
#define POWER 0x100000

  .section .text.qemu_start, "ax", @progbits
  .globl qemu_start
  .type qemu_start, @function
qemu_start:
  li t0, 0x6000                     # mstatus.FS: float registers on
  csrs mstatus, t0
  la t0, .Ltrap
  csrw mtvec, t0
  li sp, STACK_TOP
  li s0, LIST
  li s1, 1
.Lnext:
  lw t0, 0(s0)
  beqz t0, .Lend
  lw a0, 4(s0)
  li a1, 3
  jalr t0
  and s1, s1, a0
  addi s0, s0, 8
  j .Lnext
.Ltrap:
  li s1, 0
.Lend:
  li t0, POWER
  li t1, 0x5555                     # stop with status 0
  bnez s1, .Lstop
  li t1, 0x13333                    # stop with status 1
.Lstop:
  sw t1, 0(t0)
.Lwait:
  j .Lwait
  .size qemu_start, . - qemu_start

  .section .stack_sizes, "o", @progbits, .text.qemu_start
  .4byte qemu_start
  .uleb128 0
