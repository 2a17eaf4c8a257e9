#!/usr/bin/env bash
# sanitized.sh CMAKE SOURCE BUILD PRESET TEST...: these tests, which are called as their executables, built with the preset
# and run with the counts of the commit tier. The first thing that a sanitizer finds fails its test.
set -euo pipefail
cmake=$1 source=$2 build=$3 preset=$4
shift 4
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1 TESSERA_TIER=commit
cd "$source"
"$cmake" --preset "$preset" -B "$build" >"$build.log" 2>&1 || { tail -n 30 "$build.log"; exit 1; }
"$cmake" --build "$build" --target "$@" --parallel "$(nproc)" >>"$build.log" 2>&1 || { tail -n 30 "$build.log"; exit 1; }
names=$(IFS='|'; echo "$*")
cd "$build"
ctest --output-on-failure --no-tests=error -R "^($names)\$"
