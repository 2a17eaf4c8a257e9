#!/usr/bin/env bash
# A run that would go on for ever says where it stands, by itself and at the first Ctrl-C, and is ended from its terminal: by the
# second, and by the terminal's end. Waves and trace are whole.
# interrupted_test.sh TESSERA ENDLESS_ELF
set -u
tessera=$1 elf=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad=0

gone() { # whether the session has no process any more, within ten seconds
  for _ in $(seq 100); do
    pgrep -s "$1" >/dev/null || return 0
    sleep 0.1
  done
  return 1
}

shows() { # FILE PART: within ten seconds
  for _ in $(seq 100); do
    grep -qE -- "$2" "$1" && return
    sleep 0.1
  done
  echo "$1 does not show '$2':"
  cat "$1"
  bad=1
}

for signal in INT HUP; do
  # As a terminal starts it: a session of its own, signals as they are by default.
  setsid env --default-signal=INT,HUP "$tessera" run "$elf" --budget 0 --waves $signal.fst --trace $signal.trace --inspect progress=1 2>$signal.log &
  shows $signal.log '^tessera: superstep 0, cycle [0-9]+, .* cycles/s: [0-9]+ computing'
  session=$(pgrep -f "^$tessera run $elf --budget 0 --waves $signal.fst" | head -n 1)
  kill -$signal -- "-$session"
  if [ $signal = INT ]; then
    shows $signal.log 'Ctrl-C again ends the program'
    shows $signal.log '^tessera:   tiles 0-[0-9]+ computing'
    kill -INT -- "-$session"
  fi
  gone "$session" || { echo "$signal: a process is left"; bad=1; pkill -KILL -s "$session"; }
  wait
  "$tessera" waves $signal.fst -o $signal.gtkw >/dev/null || { echo "$signal: the waves cannot be read"; bad=1; }
  "$tessera" trace $signal.trace >$signal.txt || { echo "$signal: the trace cannot be read"; bad=1; }
  [ "$(wc -l <$signal.txt)" -gt 100 ] || { echo "$signal: the trace is empty"; bad=1; }
done
exit $bad
