/* A ring of tiles. Each tile has a block; in every superstep all tiles send theirs to the next tile at once and add
   what came from the tile before. After as many supersteps as there are tiles each holds the sum over all.

   The schedule is written by hand: everybody sends in cycle kSend of the phase; tile d begins to receive
   tessera_receive_offset(s, d) cycles later, so that its selection meets the words of tile s on their way. */
#include <tessera/firmware.h>

enum { kWords = 16, kSend = 20 };

static TESSERA_EVENTS uint64_t events[2];
static uint32_t passing[kWords], arrived[kWords], sum[kWords];

int main(void) {
  const unsigned tile = tessera_tile_id(), before = (tile + TESSERA_TILES - 1) % TESSERA_TILES;
  for (unsigned i = 0; i < kWords; ++i) sum[i] = passing[i] = 100 * tile + i;

  struct tessera_schedule schedule;
  tessera_schedule_begin(&schedule, events, 2);
  tessera_schedule_send(&schedule, kSend, passing, kWords);
  tessera_schedule_receive(&schedule, kSend + tessera_receive_offset(before, tile), arrived, kWords, before);
  if (tessera_schedule_end(&schedule) != 0) return 1;

  for (unsigned step = 1; step < TESSERA_TILES; ++step) {
    tessera_exchange(events);
    for (unsigned i = 0; i < kWords; ++i) {
      sum[i] += arrived[i];
      passing[i] = arrived[i];
    }
  }
  for (unsigned i = 0; i < kWords; ++i)
    if (sum[i] != 100 * TESSERA_TILES * (TESSERA_TILES - 1) / 2 + TESSERA_TILES * i) return 2;
  printf("tile %u: sums %u to %u, latency from tile %u %d cycles\n", tile, sum[0], sum[kWords - 1], before,
         tessera_latency(before, tile));
  return 0;
}
