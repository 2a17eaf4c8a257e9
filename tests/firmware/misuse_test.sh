#!/usr/bin/env bash
# What tessera refuses, each in one line that says what to do: misuse_test.sh TESSERA PROGRAMS EXAMPLES
set -u
tessera=$1 programs=$2 examples=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
refuses() { # status, part of the line, arguments
  local status=$1 part=$2
  shift 2
  "$tessera" "$@" >out 2>err
  local got=$?
  [ "$got" = "$status" ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$part" err && [ ! -s out ] && return
  echo "tessera $*: status $got instead of $status, or no line with '$part':"
  cat err
  bad=1
}
hello=$examples/hello.elf
echo 'no program' >text.elf
head -c 2000 "$hello" >cut.elf
cp /bin/true x86 && chmod -x x86
mkdir full && touch full/file

refuses 1 'there is no file ./missing.elf' run ./missing.elf
refuses 1 'text.elf is a text, neither firmware nor a program that may be executed' run text.elf
refuses 1 'x86 is a program for x86-64, neither firmware nor a program that may be executed' run x86
refuses 1 'text.elf is a text, not firmware' size text.elf
refuses 1 'x86 is a program for x86-64, not firmware: an ELF file for tiles (32-bit RISC-V)' size x86
refuses 1 'cut.elf is damaged' run cut.elf
refuses 1 'was built for mk2-4, and this is mk2-16' run "$hello" --machine mk2-16
refuses 1 'no machine or system is named' run "$hello" --machine mk9
refuses 1 'system m2000 has 4 chips, and this takes one, such as m2000:0' run "$hello" --machine m2000
refuses 1 'system pair-4 has 2 chips, and this takes one, such as pair-4:0' size "$hello" --machine pair-4
refuses 1 'system m2000 has 4 chips, and this takes one, such as m2000:0' new firmware fresh --machine m2000
refuses 1 'no machine or system is named' machines mk9
refuses 1 'lies outside a tile' run "$programs/outside.elf"
refuses 1 'share memory element 0 with text' run "$programs/shared.elf"
refuses 1 'share memory element 0 with text' size "$programs/shared.elf"
refuses 2 "--tiles: there is no tile 9: the machine has 4 tiles" run "$hello" --tiles 1,9
refuses 2 'checks are for Poplar programs' run "$hello" --check
refuses 2 'checks are for Poplar programs' run "$hello" --inspect check=true
refuses 2 'firmware takes no arguments' run "$hello" more
echo 'memory tile=1 address=0xa0000 bit=0 cycle=9 side=rtl' >side.txt
refuses 1 'is of one side of backend lockstep, not of model' run "$hello" --backend model --faults side.txt
refuses 2 '--backend' run "$hello" --backend fpga
refuses 2 'wave-for' run "$hello" --waves w.fst --wave-for x
refuses 2 '--tiles is for firmware' run /bin/true --tiles 3
refuses 1 'do not fit host memory' run "$hello" --input text.elf
refuses 2 'FILE@OFFSET:BYTES' run "$hello" --output out.bin
refuses 1 'do not fit host memory' run "$hello" --host-memory 4k --output out.bin@0:5000
refuses 1 'no function' disasm "$hello" --function nothing
refuses 1 'full is not empty' new firmware full
refuses 1 'text.elf is a file' new firmware text.elf
refuses 1 'no machine or system is named' new firmware fresh --machine mk9
refuses 2 'PROGRAM is required' run
refuses 2 "no command is named 'fly'; there are: run" fly
refuses 1 'is neither a port' gdb nowhere
TESSERA_BACKEND=fpga refuses 2 "TESSERA_BACKEND is 'fpga'; it can be rtl, model or lockstep" run "$hello"
TESSERA_INSPECT=wavs=x refuses 2 "TESSERA_INSPECT: there is no inspection option 'wavs'" run "$hello"
TESSERA_QUIET=yes refuses 2 "TESSERA_QUIET is 'yes'" run "$hello"
TESSERA_MACHINE=mk9 refuses 1 "no machine or system is named 'mk9'" run "$hello"
TESSERA_MACHINE=mk2-16 refuses 1 'was built for mk2-4, and this is mk2-16' run "$hello"
TESSERA_BACKEND=model TESSERA_INSPECT=trace=there.trace "$tessera" run "$hello" >out 2>err
grep -q '(model)' err || { echo 'TESSERA_BACKEND does not apply to firmware'; bad=1; }
[ -s there.trace ] || { echo 'TESSERA_INSPECT does not apply to firmware'; bad=1; }
TESSERA_BACKEND=model "$tessera" run "$hello" --gdb >out 2>err
grep -qE '^tessera: serving a debugger at port [0-9]+: tessera gdb [0-9]+$' err || { echo 'the port of the debugger is not told'; bad=1; }
"$tessera" gdb 1 >out 2>err
[ $? = 1 ] && grep -q 'no debugger is served at 127.0.0.1:1: Connection refused' err && ! grep -q Traceback err || { echo 'a port where nothing listens:'; cat out err; bad=1; }
[ ! -e fresh ] || { echo 'a folder was made for a machine that there is not'; bad=1; }
exit $bad
