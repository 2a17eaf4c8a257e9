#!/usr/bin/env bash
# Runs the parts of a benchmark: bench.sh BUILD NAME. A part is an executable bench_NAME_* of the build; each prints one JSON line
# per figure.
set -uo pipefail
build=$1 name=$2
cd "$build/tests/bench" || exit 1
bad=0
while read -r part; do
  "$part" || { echo "bench: $part failed" >&2; bad=1; }
done < <(find . -maxdepth 1 -name "bench_${name}_*" -type f -executable | sort)
exit $bad
