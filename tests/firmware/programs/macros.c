/* The macros of encodings.h in C: those of the supervisor, and some of the workers' that touch memory and float
   registers. */
#include <tessera/firmware.h>

static uint32_t bits[4] = {0x41200000, 0x41a00000, 0x41f00000, 0x42200000}; /* 10 20 30 40 */
static uint32_t lanes_ok[TESSERA_WORKERS];

/* Called by the start routine's calling convention, without it: xvbase is the argument. */
__attribute__((naked)) static void count_up(void) {
  __asm__ volatile(
      "csrr a0, %0\n lw a1, 0(a0)\n addi a1, a1, 1\n sw a1, 0(a0)\n"
      "sltiu a2, a1, 3\n .insn r 0xb, 2, 0, x0, a2, x0" /* exit: true below 3 */
      :
      : "i"(TESSERA_CSR_XVBASE));
}

static bool packed(void* argument, unsigned worker) {
  /* Two f32 in a register: (1, 2) + (3, 4) = (4, 6). */
  float ones[2] __attribute__((aligned(8))) = {1, 2}, others[2] __attribute__((aligned(8))) = {3, 4};
  float sums[2] __attribute__((aligned(8)));
  double a, b, sum;
  const void* from = ones;
  xipu_ld64step(a, from, 8);
  if (from != ones + 2) return false;
  from = others;
  xipu_ld64step(b, from, 8);
  xipu_f32v2add(sum, a, b);
  void* to = sums;
  xipu_st64step(sum, to, 8);
  if (to != sums + 2 || sums[0] != 4 || sums[1] != 6) return false;
  /* A pair of registers; the two halves have to be in two memory elements, as in the interleaved region: the stack. */
  uint32_t quad[4] __attribute__((aligned(16)));
  memcpy(quad, argument, sizeof quad);
  double low, high;
  from = quad;
  xipu_ld128step(low, high, from, 16);
  float values[4] __attribute__((aligned(8)));
  to = values;
  xipu_st64step(low, to, 8);
  xipu_st64step(high, to, 8);
  lanes_ok[worker] = values[0] == 10 && values[1] == 20 && values[2] == 30 && values[3] == 40;
  return lanes_ok[worker] != 0;
}

int main(void) {
  static uint32_t counts[TESSERA_WORKERS] = {0, 0, 0, 0, 0, 7};
  uint32_t agreed;
  xipu_runall(count_up, counts, 4);
  xipu_sync(0, TESSERA_SYNC_LOCAL);
  __asm__ volatile("csrrw %0, %1, %2" : "=r"(agreed) : "i"(TESSERA_CSR_XLC), "r"(1) : "memory");
  if (agreed != 0 || counts[0] != 1 || counts[4] != 1 || counts[5] != 8) return 1;
  xipu_run(count_up, counts);
  xipu_sync(0, TESSERA_SYNC_LOCAL);
  __asm__ volatile("csrrw %0, %1, %2" : "=r"(agreed) : "i"(TESSERA_CSR_XLC), "r"(1) : "memory");
  if (agreed != 1 || counts[0] != 2) return 2;

  const struct tessera_task task = {packed, bits};
  tessera_run_all(&task);
  if (!tessera_wait_workers()) return 3;

  if (!tessera_sync_all(true)) return 4;
  if (tessera_sync_all(tessera_tile_id() != 1)) return 5;
  const uint64_t before = tessera_cycle64();
  if (tessera_cycle64() <= before) return 6;
  printf("tile %u: macros do what they say\n", tessera_tile_id());
  if (tessera_tile_id() == 3) xipu_trap(77);
  return 0;
}
