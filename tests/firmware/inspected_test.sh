#!/usr/bin/env bash
# Waves and a trace of firmware change nothing of its run, and a failure is told with its source line:
# inspected_test.sh TESSERA RING FAILING "BACKENDS"
set -euo pipefail
tessera=$1 ring=$2 failing=$3 backends=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for backend in $backends; do
  [ "$backend" = lockstep ] && continue
  "$tessera" run "$ring" --backend "$backend" --on-failure none >plain.out 2>plain.err
  "$tessera" run "$ring" --backend "$backend" --waves w.fst --wave-tiles 1 --trace t.trace >seen.out 2>seen.err || { cat seen.err; exit 1; }
  cmp plain.out seen.out
  diff <(grep ' ended in cycle ' plain.err) <(grep ' ended in cycle ' seen.err)
  [ -s w.fst ] && [ -s w.gtkw ] && [ -s t.trace ] || { ls -l; exit 1; }
  "$tessera" waves w.fst -o again.gtkw >said
  [ -s again.gtkw ]
  "$tessera" trace t.trace >text
  grep -q 'main' text || { head text; echo 'no function of the firmware in the trace'; exit 1; }

  rm -rf tessera-failure
  status=0
  "$tessera" run "$failing" --backend "$backend" >failed.out 2>failed.err || status=$?
  [ "$status" = 3 ]
  grep -q 'Tile 2, supervisor: address exception' failed.err || { cat failed.err; exit 1; }
  grep -q 'in main at .*exception_handler/main.c:' failed.err
  [ -s tessera-failure/report.txt ] && [ -s tessera-failure/failure.fst ]
done
