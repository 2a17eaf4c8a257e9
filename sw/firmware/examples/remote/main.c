/* Streaming memory: every tile fetches its part of an array in the memory of the chip's gateway, above 4 GiB, adds its
   number to each word, and writes it back behind the array. More words than a packet holds.

     tessera run remote.elf --machine mk2-4x4:0 --remote-input in.bin@0x7fffff000 --remote-output out.bin@0x800002000:4800
 */
#include <tessera/firmware.h>

enum { kWords = 300 };

static const uint64_t kArray = 0x7fffff000, kResult = 0x800002000;
static uint32_t block[kWords];

int main(void) {
  const uint64_t place = tessera_tile_id() * sizeof block;
  tessera_sync_external(); /* from here on, packets */
  tessera_read_remote(block, kArray + place, kWords);
  for (unsigned i = 0; i < kWords; ++i) block[i] += tessera_tile_id();
  tessera_write_remote(kResult + place, block, kWords);
  uint32_t last;
  tessera_read_remote(&last, kResult + place + sizeof block - 4, 1); /* then all is there */
  tessera_sync_external();
  printf("tile %u: %u words there and back, the last %u\n", tessera_tile_id(), kWords, last);
  return 0;
}
