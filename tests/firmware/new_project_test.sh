#!/usr/bin/env bash
# tessera new firmware, one CMake command, tessera run; and what is said when clang-19 is missing:
# new_project_test.sh TESSERA BACKEND
set -euo pipefail
tessera=$1 backend=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$tessera" new firmware 'my project' --machine mk2-16 >said
grep -q 'tessera run build/my_project.elf' said
cd 'my project'
cmake --workflow --preset firmware >log 2>&1 || { cat log; exit 1; }
"$tessera" run build/my_project.elf --backend "$backend" >out
[ "$(wc -l <out)" = 112 ] || { cat out; exit 1; }
[ "$(head -n 1 out)" = 'hello from tile 0 of 16' ]
[ "$(tail -n 1 out)" = 'hello from worker 5 of tile 15' ]
[ ! -e tessera-failure ]
"$tessera" size build/my_project.elf | grep -q '^free .* of 624 KiB a tile$'
"$tessera" disasm build/my_project.elf --function main | grep -q 'runall .*'
# A second build has nothing to do, a changed source is built again.
sed -i 's/hello from tile/greetings from tile/' main.c
cmake --build build >log
"$tessera" run build/my_project.elf --backend "$backend" | grep -q 'greetings from tile 15 of 16'

# Arithmetic with double: told behind the link, and by itself.
cat >main.c <<'END'
#include <tessera/firmware.h>
volatile double x = 1.5;
int main(void) { x = x * 2.0; return 0; }
END
said='main at 0x[0-9a-f]* (.*main.c:3) computes with double, which the tile has not; use float'
if cmake -S . -B ../checked --preset firmware -DTESSERA_TOOL="$tessera" >log 2>&1 && cmake --build ../checked >log 2>&1; then echo 'linked double'; exit 1; fi
grep -q "$said" log || { cat log; exit 1; }
cmake --build build >log 2>&1 || { cat log; exit 1; }
status=0
"$tessera" check build/my_project.elf 2>log || status=$?
[ "$status" = 4 ] && grep -q "$said" log || { cat log; exit 1; }

mkdir ../empty
ln -s "$(command -v cmake)" "$(command -v make)" ../empty
if PATH=$work/empty cmake -S . -B ../without >log 2>&1; then echo 'configured without clang-19'; exit 1; fi
grep -q 'apt-get install clang-19 lld-19' log || { cat log; exit 1; }
