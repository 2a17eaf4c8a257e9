#!/usr/bin/env bash
# C++ is as clang-format-19 leaves it; files end in a newline and have no trailing blanks.
cd "$1" || exit 2
command -v clang-format-19 >/dev/null || { echo "clang-format-19 is missing"; exit 1; }
bad=0
mapfile -t sources < <(git ls-files '*.h' '*.hpp' '*.cpp' ':!tests/bench/calibrate')
clang-format-19 --dry-run --Werror "${sources[@]}" || bad=1
if git grep -nE '[[:blank:]]+$' -- '*.sv' '*.cpp' '*.h' '*.hpp' '*.def' '*.sh' '*.txt' '*.cmake' run; then
  echo "trailing blanks"
  bad=1
fi
exit $bad
