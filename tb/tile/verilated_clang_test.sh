#!/bin/sh
# verilated_clang_test.sh CLANG COMPILER: what the tile's compiler makes of code that CLANG (18 to 22) compiles wrongly.
set -eu
clang=$1
compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "verilated_clang: $*" >&2; exit 1; }

cat >lanes.cpp <<'TEXT'
#include <cstdint>
#include <cstdio>
struct Lanes { uint64_t a, b, result; };
__attribute__((noinline)) void move(Lanes& s, int id) {
  const uint64_t b = s.b;
  if (id & 1) {
    s.result = b + 1;
  } else if (id & 2) {  // like sort4x16hi without its box
    s.result = (uint64_t)(((uint32_t)(b >> 16) << 16) | (0xffffu & (uint32_t)(s.a >> 16)));
  } else {
    s.result = b ^ s.a;
  }
}
int main(int count, char**) {
  Lanes s{0x1122334455667788, 0x3f7fffff7f80aaaa, 0};
  move(s, count + 1);
  std::printf("%llx\n", (unsigned long long)s.result);
}
TEXT

echo '#include <cstdio>' >lanes__pch.h  # as newer Verilators have it
for options in -O0 -O1 "-O3 -march=native"; do
  "$clang" -w $options lanes.cpp -o plain
  "$clang" -x c++-header -w $options lanes__pch.h -o lanes__pch.h.fast.gch
  "$compiler" -w $options -include lanes__pch.h.fast -fbracket-depth=4096 -fcolor-diagnostics -c lanes.cpp -o lanes.o 2>told
  "$compiler" lanes.o -o lanes
  [ "$(./lanes)" = 7f805566 ] || fail "$options: 0x$(./lanes), not 0x7f805566"
  echo "$options: 0x$(./lanes) (clang alone: 0x$(./plain))"
  if [ "$(./plain)" = 7f805566 ]; then
    [ ! -s told ] || fail "$options: not needed: $(cat told)"
  else
    grep -q '^lanes.o: compiled by g++, .* _Z4moveR5Lanesi wrongly$' told || fail "$options: nothing told: $(cat told)"
  fi
done
echo 'int half(' >broken.cpp
if "$compiler" -O1 -c broken.cpp -o broken.o 2>told; then fail "broken.cpp was compiled"; fi
grep -q 'broken.cpp:1:.*error' told || fail "no error of broken.cpp: $(cat told)"
[ "$(grep -c . told)" -lt 10 ] || fail "listing among the errors"
[ -z "$(ls ./*.isel 2>/dev/null)" ] || fail "a listing was left: $(ls)"
