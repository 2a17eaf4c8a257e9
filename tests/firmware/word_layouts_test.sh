#!/usr/bin/env bash
# The RTL takes words apart where rtl/spec/word_layouts.h says that their fields are: word_layouts_test.sh SOURCE
cd "$1" || exit 2
bad=0 fields=0
check() { # field, high, low, files
  local field=$1 high=$2 low=$3
  shift 3
  local slice="[$high:$low]"
  [ "$high" = "$low" ] && slice="[$high]"
  grep -qF "$slice" "$@" || { echo "field $field: no slice $slice in $*"; bad=1; }
  fields=$((fields + 1))
}
list=event
while read -r name high low; do
  case $name in
    EVENTS) list=event ;;
    PACKETS) list=packet ;;
    address) check "$name" "$high" "$low" rtl/tile/exchange_sequencer.sv ;;
    *)
      if [ $list = event ]; then check "$name" "$high" "$low" rtl/tile/exchange_sequencer.sv
      else check "$name" "$high" "$low" rtl/edge/packet_tracker.sv; fi ;;
  esac
done < <(sed -nE 's/.*TESSERA_(EVENT|PACKET)_FIELDS.*/\1S/p; s/^ *FIELD\((\w+), (\w+), (\w+),.*/\1 \2 \3/p' rtl/spec/word_layouts.h)
[ $fields = 9 ] || { echo "$fields fields found in word_layouts.h instead of 9"; bad=1; }
exit $bad
