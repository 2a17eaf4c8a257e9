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

  # Faults are told: when they strike, and that they never did.
  end=$(sed -n 's/.* ended in cycle \([0-9]*\).*/\1/p' plain.err)
  strikes="memory tile=1 address=0xa0000 bit=0 cycle=$((end - 50))" never="memory tile=1 address=0xa0000 bit=0 superstep=4000"
  printf '%s\n' "$strikes" "$never" >faults.txt
  "$tessera" run "$ring" --backend "$backend" --faults faults.txt >faulty.out 2>faulty.err || { cat faulty.err; exit 1; }
  cmp plain.out faulty.out
  grep -qx "tessera: fault '$strikes' strikes in cycle $((end - 50))" faulty.err || { cat faulty.err; exit 1; }
  grep -q "^tessera: fault '$never' never strikes: the run ends in cycle $end, superstep " faulty.err || { cat faulty.err; exit 1; }

  rm -rf tessera-failure
  status=0
  "$tessera" run "$failing" --backend "$backend" >failed.out 2>failed.err || status=$?
  [ "$status" = 3 ]
  grep -q 'Tile 2, supervisor: address exception' failed.err || { cat failed.err; exit 1; }
  grep -q 'in main at .*exception_handler/main.c:' failed.err
  [ -s tessera-failure/report.txt ] && [ -s tessera-failure/failure.fst ]
done
