#!/usr/bin/env bash
# A host program repairs and restarts a tile that excepts, in the same cycles on every backend:
# exception_handler_test.sh HOST_PROGRAM ELF EXPECTED "BACKENDS"
set -euo pipefail
host=$1 elf=$2 expected=$3 backends=$4
for backend in $backends; do
  diff "$expected" <("$host" "$elf" "$backend" 2>&1) || { echo "on $backend"; exit 1; }
done
