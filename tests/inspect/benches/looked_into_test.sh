#!/usr/bin/env bash
# The two examples of benches leave waves and traces by the options of `tessera run`, given to them, to `tessera run` or in
# TESSERA_INSPECT, and refuse what is wrong in one line: looked_into_test.sh TESSERA CHIP_BENCH SYSTEMC_HOST BACKEND
set -euo pipefail
ulimit -c 0
tessera=$1 chip=$2 card=$3 backend=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset TESSERA_INSPECT

fail() { echo "$*"; exit 1; }
has() { # FILE EXPRESSION...
  local file=$1 expression; shift
  for expression in "$@"; do grep -qE -- "$expression" "$file" || fail "$file has no '$expression': $(head -c 2000 "$file")"; done
}
# NAME TILE OTHER TEXT: NAME.fst shows the tile and not the other, its save file names it, NAME.trace has the instruction.
left() {
  fst2vcd "$1.fst" >"$1.vcd"
  has "$1.vcd" '\$scope module chip0' "\\\$scope module tile$2 " '\$var .* pc\[31:0\]|\$var .* pc ' '^s.*'
  ! grep -q "scope module tile$3 " "$1.vcd" || fail "$1.fst shows tile $3"
  [ "$(grep -c '^#' "$1.vcd")" -gt 20 ] || fail "$1.fst has no changes"
  has "$1.gtkw" "$1.fst" "tile$2"
  "$tessera" trace "$1.trace" >"$1.txt"
  has "$1.txt" "$4"
}
only="--wave-tiles 2 --trace-tiles 2"
"$chip" "$backend" --waves a.fst --trace=a.trace $only >out
left a 2 1 '^ +[0-9]+ +2 sup +4c018 +trap 1'
has out 'sum 2016; with the fault: exception parity, word at 0x800fc, read in cycle 1281'
# The variable, and arguments over it; `tessera run`.
TESSERA_INSPECT='waves=b.fst;wave-tiles=1;trace=b.trace;trace-tiles=2' "$chip" --wave-tiles 2 "$backend" >out
left b 2 1 ' 2 sup +4c018 +trap 1'
"$tessera" run "$chip" --waves c.fst --trace c.trace $only -- "$backend" >out
left c 2 1 ' 2 sup +4c018 +trap 1'
cmp a.fst b.fst && cmp a.fst c.fst || fail "the same options leave other waves"
# Both sides of the pair in lockstep.
if [ "$backend" = rtl ]; then
  "$chip" lockstep --waves d.fst --trace d.trace $only --trace-registers >out
  has out 'lockstep: tile 2 differs in superstep 0'
  left d.faulty 2 1 ' 2 sup +4c008 +lw s0'  # and no further: the word that it has read does not fit its check bits
  ! grep -q 'trap' d.faulty.txt || fail "the side with the fault goes on"
  left d.model 2 1 ' 2 sup +4c018 +trap 1'
  has d.faulty.txt '1277 +2 sup +4c008 +lw s0, 0\(t0\) .*s0 = 0000002f'
  has d.model.txt '1277 +2 sup +4c008 +lw s0, 0\(t0\) .*s0 = 0000003f'
  "$chip" rtl --waves e.fst --wave-depth all --wave-tiles 2 >out
  fst2vcd e.fst >e.vcd
  [ "$(grep -c '\$var' e.vcd)" -gt 5000 ] || fail "wave-depth=all shows too few signals"
fi
"$card" "$backend" --waves f.fst --trace f.trace --wave-tiles 0 --trace-tiles 0 >out 2>&1
left f 0 1 ' 0 sup .*hsend'
has out "the chip's sum is 1234"
# A window, in cycles.
"$card" "$backend" --waves g.fst --wave-from cycle:100 --wave-for 50c >out 2>&1
fst2vcd g.fst >g.vcd
[ "$(grep '^#' g.vcd | head -1)" = '#100' ] && [ "$(grep '^#' g.vcd | tail -1 | tr -d '#')" -le 150 ] || fail "the window is another one"

refused() { # TEXT COMMAND...: fails, says one line with the text, and leaves nothing
  local text=$1 status=0; shift
  "$@" >out 2>err || status=$?
  grep -v -e SystemC -e '^ *Copyright' -e '^ *ALL RIGHTS' -e '^$' err >line || true
  [ "$status" = 1 ] && [ "$(wc -l <line)" = 1 ] && grep -qF -- "$text" line || fail "$*: status $status: $(cat err)"
  ! ls x* 2>/dev/null || fail "$* leaves files"
}
for bench in "$chip" "$card"; do
  refused "inspection option 'wave-tiles': there is no tile 4: the machine has 4 tiles" "$bench" "$backend" --waves x.fst --wave-tiles 4
  refused "--waves: 1 required TEXT missing" "$bench" "$backend" --waves
  refused "inspection option 'gdb': 'model' is neither PORT nor HOST:PORT" "$bench" --gdb model
  refused "inspection option 'check=true' is for Poplar programs" "$bench" "$backend" --inspect check=true --waves x.fst
  refused "waves: $PWD/nowhere/x.fst cannot be written" "$bench" "$backend" --waves nowhere/x.fst
  refused "there is no backend '--waves'" "$bench" -- --waves
  refused "TESSERA_INSPECT: there is no inspection option 'wave'" env TESSERA_INSPECT=wave=x.fst "$bench"
  if [ "$backend" = model ]; then
    refused "inspection option 'wave-depth=all' shows the RTL, not backend model" "$bench" model --waves x.fst --wave-depth all
  fi
done
refused "inspection option 'wave-depth=all' needs a chip that is made for it" "$chip" lockstep --waves x.fst --wave-depth all
# A window that never comes: the line and the status that other programs have.
status=0
"$chip" "$backend" --waves x.fst --wave-from 99 >out 2>err || status=$?
[ "$status" = 5 ] || fail "a window that never came: status $status"
has err "^tessera: waves: $PWD/x.fst is not written: the window wave-from=superstep:99 never came"
