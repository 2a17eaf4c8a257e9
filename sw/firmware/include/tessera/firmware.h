/* Everything a tile's program needs: registers, sync, workers, exchange, packets, printf. main() runs in the supervisor
   of each tile; its result is the tile's exit code. The supervisor has integer registers only: float code belongs into
   workers. */
#pragma once

#include <tessera/exchange.h>
#include <tessera/machine.h>
#include <tessera/packets.h>
#include <tessera/print.h>
#include <tessera/sync.h>
#include <tessera/workers.h>
#include <tessera/xipu.h>

#ifdef __cplusplus
extern "C" {
#endif

int main(void); /* with the linkage of C, in C++ too */

/* Ends this tile's program; the tile goes on to meet the others at host syncs. For the supervisor only. */
__attribute__((noreturn)) void tessera_exit(int code);

#ifdef __cplusplus
}
#endif
