// What the debugger's sessions look at: six workers scale an array by factors on every tile, and count what they did.
#include <tessera/firmware.h>

constexpr unsigned kElements = 24;
float values[kElements];
unsigned done[TESSERA_WORKERS];
unsigned rounds;
volatile unsigned rounds_wanted = ROUNDS;

__attribute__((noinline)) float scaled(float value, float factor) {
  const float product = value * factor;
  return product + 1.0f;
}

bool scale(void* argument, unsigned worker) {
  const float factor = *static_cast<float*>(argument);
  unsigned count = 0;
  for (unsigned i = worker; i < kElements; i += TESSERA_WORKERS) {
    values[i] = scaled(values[i], factor);
    ++count;
  }
  done[worker] += count;
  return count != 0;
}

bool fill(void*, unsigned worker) {
  for (unsigned i = worker; i < kElements; i += TESSERA_WORKERS) values[i] = 1.0f;
  return true;
}

extern "C" int main() {
  static unsigned factor_bits = 0x40000000;  // 2.0f
  const tessera_task filling = {fill, nullptr}, scaling = {scale, &factor_bits};
  tessera_run_all(&filling);
  tessera_wait_workers();
  for (rounds = 0; rounds < rounds_wanted; ++rounds) {
    tessera_run_all(&scaling);
    tessera_wait_workers();
    tessera_sync_internal();
  }
#ifdef FAULT
  if (tessera_tile_id() == 1) *reinterpret_cast<volatile unsigned*>(0x10) = rounds;
#endif
  return 0;
}
