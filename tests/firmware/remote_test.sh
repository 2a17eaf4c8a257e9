#!/usr/bin/env bash
# Words of a file go from the memory of a gateway to the tiles and back, on every backend, in the same cycles; what there
# is no gateway for, or does not fit it, is one line: remote_test.sh TESSERA ELF "BACKENDS"
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
cat >card.toml <<END
name = "card-with-gateway"
chips = ["mk2-4"]
[[gateway]]
name = "gateway"
chips = [0]
dram_bytes = 34359754752
latency = 500
bytes_per_cycle = 3
[[host]]
name = "host"
chips = [0]
END
for machine in mk2-4x4:0 card.toml; do
  for backend in $backends; do
    rm -f out.bin
    "$tessera" run "$elf" --machine "$machine" --backend "$backend" --on-failure none --remote-input in.bin@0x7fffff000 \
      --remote-output out.bin@0x800002000:4800 >out 2>err || { cat out err; exit 1; }
    cmp want.bin out.bin
    [ "$(grep -c '300 words there and back' out)" = 4 ] || { cat out; exit 1; }
    grep -v '^tessera: attached' err | sed "s/($backend)/(backend)/" >"err.$backend"
    cmp "err.${backends%% *}" "err.$backend"
  done
  mv "err.${backends%% *}" "cycles.${machine%%:*}"
done
if cmp -s cycles.mk2-4x4 cycles.card.toml; then echo "another latency takes as long"; exit 1; fi

refuses() {
  local status=$1 says=$2 got=0
  shift 2
  "$tessera" run "$elf" --on-failure none --backend model "$@" >out 2>err || got=$?
  [ "$got" = "$status" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$says" err || { echo "exit $got: $*"; cat out err; exit 1; }
}
refuses 1 '--remote-input: system mk2-4 has no gateway, in whose memory that would be' --remote-input in.bin
refuses 1 '--remote-output: system mk2-4 has no gateway, in whose memory that would be' --remote-output x@0:4
refuses 1 '--remote-input in.bin: 4800 bytes at 34359750000 do not fit the 34359754752 bytes of the gateway' \
  --machine card.toml --remote-input in.bin@34359750000
refuses 1 '--remote-output x: 5 bytes at 34359754748 do not fit the 34359754752 bytes of the gateway' \
  --machine card.toml --remote-output x@34359754748:5
refuses 2 '--remote-output x@3: say what to write, as FILE@OFFSET:BYTES' --machine card.toml --remote-output x@3
refuses 1 '--remote-input: none.bin cannot be read' --machine card.toml --remote-input none.bin
