#!/usr/bin/env bash
# The operators of an installed popops need no compiler and give what compiled ones give: prebuilt_test.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --build "$build" --target popops_gp >/dev/null
cmake --install "$build" --prefix "$work/prefix" >/dev/null
export TESSERA_QUIET=1 TESSERA_MACHINE=mk2-4 TESSERA_BACKEND=model XDG_CACHE_HOME=$work/cache
. "$work/prefix/enable"
g++ -std=c++11 "$source/tests/install/five_operators.cpp" -lpopops -lpoputil -lpoplar -o "$work/five"

mkdir "$work/tools"
ln -s "$(command -v ld.lld-19)" "$work/tools/ld.lld-19"
[ "$(PATH=$work/tools "$work/five" | head -n 1)" = right ] || { echo "five operators do not run without a compiler"; exit 1; }

# A checked program has checks in its operators too: they are compiled.
TESSERA_CHECK=1 "$work/five" >/dev/null
if PATH=$work/tools XDG_CACHE_HOME=$work/other TESSERA_CHECK=1 "$work/five" 2>"$work/said"; then
  echo "a checked program took operators without checks"; exit 1
fi
grep -q 'clang++-19 is needed' "$work/said" || { echo "not said that a compiler is needed:"; cat "$work/said"; exit 1; }

# The tests of the build tree, with the library of the installation.
for test in operators element_wise reduce; do
  LD_LIBRARY_PATH=$work/prefix/lib:${LD_LIBRARY_PATH:-} "$build/tests/libs/popops/popops_$test" >"$work/said" || { cat "$work/said"; exit 1; }
done
