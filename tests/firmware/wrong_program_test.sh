#!/usr/bin/env bash
# What is no program is named for what it is, and no shell sees it: wrong_program_test.sh TESSERA
set -u
. "$(dirname "$(readlink -f "$0")")/one_line.sh"
tessera=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0

printf 'touch was_run\n' >text
printf '#!/bin/sh\necho "$1"; exit 9\n' >script
printf '#!/no/interpreter\n' >homeless
: >empty
printf '\0\1\2\3' >data
echo 'int f(void) { return 1; }' >f.c
cc -shared -fPIC f.c -o library.so
cc -c f.c -o object.o
clang-19 --target=riscv64-unknown-elf -c f.c -o device.o
clang-19 --target=riscv32-unknown-elf -c f.c -o tile.o
# A program of another processor is one of this with another number in its header.
cp "$(type -P true)" foreign
printf '\xb7' | dd of=foreign bs=1 seek=18 conv=notrunc status=none
cp "$(type -P true)" locked
chmod +x text script homeless empty data library.so object.o device.o tile.o foreign
chmod -x locked
mkdir folder
mkfifo pipe

host=$(cc -dumpmachine | sed 's/-.*//; s/_/-/; s/aarch64/AArch64/')
says 1 'text is a text, which this host cannot run; a script begins with #!' run text
says 1 'empty is an empty file, which this host cannot run' run empty
says 1 'data is data, which this host cannot run' run data
says 1 'homeless is a script whose interpreter or loader is not there' run homeless
says 1 "library.so is a shared library for $host, neither firmware nor a program" run library.so
says 1 "object.o is an object file, which is not linked, for $host, which this host cannot run" run object.o
says 1 'device.o is an object file, which is not linked, for 64-bit RISC-V, which this host cannot run' run device.o
says 1 'tile.o is not linked to run at a fixed place; link it with the linker script of the firmware' run tile.o
says 1 "locked is a program for $host, neither firmware nor a program that may be executed" run locked
says 1 'folder is a directory, neither firmware nor a program' run folder
says 1 'pipe is no regular file, neither firmware nor a program' run pipe
says 1 'there is no file missing, nor is it in PATH' run missing
says 1 'there is no file ./missing' run ./missing
says 2 'PROGRAM has an empty value (tessera run --help tells more)' run ''
[ "$host" = AArch64 ] || says 1 'foreign is a program for AArch64, which this host cannot run' run foreign
[ ! -e was_run ] || { echo 'a shell has run the text'; bad=1; }

# A program that is one, by all its names.
for program in script ./script "$PWD/script"; do
  [ "$("$tessera" run "$program" said)" = said ] || { echo "$program is not run"; bad=1; }
done
[ "$(PATH=$PWD:$PATH; cd folder && "$tessera" run script said)" = said ] || { echo 'a program of PATH is not found'; bad=1; }

# Commands that take files of other kinds.
for command in size check disasm; do
  says 1 'folder is a directory, not firmware' $command folder
  says 1 'device.o is an object file, which is not linked, for 64-bit RISC-V, not firmware: an ELF file for tiles (32-bit RISC-V)' $command device.o
  says 1 'empty is an empty file, not firmware: an ELF file for tiles (32-bit RISC-V)' $command empty
  says 1 'there is no file missing' $command missing
done
says 1 'folder is a directory, not a trace' trace folder
says 1 "locked is a program for $host, not a trace" trace locked
says 1 'text is a text, not a trace' diff text text
says 1 "locked is a program for $host, not waves" waves locked
says 1 'there is no file missing' waves missing
says 1 "locked is a program for $host, neither a port (1 to 65535), nor HOST:PORT, nor a file that holds a port" gdb locked
says 1 '65536 is neither a port (1 to 65535), nor HOST:PORT, nor a file that holds a port' gdb 65536
exit $bad
