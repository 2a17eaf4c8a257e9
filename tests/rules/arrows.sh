#!/usr/bin/env bash
# Rooms only look down: what a room's sources may include of the project (docs/developer/layout.md draws it).
cd "$1" || exit 2
bad=0
may() { # room (a folder and all below it that has no line of its own), then the rooms that it may include
  local room=$1
  shift
  local allowed=$room pattern
  [ $# -gt 0 ] && allowed+="|$(IFS='|'; echo "$*")"
  pattern="^#include [\"<](rtl|sim|inspect|systemc|compiler|sw|tb|tests|waves|poplar|popops|poputil|tessera)/"
  while IFS= read -r line; do
    if ! [[ $line =~ \#include\ [\"\<]($allowed)/ ]]; then
      echo "$line"
      echo "$room must not include that: it may include $room $*"
      bad=1
    fi
  done < <(git ls-files "$room/*.h" "$room/*.hpp" "$room/*.cpp" "$room/*.inl" | rooms_own "$room" | xargs -r -d '\n' grep -nHE "$pattern")
}
rooms_own() { # of the files on standard input those that no finer room than $1 holds
  local file room
  while read -r file; do
    for room in "${rooms[@]}"; do
      [ ${#room} -gt ${#1} ] && [[ $file == "$room"/* ]] && continue 2
    done
    echo "$file"
  done
}
rooms=($(sed -n 's/^may \([a-z][a-z_/]*\).*/\1/p' "$0"))

may rtl/spec
may rtl/float rtl/spec
may rtl/tile rtl/spec
may sim/port rtl/spec
may sim/model rtl/spec rtl/float sim/port
may sim/engine rtl/spec sim/port sim/model
may sim/process sim/port
may inspect rtl/spec sim/port
may systemc/pcie rtl/spec sim/port
may systemc/machine rtl/spec sim/port sim/engine sim/process inspect systemc/pcie
may compiler/graph rtl/spec
may compiler/codelet rtl/spec compiler/graph
may compiler/image rtl/spec compiler/graph
may compiler/passes rtl/spec compiler/graph compiler/codelet compiler/image
may sw/card rtl/spec sim/port sim/process compiler/image inspect
may sw/poplar rtl/spec sim/port inspect compiler sw/card sw/include poplar tessera
may sw/include poplar tessera
may sw/device sw/include poplar tessera
may sw/firmware rtl/spec sim/port sim/process inspect sw/card tessera
may sw/tools rtl/spec inspect compiler sim/process sw/card sw/firmware
may waves rtl/spec inspect
may tb rtl sim inspect systemc compiler sw poplar tests
may tests rtl sim inspect systemc compiler sw poplar tb waves tessera popops poputil
may examples rtl/spec sim inspect systemc sw

# Nothing stands outside the rooms.
while read -r file; do
  for room in "${rooms[@]}"; do [[ $file == "$room"/* ]] && continue 2; done
  echo "$file stands in no room of tests/rules/arrows.sh"
  bad=1
done < <(git ls-files '*.h' '*.hpp' '*.cpp' '*.inl')
# systemc/ is what includes SystemC and nothing else.
while read -r file; do
  header=${file%.*}.h
  grep -lqE '^#include (<(systemc|tlm)|"systemc/)' "$file" "$header" 2>/dev/null || { echo "$file includes no SystemC: not of this room"; bad=1; }
done < <(git ls-files 'systemc/*.h' 'systemc/*.cpp')
exit $bad
