/* Meeting points of the supervisors: docs/reference/tile.md, Sync instruction. For the supervisor only. */
#pragma once

#include <stdbool.h>
#include <tessera/words.h> /* TESSERA_SYNC_INTERNAL, ... */
#include <tessera/xipu.h>

static inline void tessera_sync_internal(void) { xipu_sync(0, TESSERA_SYNC_INTERNAL); }
static inline void tessera_sync_external(void) { xipu_sync(0, TESSERA_SYNC_EXTERNAL); }

/* Consensus: whether every tile came with a true value. */
static inline bool tessera_sync_all(bool value) {
  uint32_t all;
  xipu_sync((uint32_t)value, TESSERA_SYNC_ZONE(TESSERA_SYNC_INTERNAL) | TESSERA_SYNC_CONTRIBUTES(1));
  __asm__ volatile("csrr %0, %1" : "=r"(all) : "i"(TESSERA_CSR_XGC) : "memory");
  return all != 0;
}

/* The host prints what was printed and answers with a mark: the number of the host sync, from 1, in 16 bits, never 0.
 */
static inline uint32_t tessera_sync_host(void) {
  uint32_t mark;
  xipu_sync(0, TESSERA_SYNC_HOST);
  __asm__ volatile("csrr %0, %1" : "=r"(mark) : "i"(TESSERA_CSR_XMARK) : "memory");
  return mark;
}
