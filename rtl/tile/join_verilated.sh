#!/bin/sh
# join_verilated.sh FOLDER PREFIX: what Verilator made, to be compiled as three files: PREFIX_fast.cpp is what every cycle
# needs, in which all of it sees each other, PREFIX_save.cpp what saves and restores the state, PREFIX_slow.cpp what begins and
# ends a simulation.
set -eu
cd "$1"
for part in fast save slow; do
  echo '#define VL_INCLUDE_OPT include' >"$2_$part.cpp"
done
for file in "$2"*.cpp; do
  case $file in
    "$2_fast.cpp" | "$2_save.cpp" | "$2_slow.cpp") continue ;;
    *__DepSet_*__Slow.cpp) part=slow ;;
    *__Slow.cpp | *__Syms.cpp) part=save ;;
    *) part=fast ;;
  esac
  echo "#include \"$file\"" >>"$2_$part.cpp"
done
