#!/usr/bin/env bash
# A register of rtl/tile with another name, place or width than rtl/spec/tile_state.def says ends the build with a line
# that names it; registers are found in whichever class Verilator puts them. GENERATOR ROOT SOURCES: a file, one a line.
set -u
generator=$1 root=$2
mapfile -t sources < "$3"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "$*"; bad=1; }
"$generator" config "$work/state.vlt" || exit 1

verilate() { # FOLDER OPTION...: what the build does before it compiles
  local folder=$work/$1 files=()
  shift
  for file in "${sources[@]}"; do
    [ -e "$work/changed/${file##*/}" ] && file=$work/changed/${file##*/}
    files+=("$file")
  done
  verilator --cc -O3 -Wno-fatal --top-module tile --prefix Vtile --savable --Mdir "$folder" "$@" "$work/state.vlt" "${files[@]}" > "$folder.log" 2>&1 ||
    { cat "$folder.log"; exit 1; }
}
compiles() { # FOLDER: the header made for it
  local include
  include=$(verilator --getenv VERILATOR_ROOT)/include
  echo '#include "Vtile_state.h"' > "$work/$1/check.cpp"
  g++ -std=c++20 -fsyntax-only -w -I "$root" -I "$work/$1" -I "$include" -I "$include/vltstd" "$work/$1/check.cpp"
}
storage() { "$generator" storage "$work/$1" Vtile "$work/$1/Vtile_state.h"; }

# Each module a class of its own, which is as far as a Verilator can go from what the build makes.
verilate apart -fno-inline
storage apart && compiles apart || fail "not found in classes of their own"

mkdir "$work/changed"
change() { # FILE SED-PROGRAM
  sed "$2" "$root/rtl/tile/$1" > "$work/changed/$1"
  cmp -s "$root/rtl/tile/$1" "$work/changed/$1" && fail "$1 has nothing left that this test could change: $2"
}
change arithmetic_csr.sv 's/\btas_q\b/factor_q/g'
change arithmetic.sv 's/\bu_prng\b/u_random/'
change csr.sv 's/logic \[23:0\] frm_q/logic [31:0] frm_q/'
change sram.sv 's/\bwords\b/cells/g'
verilate changed_out
storage changed_out > "$work/said" 2>&1 && fail "a tile of which the table knows nothing was taken"
expect() { grep -q "$1" "$work/said" || fail "nothing was said like: $1"; }
expect 'tile_state.def:[0-9]*: Tas: .* no register tile.u_arithmetic.u_csr.tas_q of 8 x 32 bits; there are factor_q$'
expect 'tile_state.def:[0-9]*: Random0: .* no register tile.u_arithmetic.u_prng.s0_q of 8 x 64 bits$'
expect 'tile_state.def:[0-9]*: Frm: .* tile.u_commit.u_csr.frm_q has 32 bits, not 24 bits$'
expect 'tile_state.def:[0-9]*: Words: .* no register tile.u_memory_ports.*words$'
[ "$(wc -l < "$work/said")" = 5 ] || fail "other lines than the five of tas_q, s0_q, s1_q, frm_q and words"
[ $bad = 0 ] || cat "$work/said"
exit $bad
