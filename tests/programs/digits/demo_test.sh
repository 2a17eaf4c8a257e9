#!/usr/bin/env bash
# The demo in small: two batches on the model and on the RTL, every bit and cycle equal; a wrong result is told: demo_test.sh DIGITS
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TESSERA_QUIET=1
"$1" --on model --train 192 --epochs 1 --result "$work/model"
"$1" --on rtl --train 192 --epochs 1 --against "$work/model"
# One bit of one weight.
awk 'NR == 5 { $2 = "1" substr($2, 2) } { print }' "$work/model" >"$work/other"
if "$1" --on model --train 192 --epochs 1 --against "$work/other" >"$work/said"; then
  echo "a changed weight was not noticed"
  exit 1
fi
grep -q 'NOT equal.*weight 0' "$work/said"
