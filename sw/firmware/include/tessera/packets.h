/* Packets between a tile and the host's memory: docs/reference/edge.md. Only between an external or host sync and the
   next internal one; otherwise the tile stops with an operand exception. Host addresses count from 0 at the start of
   the memory that the host gives (`tessera run --host-memory`). For the supervisor only. */
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

/* Copies words to host memory; they are there at the next external or host sync. */
static inline void tessera_write_host(uint32_t host_address, const uint32_t* from, unsigned words) {
  uint32_t packet[2 + TESSERA_MOST_PAYLOAD_WORDS];
  while (words > 0) {
    const unsigned part = words < TESSERA_MOST_PAYLOAD_WORDS ? words : TESSERA_MOST_PAYLOAD_WORDS;
    packet[0] = tessera_packet_header(TESSERA_PACKET_WRITE_HOST, part);
    packet[1] = host_address;
    memcpy(packet + 2, from, 4 * part);
    tessera_send_packet(packet, 2 + part);
    host_address += 4 * part;
    from += part;
    words -= part;
  }
}

/* Copies words from host memory and waits until they are here. */
static inline void tessera_read_host(uint32_t* to, uint32_t host_address, unsigned words) {
  uint32_t packet[3];
  while (words > 0) {
    const unsigned part = words < TESSERA_MOST_PAYLOAD_WORDS ? words : TESSERA_MOST_PAYLOAD_WORDS;
    packet[0] = tessera_packet_header(TESSERA_PACKET_READ_HOST, part);
    packet[1] = host_address;
    packet[2] = (uint32_t)(uintptr_t)to;
    __asm__ volatile("csrw %0, %1" : : "i"(TESSERA_CSR_XCOUNT), "r"(part) : "memory");
    tessera_send_packet(packet, 3);
    xipu_sync(0, TESSERA_SYNC_RECEIVE);
    host_address += 4 * part;
    to += part;
    words -= part;
  }
}
