/* Packets between a tile and the host's memory, or that of the chip's gateway, remote memory: docs/reference/edge.md.
   Only between an external or host sync and the next internal one; otherwise the tile stops with an operand exception.
   Host addresses count from 0 at the start of the memory that the host gives (`tessera run --host-memory`), remote ones
   from 0 at that of the gateway's (docs/reference/systems.md, Gateways). For the supervisor only. */
#pragma once

#include <stdint.h>
#include <string.h>
#include <tessera/machine.h>
#include <tessera/sync.h>
#include <tessera/words.h>

/* A packet of its own, as it stands in memory: word 0, further words of its kind. Returns when the last word is taken.
 */
static inline void tessera_send_packet(const uint32_t* packet, unsigned words) { xipu_hsend(packet, words); }

static inline uint32_t tessera_packet_header(unsigned kind, unsigned payload_words) {
  return TESSERA_PACKET_KIND(kind) | TESSERA_PACKET_TILE(tessera_tile_id()) | TESSERA_PACKET_WORDS(payload_words);
}

/* One packet that writes 1 to 256 words. word1: the address as the kind has it; upper: its part in word 0. */
static inline void tessera_send_words(unsigned kind, uint32_t upper, uint32_t word1, const uint32_t* from,
                                      unsigned words) {
  uint32_t packet[2 + TESSERA_MOST_PAYLOAD_WORDS];
  packet[0] = tessera_packet_header(kind, words) | upper;
  packet[1] = word1;
  memcpy(packet + 2, from, 4 * words);
  tessera_send_packet(packet, 2 + words);
}

/* The same of one that reads, and waits until they are here. */
static inline void tessera_fetch_words(unsigned kind, uint32_t upper, uint32_t word1, uint32_t* to, unsigned words) {
  const uint32_t packet[3] = {tessera_packet_header(kind, words) | upper, word1, (uint32_t)(uintptr_t)to};
  __asm__ volatile("csrw %0, %1" : : "i"(TESSERA_CSR_XCOUNT), "r"(words) : "memory");
  tessera_send_packet(packet, 3);
  xipu_sync(0, TESSERA_SYNC_RECEIVE);
}

static inline unsigned tessera_packet_part(unsigned words) {
  return words < TESSERA_MOST_PAYLOAD_WORDS ? words : TESSERA_MOST_PAYLOAD_WORDS;
}

/* Copies words to host memory; they are there at the next external or host sync. */
static inline void tessera_write_host(uint32_t host_address, const uint32_t* from, unsigned words) {
  while (words > 0) {
    const unsigned part = tessera_packet_part(words);
    tessera_send_words(TESSERA_PACKET_WRITE_HOST, 0, host_address, from, part);
    host_address += 4 * part;
    from += part;
    words -= part;
  }
}

/* Copies words from host memory and waits until they are here. */
static inline void tessera_read_host(uint32_t* to, uint32_t host_address, unsigned words) {
  while (words > 0) {
    const unsigned part = tessera_packet_part(words);
    tessera_fetch_words(TESSERA_PACKET_READ_HOST, 0, host_address, to, part);
    host_address += 4 * part;
    to += part;
    words -= part;
  }
}

/* Copies words to remote memory, byte address `address`, a multiple of 4. Reads of the same tile that are asked for
   later see them; to show them to others, read one back before the next sync. */
static inline void tessera_write_remote(uint64_t address, const uint32_t* from, unsigned words) {
  while (words > 0) {
    const unsigned part = tessera_packet_part(words);
    tessera_send_words(TESSERA_PACKET_WRITE_REMOTE, TESSERA_PACKET_CHIP((uint32_t)(address >> 34)),
                       (uint32_t)(address >> 2), from, part);
    address += 4 * part;
    from += part;
    words -= part;
  }
}

/* Copies words from remote memory and waits until they are here. */
static inline void tessera_read_remote(uint32_t* to, uint64_t address, unsigned words) {
  while (words > 0) {
    const unsigned part = tessera_packet_part(words);
    tessera_fetch_words(TESSERA_PACKET_READ_REMOTE, TESSERA_PACKET_CHIP((uint32_t)(address >> 34)),
                        (uint32_t)(address >> 2), to, part);
    address += 4 * part;
    to += part;
    words -= part;
  }
}
