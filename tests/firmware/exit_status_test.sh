#!/usr/bin/env bash
# The exit statuses of docs/user/running.md, and how firmware's end is seen: exit_status_test.sh TESSERA PROGRAMS PAGE
set -u
tessera=$1 programs=$2 page=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export TESSERA_BACKEND=model
bad=0
ends() { # STATUS LINE COMMAND...: the line is one of standard error ("": none is asked for)
  local status=$1 line=$2
  shift 2
  timeout 60 "$tessera" "$@" >out 2>err
  local got=$?
  [ "$got" = "$status" ] && { [ -z "$line" ] || grep -qxF -- "tessera: $line" err; } && return
  echo "tessera $*: status $got instead of $status, or not '$line':"
  cat err
  bad=1
}
codes=$programs/exit_codes.elf foreign=$programs/foreign.elf good=$programs/printing.elf endless=$programs/endless.elf
printf '#!/bin/sh\nexit 77\n' >program && chmod +x program

ends 0 '' run "$good" --trace a.trace
ends 0 '' run "$good" --trace b.trace
ends 0 '' diff a.trace b.trace
ends 0 '' check "$good"
ends 1 '' run missing
ends 1 '' machines mk9
ends 1 '' gdb 1
ends 2 '' run
ends 2 '' nothing
ends 3 '' run "$endless" --budget 3000 --on-failure none
ends 0 '' run "$good" --trace c.trace --tiles 1
"$tessera" run "$codes" --trace other.trace >/dev/null 2>&1
ends 4 '' diff a.trace other.trace
ends 1 '' diff a.trace missing
ends 5 '' run "$good" --waves .
ends 5 '' run "$good" --waves w.fst --wave-from 99
ends 5 '/dev/full cannot be written: No space left on device' trace perfetto a.trace -o /dev/full
ends 77 '' run ./program
for status in 0 1 2 3 4 5; do
  grep -q "^| $status | " "$page" || { echo "status $status is not on the page"; bad=1; }
done

# Codes of tiles, in range or not, and those that tessera itself means something by.
ends 7 'tile 1 ended with exit code 7' run "$codes" --tiles 1
ends 3 'exit status 3 is the code of tile 0; of tessera itself it would say that tiles came to no end' run "$codes"
ends 255 'exit code 256 of tile 2 is beyond 0 to 255: the exit status is 255' run "$codes" --tiles 2
ends 255 'exit code -1 of tile 3 is beyond 0 to 255: the exit status is 255' run "$codes" --tiles 3
"$tessera" run "$codes" --tiles 1 2>&1 | grep -q 'of tessera itself' && { echo 'status 7 is no status of tessera'; bad=1; }

# Without the word of the end a run is refused, or ends where it is said and tells where the tiles stand.
ends 1 "$foreign has no symbol 'tessera_attention', by which firmware tells its end (docs/user/firmware.md): say with --cycles when to end it" run "$foreign"
ends 3 'stopped at cycle 2000, as --cycles asks' run "$foreign" --cycles 2000
grep -qx '  tiles 0-15 computing' err || { echo 'the limit does not say where the tiles stand:'; cat err; bad=1; }
ends 3 'stopped at cycle 9000, as --cycles asks' run "$endless" --cycles 9000 --tiles 1-2
grep -qx '  tiles 1-2 computing in main' err && grep -qx '  tiles 0 and 3 never started (--tiles), and syncs are of all tiles' err || { echo 'tiles are not told in groups:'; cat err; bad=1; }
exit $bad
