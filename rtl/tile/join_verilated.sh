#!/bin/sh
# join_verilated.sh FOLDER PREFIX: what Verilator made, to be compiled as three files: PREFIX_fast.cpp is what every cycle
# needs, in which all of it sees each other, PREFIX_save.cpp what saves and restores the state, PREFIX_slow.cpp what begins and
# ends a simulation.
# The functions of the root module are called at one place each and are put in line there, however large they are: left to the
# compiler's threshold, they move in and out of line with every change of the RTL, and a tenth of the speed with them. Those of a
# module of which there are more are called once for each and left to the compiler.
set -eu
cd "$1"
for part in fast save slow; do
  : >"$2_$part.cpp"
done
for file in "$2"*.cpp; do
  inline=''
  case $file in
    "$2_fast.cpp" | "$2_save.cpp" | "$2_slow.cpp") continue ;;
    *__DepSet_*__Slow.cpp) part=slow ;;
    *__Slow.cpp | *__Syms.cpp) part=save ;;
    "$2"___024root__*) part=fast inline='inline __attribute__((always_inline))' ;;
    *) part=fast ;;
  esac
  printf '#undef VL_INLINE_OPT\n#define VL_INLINE_OPT %s\n#include "%s"\n' "$inline" "$file" >>"$2_$part.cpp"
done
