#!/usr/bin/env bash
# Words that one side builds and another takes apart are reached by rtl/spec/words.h and words_pkg only: no file outside rtl/spec
# shifts, masks or slices an event, a packet header, a debug word or an observe record. Positions are those of words.def.
cd "$1" || exit 2
bad=0
software=(':(glob)**/*.h' ':(glob)**/*.hpp' ':(glob)**/*.cpp' ':(glob)**/*.inl' ':(glob)**/*.c' ':(glob)**/*.S')
# Written by hand on purpose, to be compared with what the tables give.
software+=(':!rtl/spec' ':!tb/spec/words_test.cpp' ':!tb/edge/host_port_test.cpp')
hardware=('rtl/*.sv' 'tests/methods/formal/*.sv')
no() { # what is wrong, pattern, files
  local what=$1 pattern=$2
  shift 2
  if git grep -nP "$pattern" -- "$@"; then
    echo "$what: use rtl/spec/words.h (C++), words_pkg (RTL) or tessera/words.h (firmware)"
    bad=1
  fi
}

# Names that such words go by.
names='\b\w*(event_?|header_?|packet_?(\[0\])?|select_?|status_?|observe_o|packet\.front\(\)|head)(\(\))?(\[[0-9]+\])?'
no "a shift or mask of a word of the table, by its name" "$names\)? (>>|&) (?!32\b|8 \*)(0x[0-9a-f]+|[0-9]+)(u|ull)?\b" "${software[@]}"
no "an observe record is taken apart" 'observe_o\[[1-9]|\bo\[(9|14)\]' "${software[@]}"
no "a slice of a word of the table, by its name" '\b(\w*event(_rdata|_q)?|present|\w*header(_q)?|packet_data_i|up_data_i|select_\w*|status|observe_o|operand\d?_i)(_i|_q)?\[(?!31:2\])\d+(:\d+)?\]' "${hardware[@]}"

# Positions of fields: `>> low & most` takes one out; `<< low | ... << other low` of the same word puts two in.
word="" lows=()
two_of_a_word() {
  [ ${#lows[@]} -gt 1 ] || return
  local any
  any=$(IFS='|'; echo "${lows[*]}")
  no "two fields of a $word are put in place" "<< ($any)\b[^;<]*\|[^;<]*<< (?!\1\b)($any)\b(?! *\+)" "${software[@]}"
}
fields=0
while read -r line; do
  if [[ $line =~ ^WORD\((.*),.*,\ ([0-9]+), ]]; then
    word=${BASH_REMATCH[1]%%,*} lows=()
  elif [[ $line =~ ^END_WORD ]]; then
    two_of_a_word
  elif [[ $line =~ ^FIELD\(([a-z_]+),\ ([0-9]+),\ ([0-9]+), && $word != Observe ]]; then
    field=${BASH_REMATCH[1]} high=${BASH_REMATCH[2]} low=${BASH_REMATCH[3]}
    fields=$((fields + 1))
    [ "$low" -ge 4 ] && lows+=("$low")
    [ "$high" -gt "$low" ] && [ "$low" -ge 4 ] || continue
    most=$(((1 << (high - low + 1)) - 1))
    no "$word.$field is taken out" "(?<!float_control) >> $low\)? ?& ?(($(printf '0x%x' $most)|$most)u?l*\b)" "${software[@]}"
    [ "$high:$low" != 63:32 ] || continue  # half of any double word
    [ "$low" -ge 16 ] || [ "$word" = ExchangeEvent ] || continue
    no "$word.$field is sliced" "\b(?!\w*word|v\b|value_w|instruction)\w+\[$high:$low\]" "${hardware[@]}"
  fi
done < rtl/spec/words.def
[ "$fields" -ge 20 ] || { echo "$fields fields found in rtl/spec/words.def"; bad=1; }
exit $bad
