/* The program that the boot loader loads. */
#include <tessera/firmware.h>

static uint32_t zero[32];
static uint32_t numbers[3] = {2, 3, 5};

int main(void) {
  for (unsigned i = 0; i < 32; ++i)
    if (zero[i] != 0) return 1;
  printf("tile %u: the second program runs, %u %u %u\n", tessera_tile_id(), numbers[0], numbers[1], numbers[2]);
  return 0;
}
