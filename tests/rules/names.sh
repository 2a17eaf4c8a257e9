#!/usr/bin/env bash
# A module stands in a file of its name; no file is named for what it might hold; nobody's machine is written down; tests use
# names that both versions of Catch2 have.
cd "$1" || exit 2
bad=0
while read -r file; do
  name=$(basename "$file" .sv)
  grep -qE "^(module|package) $name\b" "$file" || { echo "$file does not define $name"; bad=1; }
  [ "$(grep -cE '^(module|package) ' "$file")" = 1 ] || { echo "$file defines more than one module"; bad=1; }
done < <(git ls-files 'rtl/*.sv')
git ls-files | grep -E '(^|/)(utils?|common|helpers?|misc|manager)(\.|/)' && { echo "name a file for what it is for"; bad=1; }
# What only a simulation has says so (decisions.md): the one attribute there is.
while read -r file; do
  awk -v file="$file" '
    /^`ifdef (SYNTHESIS|TESSERA_BOTH_EDGES)/ { inside = 1; marked = 0; line = FNR }
    /simulation_speed/ { marked = 1 }
    /^`endif/ { if (inside && !marked) { print file ":" line ": two bodies, and none has (* simulation_speed *)"; wrong = 1 } inside = 0 }
    /\(\* / && !/\(\* simulation_speed \*\)/ { print file ":" FNR ": an attribute that nobody knows"; wrong = 1 }
    END { exit wrong }' "$file" || bad=1
done < <(git ls-files 'rtl/*.sv')
git grep -nE 'lint_off|UNOPTFLAT|\bTODO\b|\bFIXME\b' -- rtl && { echo "waivers and TODO lines are not kept"; bad=1; }
git grep -nE 'Catch::(Contains|Approx)\b' -- 'tests/*.cpp' 'tb/*.cpp' && { echo "say ContainsText or Approx (cmake/TesseraTest.cmake)"; bad=1; }
exit $bad
