#!/usr/bin/env bash
# The readers of damaged files with address and undefined-behaviour sanitizers, built anew:
#   sanitized.sh CMAKE SOURCE BUILD ELF GP
set -euo pipefail
cmake=$1 source=$2 build=$3
export TESSERA_DAMAGE_ELF=$4 TESSERA_DAMAGE_GP=$5
cd "$source"
"$cmake" --preset asan -B "$build" >"$build.log" 2>&1 || { tail -n 30 "$build.log"; exit 1; }
"$cmake" --build "$build" --target damage_readers --parallel "$(nproc)" >>"$build.log" 2>&1 || { tail -n 30 "$build.log"; exit 1; }
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$build/tests/damage/damage_readers"
