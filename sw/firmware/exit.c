/* The end of a tile's program. */
#include <tessera/firmware.h>

void tessera_exit(int code) {
  tessera_attention.code = code;
  tessera_attention.finished = 1;
  for (;;) tessera_sync_host();
}
