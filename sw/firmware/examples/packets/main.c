/* Packets in both directions: every tile fetches its part of an array in host memory, adds its number to each word, and
   writes it back behind the array. More words than a packet holds.

     tessera run packets.elf --host-memory 32k --input in.bin --output out.bin@0x3000:4800 */
#include <tessera/firmware.h>

enum { kWords = 300, kResult = 0x3000 };

static uint32_t block[kWords];

int main(void) {
  const uint32_t place = tessera_tile_id() * sizeof block;
  tessera_sync_external(); /* from here on, packets */
  tessera_read_host(block, place, kWords);
  for (unsigned i = 0; i < kWords; ++i) block[i] += tessera_tile_id();
  tessera_write_host(kResult + place, block, kWords);
  const uint32_t mark = tessera_sync_host();
  printf("tile %u: %u words there and back, host sync %u\n", tessera_tile_id(), kWords, mark);
  return 0;
}
