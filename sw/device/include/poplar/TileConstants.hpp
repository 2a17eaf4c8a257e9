// Numbers of the tile under the names of the vendor's header, for C, C++ and assembly. Control registers are not among
// them: those of this tile have numbers and fields of their own (TESSERA_CSR_*, tessera/encodings.h).
#pragma once

// Worker contexts.
#define CTXT_WORKERS 6

// Bits of a stride of the load and store instructions, signed.
#define NUM_STRIDE_BITS 18
