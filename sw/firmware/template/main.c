/* Every tile says hello, and so do its six workers. */
#include <tessera/firmware.h>

static bool hello(void* argument, unsigned worker) {
  printf("hello from worker %u of tile %u\n", worker, tessera_tile_id());
  return argument == 0;
}

int main(void) {
  static const struct tessera_task task = {hello, 0};
  printf("hello from tile %u of %u\n", tessera_tile_id(), TESSERA_TILES);
  tessera_run_all(&task);
  return tessera_wait_workers() ? 0 : 1;
}
