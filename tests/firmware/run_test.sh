#!/usr/bin/env bash
# Firmware prints what is expected, in the same cycles on every backend: run_test.sh TESSERA EXPECTED "BACKENDS" ELF [OPTION...]
# Lines of EXPECTED are standard output; those that begin with "! " are in standard error, "$ N" is the exit status (0).
set -u
tessera=$1 expected=$2 backends=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; cat "$work/out" "$work/err"; exit 1; }
want=$(sed -n 's/^\$ //p' "$expected")
grep -v '^[!$] ' "$expected" >"$work/want"
for backend in $backends; do
  "$tessera" run "$@" --backend "$backend" --on-failure none >"$work/out" 2>"$work/err"
  status=$?
  [ "$status" = "${want:-0}" ] || fail "exit status $status on $backend"
  cmp -s "$work/want" "$work/out" || { diff "$work/want" "$work/out"; fail "other output on $backend"; }
  sed -n 's/^! //p' "$expected" | while read -r line; do
    grep -qF -- "$line" "$work/err" || { echo "missing on $backend: $line"; exit 1; }
  done || fail "standard error"
  sed "s/($backend)/(backend)/" "$work/err" >"$work/err.$backend"
  cmp -s "$work/err.${backends%% *}" "$work/err.$backend" || fail "$backend differs from ${backends%% *}"
done
