#!/usr/bin/env bash
# tessera compile: executables as files and reports of them, of programs that are not run; what it refuses.
# compile_report.sh TESSERA DIGITS
set -u
tessera=$1 digits=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export TESSERA_MACHINE=mk2-16 TESSERA_BACKEND=model TESSERA_QUIET=1
bad=0
check() { # what, command...
  local what=$1
  shift
  "$@" || { echo "not so: $what"; bad=1; }
}
refuses() { # status, part of the one line, arguments
  local status=$1 part=$2
  shift 2
  "$tessera" compile "$@" >out 2>err
  local got=$?
  [ "$got" = "$status" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$part" err && [ ! -s out ] && return
  echo "tessera compile $*: status $got instead of $status, or no line with '$part':"
  cat err
  bad=1
}

"$tessera" compile "$digits" --report -o digits.exe >report 2>err
check 'the program is compiled' [ $? = 0 ]
check 'it is not run: its own lines are not there' [ ! -s err ]
for line in 'Machine: mk2-16, 16 tiles' 'Control code' 'Exchange phases: [1-9]' 'Copy(weights, localWeights)' 'Execute(classify)' ' images '; do
  check "the report has '$line'" grep -q -- "$line" report
done
check 'the bytes of all steps of a tile are its control code' \
  awk '/^Control code: /{most=$9} /largest first/{on=1; next} on && $2 == 0 {sum+=$1} END {exit !(on && sum <= most && sum > most / 2)}' report
"$tessera" compile digits.exe --report >again
check 'the report of the file is the same' cmp report again
"$tessera" compile digits.exe --report --tiles >tiles
check 'what lives at most in a step is what lives on the tile with the most' \
  awk '/^  Tile /{if ($7 > most) most = $7} /most on all tiles first/{on=1; next} !NF {on=0} on && $4 > step {step = $4}
       END {exit !(most > 0 && step == most)}' tiles
check 'a line for each tile' [ "$(grep -c '^  Tile ' tiles)" = 16 ]
"$tessera" compile "$digits" --report -- --machine mk2-64 >large
check 'another machine' grep -q 'Machine: mk2-64, 64 tiles' large
before=$(sha256sum <digits.exe)

refuses 2 'say what is wanted' digits.exe
refuses 2 'is an executable already' digits.exe -o other.exe
refuses 2 'compiled already, for one machine' digits.exe --report --machine mk2-64
refuses 2 'which takes no arguments: '"'more'" digits.exe more --report
refuses 2 'no tiles without --report' "$digits" -o other.exe --tiles
refuses 1 'ended with status 0 and has made no Engine or Executable' /bin/true --report
refuses 1 'ended with status 1 and has made no Engine or Executable' /bin/false --report
refuses 1 'there is no file ./missing' ./missing --report
head -c 3000 digits.exe >cut.exe
refuses 1 'cut.exe: the executable is damaged; compile it again' cut.exe --report
refuses 5 'No space left on device' "$digits" -o /dev/full
check '/dev/full is still a device' [ -c /dev/full ]
refuses 5 'nowhere' "$digits" -o nowhere/digits.exe
# A program that fails to compile leaves what stood there.
"$tessera" compile "$digits" -o digits.exe -- --machine mk9 >out 2>err && bad=1
check 'the file of before is left alone' [ "$before" = "$(sha256sum <digits.exe)" ]
exit $bad
