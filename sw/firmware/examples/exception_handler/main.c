/* Tile 2 reads through a pointer that nobody has set. The host (host.cpp) sees the exception at the debug port, sets
   pointer and register, and lets the tile go on at the instruction that failed; the other tiles wait meanwhile. */
#include <tessera/firmware.h>

uint32_t answer = 42;
uint32_t* volatile pointer;

int main(void) {
  if (tessera_tile_id() != 2) pointer = &answer;
  const uint32_t found = *pointer;
  tessera_sync_internal();
  printf("tile %u found %u\n", tessera_tile_id(), found);
  return found == 42 ? 0 : 1;
}
