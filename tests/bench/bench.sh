#!/usr/bin/env bash
# Runs benchmarks: bench.sh BUILD [NAME]; without a name, lists them. A benchmark is an executable bench_NAME_* of the build; each
# prints one JSON line per figure.
set -euo pipefail
build=$1 name=${2:-}
cd "$build/tests/bench"
mapfile -t parts < <(find . -maxdepth 1 -name 'bench_*' -type f -executable | sort)
if [ -z "$name" ]; then
  echo "benchmarks:"
  printf '%s\n' "${parts[@]}" | sed -E 's|^\./bench_([^_]*)_.*|  \1|' | sort -u | sed 's/firstlight/first-light/'
  exit
fi
found=0 bad=0
for part in "${parts[@]}"; do
  case "$part" in ./bench_"${name//-/}"_*) ;; *) continue ;; esac
  found=1
  "$part" || { echo "bench: $part failed" >&2; bad=1; }
done
[ $found = 1 ] || { echo "bench: no benchmark is named '$name'; ./run bench lists them" >&2; exit 2; }
exit $bad
