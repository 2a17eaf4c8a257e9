#!/usr/bin/env bash
# Damaged files given to the commands that users give them to: one line that names the file, a status that is no signal.
#   damaged_files.sh TESSERA ELF FILES
# FILES of each of the firmware, its trace and its waves are damaged by overwriting, cutting and growing.
set -euo pipefail
tessera=$1 elf=$2 files=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TESSERA_QUIET=1
cp "$elf" whole.elf
"$tessera" run whole.elf --backend model --waves whole.fst --trace whole.trace >printed
"$tessera" trace whole.trace >whole.text
RANDOM=7

damage() { # FROM TO WAY
  local bytes
  bytes=$(stat -c %s "$1")
  cp "$1" "$2"
  case $(($3 % 4)) in
    0) truncate -s $(((RANDOM * 32768 + RANDOM) % bytes)) "$2" ;;
    1) printf '\x5a\xa5' | dd of="$2" bs=1 seek=$(((RANDOM * 32768 + RANDOM) % (bytes - 2))) conv=notrunc status=none ;;
    2) head -c 100 /dev/zero >>"$2" ;;
    3) dd if=/dev/zero of="$2" bs=1 count=64 seek=$(((RANDOM * 32768 + RANDOM) % (bytes - 64))) conv=notrunc status=none ;;
  esac
  ! cmp -s "$1" "$2"
}

told=0
refused() { # FILE COMMAND...: what is said of FILE is one line, or the command does what it does with the whole file
  local file=$1 status=0
  shift
  "$@" >out 2>err || status=$?
  if [ "$status" -gt 127 ]; then echo "$*: status $status"; cat err; exit 1; fi
  if [ "$status" = 0 ] && [ ! -s err ]; then echo "$*: nothing is said of $file"; exit 1; fi
  if [ "$(wc -l <err)" != 1 ] || ! grep -q "$file" err; then echo "$*:"; cat err; exit 1; fi
  told=$((told + 1))
}

for ((i = 0; i < files; ++i)); do
  if damage whole.elf bad.elf "$i"; then
    # What is no ELF file any more is no firmware either.
    refused bad.elf "$tessera" run bad.elf --backend model
    refused bad.elf "$tessera" size bad.elf
  fi
  if damage whole.fst bad.fst "$i"; then refused bad.fst "$tessera" waves bad.fst; fi
  if damage whole.trace bad.trace "$i"; then
    refused bad.trace "$tessera" trace bad.trace
    # What is shown of it is the beginning of what is true.
    head -c "$(stat -c %s out)" whole.text | cmp -s - out || grep -q 'damaged' err || { echo "bad.trace $i is shown wrong"; exit 1; }
  fi
done
[ -z "$(find . -name '*.new')" ]
echo "$told damaged files told"
