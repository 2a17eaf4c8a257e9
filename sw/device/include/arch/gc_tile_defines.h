// The vendor's header of a tile's numbers: those that mean the same here.
#pragma once

#include <tessera/encodings.h>
#include <poplar/TileConstants.hpp>

// The control register that tells a worker which one it is, and where in it: that field alone.
#define CSR_W_WSR__INDEX TESSERA_CSR_XWID
#define CSR_W_WSR__CTXTID_M1__MASK 0x7
