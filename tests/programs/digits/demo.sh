#!/usr/bin/env bash
# The demo's two halves: demo.sh BUILD model|rtl. The first trains on the fast model, the second on the RTL and compares.
set -euo pipefail
build=$1 on=$2
out=$build/demo
mkdir -p "$out"
program=$build/tests/programs/digits/digits
export TESSERA_QUIET=1
case "$on" in
  model) "$program" --on model --result "$out/model.result" ;;
  rtl)
    "$program" --on rtl --result "$out/rtl.result" --against "$out/model.result"
    "$program" --on rtl --epochs 1 --train 192 --waves "$out/digits.fst" >"$out/waves.log" || { cat "$out/waves.log" >&2; exit 1; }
    echo "waves of tiles 0 and 1 over two supersteps; look with:  gtkwave $out/digits.gtkw"
    ;;
  *) echo "usage: demo.sh BUILD model|rtl" >&2; exit 2 ;;
esac
