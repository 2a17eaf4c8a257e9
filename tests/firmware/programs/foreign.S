# Firmware of somebody else: nothing of the layer is linked, so it has no way to tell its end.
  .section .text.tessera.start, "ax", @progbits
  .globl _start
_start:
  j _start
