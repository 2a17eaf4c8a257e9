#!/usr/bin/env bash
# A training run leaves waves, and every signal of their save file is in them: wave_test.sh DIGITS SAVE_FILE_TEST
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TESSERA_QUIET=1 "$1" --on rtl --machine mk2-4 --epochs 1 --train 96 --waves "$work/digits.fst"
"$2" "$work/digits.fst"
