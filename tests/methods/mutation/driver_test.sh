#!/usr/bin/env bash
# driver_test.sh MUTATE BUILD WORK: mutate.py fails where it has to, and says why: a bug that no bench finds, a change that
# does not compile, a text that is not there or not once.
set -euo pipefail
mutate=$1 build=$2 work=$3
mkdir -p "$work"

entry() { # name, text, replacement
  printf '[[mutation]]\nname = "%s"\nwhat = "a trial"\nfile = "rtl/tile/prng.sv"\nfrom = "%s"\nto = "%s"\n' "$@"
  printf 'bench = "arithmetic_prng_test"\ntop = "prng"\n'
}

expect() { # exit status, what the driver says, names
  local status=0 said
  said=$("$mutate" "$build" "$work/made" --jobs 1 --table "$work/table.toml" "${@:3}" 2>&1) || status=$?
  if [ "$status" != "$1" ] || ! grep -q -- "$2" <<<"$said"; then
    printf 'expected status %s and "%s", got status %s:\n%s\n' "$1" "$2" "$status" "$said"
    exit 1
  fi
}

{
  entry same_rotation '{t[27:0], t[63:28]}' '{t[27:0], t[63:30], t[29:28]}'
  entry other_rotation '{t[27:0], t[63:28]}' '{t[28:0], t[63:29]}'
  entry no_sense '{t[27:0], t[63:28]}' '{t[27:0], t['
  entry elsewhere 'this text is nowhere' 'nor is this'
  entry everywhere ';' ';;'
} >"$work/table.toml"
expect 0 'other_rotation.* found ' other_rotation
expect 1 'same_rotation was not found by arithmetic_prng_test: a trial' same_rotation
expect 1 'verilator rejects the change' no_sense
expect 1 'elsewhere: its text stands 0 times in rtl/tile/prng.sv' elsewhere
expect 1 'table.toml is out of date'
expect 1 'nothing: no mutation has this name' nothing
echo "the driver fails as it should"
