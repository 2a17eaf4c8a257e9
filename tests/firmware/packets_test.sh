#!/usr/bin/env bash
# Words of a file go to the tiles and come back, on every backend: packets_test.sh TESSERA ELF "BACKENDS"
set -euo pipefail
tessera=$1 elf=$2 backends=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -c "
import struct
words = [(7 * i * i + 3) % 2**32 for i in range(1200)]
open('in.bin', 'wb').write(struct.pack('<1200I', *words))
open('want.bin', 'wb').write(struct.pack('<1200I', *[(w + i // 300) % 2**32 for i, w in enumerate(words)]))"
for backend in $backends; do
  rm -f out.bin
  "$tessera" run "$elf" --backend "$backend" --on-failure none --host-memory 32k --input in.bin --output out.bin@0x3000:4800 >out 2>err ||
    { cat out err; exit 1; }
  cmp want.bin out.bin
  [ "$(grep -c 'host sync 1$' out)" = 4 ] || { cat out; exit 1; }
done
