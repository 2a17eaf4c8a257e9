/* More printed than a buffer of 8 words holds; a host sync makes room again. */
#include <tessera/firmware.h>

int main(void) {
  for (unsigned i = 0; i < 6; ++i)
    if (tessera_tile_id() == 2) printf("line %u\n", i);
  tessera_sync_host();
  if (tessera_tile_id() == 2) printf("after the sync\n");
  return 0;
}
