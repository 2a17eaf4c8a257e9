#!/usr/bin/env bash
# A window of waves that never comes: told at the end in one line, and by the exit status, of firmware and of Poplar programs:
#   never_test.sh TESSERA ELF DIGITS BACKEND...
set -euo pipefail
tessera=$1 elf=$2 digits=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TESSERA_QUIET=1

# COMMAND...: ends with status 5, says once that the window never came, and leaves no file of waves.
never() {
  local status=0
  "$@" >out 2>err || status=$?
  [ "$status" = 5 ] || { echo "$*: status $status"; cat err; exit 1; }
  [ "$(grep -c "waves: $work/out.fst is not written: the window wave-from=.* never came; the run ended in cycle [0-9]*, superstep [0-9]*$" err)" = 1 ] ||
    { echo "$*:"; cat err; exit 1; }
  [ -z "$(find . -name 'out*' ! -name out)" ] || { ls; exit 1; }
}
for backend in "$@"; do
  never "$tessera" run "$elf" --backend "$backend" --waves out.fst --wave-from 99
  never "$tessera" run "$elf" --backend "$backend" --waves out.fst --wave-from exception
  if [ "$backend" = rtl ]; then never "$tessera" run "$elf" --backend rtl --waves out.fst --wave-depth all --wave-from 99; fi
done
never "$tessera" run "$digits" --waves out.fst --wave-from cycle:999999999 -- --on model --machine mk2-4 --epochs 1 --train 192
# A program's own status stays.
status=0
"$tessera" run /bin/sh --waves out.fst --wave-from 99 -- -c "'$digits' --on model --machine mk2-4 --epochs 1 --train 192; exit 7" >out 2>err || status=$?
[ "$status" = 7 ] || { echo "sh: status $status"; exit 1; }
