/* Says so and then never comes to a sync: ended by the budget of a compute phase, or by a limit of cycles. */
#include <tessera/firmware.h>

int main(void) {
  if (tessera_tile_id() == 1) printf("tile 1 begins\n");
  for (volatile unsigned i = 0;;) i = i + 1;
}
