#!/usr/bin/env bash
# Runs a program on one backend and compares what it prints with what is expected: run_and_compare.sh BACKEND PROGRAM EXPECTED
set -euo pipefail
TESSERA_BACKEND=$1 TESSERA_MACHINE=mk2-4 TESSERA_QUIET=1 "$2" | diff "$3" - && echo "as expected on $1"
