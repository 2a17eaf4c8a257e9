// The system registers of a tile that codelets read. Numbers are those of rtl/spec/csrs.def.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t tessera_tile_id(void) {
  uint32_t value;
  __asm__("csrr %0, 0xfc0" : "=r"(value));
  return value;
}

// 0..5 in a worker, 6 in the supervisor.
static inline uint32_t tessera_worker_id(void) {
  uint32_t value;
  __asm__("csrr %0, 0xfc1" : "=r"(value));
  return value;
}

// Low word of the chip's cycle count.
static inline uint32_t tessera_cycle(void) {
  uint32_t value;
  __asm__ volatile("csrr %0, 0xc00" : "=r"(value)::"memory");
  return value;
}

// All 64 bits: read again until the high word stood still.
static inline uint64_t tessera_cycle64(void) {
  uint32_t low, high, again;
  do {
    __asm__ volatile("csrr %0, 0xc80\n csrr %1, 0xc00\n csrr %2, 0xc80" : "=r"(high), "=r"(low), "=r"(again)::"memory");
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

#ifdef __cplusplus
}
#endif
