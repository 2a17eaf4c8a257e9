#!/usr/bin/env bash
# Values that options cannot have, and options that do nothing as they are given, each in one line that names option and value:
# arguments_test.sh TESSERA ELF
set -u
. "$(dirname "$(readlink -f "$0")")/one_line.sh"
tessera=$1 elf=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export TESSERA_BACKEND=model
bad=0
mkdir folder
touch file
most=18446744073709551615 two_to_64=18446744073709551616 huge=1000000000000000000000000000000

run() { # STATUS LINE OPTIONS...: of tessera run
  says "$1" "$2" run "$elf" "${@:3}"
}
"$tessera" run "$elf" --trace good.trace >/dev/null 2>&1
# "none" is no folder, whatever lies there.
touch none
"$tessera" run "$elf" --on-failure none >/dev/null 2>&1 || { echo "--on-failure none: status $?"; bad=1; }

for value in -5 abc $two_to_64 $huge 1.5 5k; do
  run 2 "--budget: '$value' is no number from 0 to $most" --budget $value
  run 2 "--cycles: '$value' is no number from 1 to $most" --cycles $value
  says 2 "--run: '$value' is no number from 1 to $most" trace good.trace --run $value
  says 2 "--chip: '$value' is no number from 0 to $most" trace good.trace --chip $value
done
run 2 "--cycles: '0' is no number from 1 to $most" --cycles 0
for value in -1 abc $two_to_64 $huge; do
  run 2 "--tiles: '$value' is no tile" --tiles $value
  says 2 "--tiles: '$value' is no tile" trace good.trace --tiles $value
  says 2 "--from: '$value' is neither a cycle nor superstep:NUMBER" trace good.trace --from $value
  run 2 "--host-memory: '$value' is no number of bytes, such as 4096, 64k, 1m or 2g" --host-memory $value
  run 2 "inspection option 'wave-for': '$value' is no length: 'all', supersteps as '2', or cycles as '500c'" --waves w.fst --wave-for $value
done
run 2 "--host-memory: '99999999999g' is no number of bytes, such as 4096, 64k, 1m or 2g" --host-memory 99999999999g
run 2 "--output x@-1:5: '-1' is no number from 0 to $most" --host-memory 4k --output x@-1:5
run 2 '--input @3: no file is named' --host-memory 4k --input @3

for option in --budget --cycles --tiles --host-memory --waves --trace --on-failure --faults --gdb-file --machine --inspect; do
  run 2 "$option has an empty value (tessera run --help tells more)" $option ''
done
run 2 '--budget needs a value (tessera run --help tells more)' --budget
run 2 '--waves is given more than once (tessera run --help tells more)' --waves a.fst --waves b.fst
says 2 'tessera run has no option --epochs; options of the program go behind --: tessera run PROGRAM -- --epochs' run /bin/echo --epochs 3
says 2 'tessera size takes no --epochs (tessera size --help tells more)' size "$elf" --epochs
says 2 'tessera new needs a command: firmware (tessera new --help tells more)' new

# Files and folders, each where the other is wanted, and places where nothing can be put.
for option in --waves --trace --gdb-file; do
  run 5 "$option: folder cannot be written: Is a directory" $option folder
  run 5 "$option: file/x cannot be written: Not a directory" $option file/x
  run 5 "$option: nowhere/x cannot be written: No such file or directory" $option nowhere/x
  says 5 "$option: folder cannot be written: Is a directory" run /bin/echo $option folder
done
run 5 '--waves: /proc/x.fst cannot be written: No such file or directory' --waves /proc/x.fst
run 5 '--output: folder cannot be written: Is a directory' --host-memory 4k --output folder@0:5
run 5 '--on-failure: file is a file; what a failure leaves needs a folder' --on-failure file
run 1 '--input: folder is a directory' --host-memory 4k --input folder
run 1 'folder is a directory, not firmware' --with folder
says 5 '-o: folder cannot be written: Is a directory' trace perfetto good.trace -o folder
says 5 'file/x cannot be made: Not a directory' new firmware file/x
"$tessera" run "$elf" --faults folder >out 2>err
[ $? = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'folder is a directory, no list of faults$' err || { echo 'a directory is taken for a list of faults'; cat err; bad=1; }
[ ! -e x ] && [ ! -e w.fst ] && [ -z "$(find . -name '*.new')" ] || { echo 'a file is left'; ls; bad=1; }

# What does nothing without another.
alone() { # OPTION VALUE OF
  run 2 "inspection option '${1#--}' does nothing without '$3'" $1 $2
  TESSERA_INSPECT="${1#--}=${2:-true}" run 2 "inspection option '${1#--}' does nothing without '$3'" --on-failure none
  says 2 "inspection option '${1#--}' does nothing without '$3'" run /bin/echo $1 $2
}
for option in tiles from for; do
  alone --wave-$option 1 waves
  alone --trace-$option 1 trace
done
alone --wave-depth all waves
alone --trace-registers '' trace
alone --rtl-window '' "waves' or 'trace"
alone --gdb-tiles 1 gdb
run 2 "inspection option 'failure-supersteps' does nothing without 'on-failure'" --on-failure none --inspect failure-supersteps=3
"$tessera" run "$elf" --inspect failure-supersteps=3 >/dev/null 2>err || { echo 'failure-supersteps is refused beside on-failure'; cat err; bad=1; }

# A fault that never comes is told, and changes nothing.
echo 'memory tile=0 address=0x80010 bit=5 superstep=99' >late.txt
"$tessera" run "$elf" --faults late.txt >out 2>err
[ $? = 0 ] && grep -q "^tessera: fault 'memory tile=0 address=0x80010 bit=5 superstep=99' never strikes: the run ends in cycle" err || { echo 'a late fault:'; cat err; bad=1; }
exit $bad
