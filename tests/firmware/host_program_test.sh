#!/usr/bin/env bash
# tessera run hands a program of the host what is asked of its devices: host_program_test.sh TESSERA
set -euo pipefail
tessera=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >program <<'END'
#!/bin/sh
echo "$TESSERA_MACHINE|$TESSERA_BACKEND|$TESSERA_INSPECT"
printf '%s\n' "$@"
exit 7
END
chmod +x program
same() { # expected output, arguments
  local want=$1 status=0
  shift
  "$tessera" run "$@" >out || status=$?
  [ "$status" = 7 ] || { echo "status $status of: $*"; exit 1; }
  diff <(printf '%s\n' "$want") out || { echo "of: $*"; exit 1; }
}
here=$(pwd -P)
same "mk2-4|model|waves=$here/w.fst;wave-tiles=3,7-9;wave-from=superstep:10;wave-for=2
--epochs
3" program --machine mk2-4 --waves w.fst --wave-tiles 3,7-9 --on-failure none --backend model --wave-from 10 --wave-for 2 -- --epochs 3
same "||trace=/tmp/t.trace;trace-from=exception;on-failure=$here/tessera-failure
one" ./program one --trace /tmp/t.trace --trace-from exception
same "||gdb=0;gdb-halt=true
" --gdb-halt --on-failure none ./program
same "||gdb=4711;on-failure=$here/f;snapshots=false
" ./program --gdb 4711 --on-failure f --inspect snapshots=false
TESSERA_INSPECT="on-failure=$here/elsewhere;gdb=1" same "||gdb=4711;on-failure=$here/elsewhere
" ./program --gdb 4711
