// Every kind of argument that a tile can print, from a worker, which has floats.
#include <tessera/firmware.h>

namespace {

char changing[] = "changed text";

bool print_all(void*, unsigned worker) {
  if (worker != 1) return true;
  const _Float16 half = static_cast<_Float16>(0.5f);
  printf("no argument, 100%%\n");
  printf("%d %i %u %x %X %o %c|%5d|%-5d|%05d|%+d\n", -7, 8, 9u, 0xabcu, 0xdefu, 8u, 'z', 42, 42, 42, 42);
  printf("%lld %llu %llx\n", -5000000000ll, 18000000000000000000ull, 0x123456789abcdefull);
  printf("%ld %lu %p\n", -3l, 4ul, reinterpret_cast<void*>(0x4c000));
  printf("%f %.2f %e %g %8.3f|%a\n", 1.5f, 2.25f, 1e10f, 0.1f, -3.5f, 1.0f);
  printf("half %g, negative zero %g\n", static_cast<float>(half), -0.0f);
  changing[0] = 'C';
  printf("%s|%10s|%-6s|%.3s|%*d\n", "constant", changing, "ab", "abcdef", 6, 17);
  return true;
}

}  // namespace

int main() {
  if (tessera_tile_id() != 1) return 0;
  const tessera_task task = {print_all, nullptr};
  tessera_run_all(&task);
  return tessera_wait_workers() ? 0 : 1;
}
