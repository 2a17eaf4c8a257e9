/* Tile 0 ends with a code while the others wait for it. */
#include <tessera/firmware.h>

int main(void) {
  if (tessera_tile_id() == 0) return 9;
  tessera_sync_internal();
  return 0;
}
