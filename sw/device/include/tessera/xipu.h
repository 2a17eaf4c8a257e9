// The system registers of a tile that codelets read; the instructions of the extension are macros of encodings.h.
#pragma once

#include <stdint.h>
#include <tessera/encodings.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t tessera_tile_id(void) {
  uint32_t value;
  __asm__("csrr %0, %1" : "=r"(value) : "i"(TESSERA_CSR_XTILE));
  return value;
}

// 0..5 in a worker, 6 in the supervisor.
static inline uint32_t tessera_worker_id(void) {
  uint32_t value;
  __asm__("csrr %0, %1" : "=r"(value) : "i"(TESSERA_CSR_XWID));
  return value;
}

// Low word of the chip's cycle count.
static inline uint32_t tessera_cycle(void) {
  uint32_t value;
  __asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(TESSERA_CSR_CYCLE) : "memory");
  return value;
}

// All 64 bits: read again until the high word stood still.
static inline uint64_t tessera_cycle64(void) {
  uint32_t low, high, again;
  do {
    __asm__ volatile("csrr %0, %4\n csrr %1, %3\n csrr %2, %4"
                     : "=r"(high), "=r"(low), "=r"(again)
                     : "i"(TESSERA_CSR_CYCLE), "i"(TESSERA_CSR_CYCLEH)
                     : "memory");
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

#ifdef __cplusplus
}
#endif
