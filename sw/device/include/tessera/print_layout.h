/* What printf leaves in a tile for the host: written by tessera/print.h, read by sw/card/printed.cpp. Plain C for both.
 */
#pragma once

#include <stdint.h>

#ifndef TESSERA_PRINT_WORDS
#define TESSERA_PRINT_WORDS 128 /* of a context's buffer; PRINT_WORDS of tessera_firmware */
#endif

/* Buffers of a tile: 0..5 of the workers, then the supervisor's. */
#define TESSERA_PRINT_CONTEXTS 7
struct tessera_print_buffer {
  uint32_t used, lost; /* words in use; printfs that found no room */
  uint32_t words[TESSERA_PRINT_WORDS];
};

/* A printf: a word with the offset of its format, and from this bit on a count; then so many words. */
#define TESSERA_PRINT_COUNT_SHIFT 24
/* Of the count: the first of the words is a mask, whose bit i says that word i behind it begins a double. */
#define TESSERA_PRINT_DOUBLES 0x80

/* What the host looks at whenever the chip stops. Bytes, so that contexts write their own without disturbing others. Of
   a codelet only `printed` is used. */
struct tessera_attention {
  volatile uint8_t printed, finished;
  uint8_t reserved[2];
  int32_t code;
};
