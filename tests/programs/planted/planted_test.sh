#!/usr/bin/env bash
# Each planted mistake is told by `tessera run --check`, with tile, vertex, line and what was wrong: planted_test.sh TESSERA PLANTED CODELETS BACKEND
set -uo pipefail
tessera=$1 planted=$2 codelets=$3
export TESSERA_BACKEND=$4 TESSERA_MACHINE=mk2-4 TESSERA_QUIET=1
failed=0

report() { "$tessera" run --check --on-failure none "$planted" "$1" 2>&1; }

told() { # number, vertex, what the report must hold...
  local number=$1 vertex=$2 line said part
  shift 2
  line=codelets.cpp:$(grep -nE "// bug: $number\$" "$codelets" | cut -d: -f1)
  said=$(report "$number")
  for part in "Tile 2" "$vertex" "$line" "$@"; do
    grep -qF -- "$part" <<<"$said" || {
      echo "mistake $number is not told with '$part':" && echo "$said"
      failed=1
    }
  done
}

grep -qF "came to its end" <<<"$(report 0)" || { echo "the programs without mistakes do not come to their end" && report 0 && failed=1; }

heat="codelet 'Heat" histogram="codelet 'Histogram" rows="codelet 'Rows" softmax="codelet 'Softmax"
told 1 "$heat<1>'" "index 8 of input 'in' (rod/now[0..7]" "which has 8 elements"
told 2 "$heat<2>'" "index -1 of input 'in' (rod/now[0..7]" "which has 8 elements"
told 3 "$heat<3>'" "index 8 of output 'out' (rod/next[0..7]" "which has 8 elements"
told 4 "$heat<4>'" "store of 4 bytes" "just beyond the end of output 'out' (rod/next[0..7]"
told 5 "$heat<5>'" "load of 4 bytes" "beyond the end of" "which is not the vertex's"
told 6 "$heat<0>'" "load of 4 bytes" "input 'left' (rod/halo[0]" "which nobody has written"
told 7 "$heat<7>'" "load of 4 bytes" "element 0 of output 'out' (rod/next[0]), which nobody has written"
told 8 "$heat<8>'" "float exception" "divide by zero"
told 9 "$histogram<9>'" "index 77 of output 'bins' (bins[0..7]" "which has 8 elements"
told 10 "$histogram<10>'" "division of 3 by zero"
told 11 "$histogram<11>'" "index 21 of an array of type 'volatile int[16]'"
told 12 "$histogram<12>'" "assertion \`__n < this->size()\` of the C++ library"
told 13 "$histogram<13>'" "in the stack of worker 0, which nobody has written"
told 14 "$histogram<14>'" "assertion \`value < 70\`"
told 15 "$histogram<15>'" "cycle budget"
told 16 "$histogram<16>'" "the end of a function that returns a value"
told 17 "$rows<17>'" "index 8 of input 'x' (x[0..7]" "which has 8 elements"
told 18 "$rows<18>'" "index 4 of list 'rows', which has 4 vectors"
told 19 "$rows<19>'" "index 8 of input 'rows[1]' (matrix[8..15]" "which has 8 elements"
told 20 "$rows<20>'" "null pointer: a load of type 'const float'"
told 21 "$rows<21>'" "misaligned pointer 0x" "element 0 of input 'x'" "needs a multiple of 4"
told 22 "$rows<22>'" "store of 4 bytes" "element 0 of input 'x' (x[0]), which is not the vertex's"
told 23 "$rows<23>'" "jump to 0x0"
told 24 "$rows<24>'" "stack exception" "512 bytes"
told 25 "$softmax<25>'" "value 6 of type 'const bool'"
told 26 "$softmax<26>'" "a place that the program says is never reached"
told 27 "$softmax<27>'" "float exception" "overflow" "scores[1]"
told 28 "$softmax<28>'" "float exception" "invalid operation"
told 29 "$softmax<29>'" "float exception" "divide by zero"
told 30 "$softmax<0>'" "element 0 of input 'in' (copied[0]), which nobody has written"
told 31 "codelet 'SharedFill'" "store of 4 bytes" "the pointer of output 'out' in the state of vertex 1"
told 32 "codelet 'Counts'" "index 8 of output 'out' (counts[0..7]" "which has 8 elements"
exit $failed
