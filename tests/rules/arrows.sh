#!/usr/bin/env bash
# Rooms look down only: a source includes of the project what the table of docs/developer/layout.md lets its room include.
cd "$1" || exit 2
bad=0
say() { echo "$*"; bad=1; }

declare -A may
while IFS='|' read -r _ room allowed _; do
  room=$(tr -d ' `' <<<"$room")
  may[$room]="$room $(tr -d '`' <<<"$allowed")"
done < <(grep -E '^\| `' docs/developer/layout.md)
[ ${#may[@]} -gt 0 ] || { echo "docs/developer/layout.md has no table of rooms"; exit 1; }

room_of() { # the longest room that holds the file
  local folder=$1
  while [[ $folder == */* ]]; do
    folder=${folder%/*}
    [ -n "${may[$folder]:-}" ] && { room=$folder; return; }
  done
  room=""
}

while IFS= read -r file; do
  room_of "$file"
  [ -n "$room" ] || say "$file stands in no room of docs/developer/layout.md"
done < <(git ls-files '*.h' '*.hpp' '*.cpp' '*.inl')

# The project's own top folders and public headers; whatever else is included comes from outside.
tops=$(printf '%s\n' "${!may[@]}" | cut -d/ -f1 | sort -u | paste -sd'|')
quoted='["<]([^">]*)'
while IFS=: read -r file line text; do
  [[ $text =~ $quoted ]] && included=${BASH_REMATCH[1]}
  room_of "$file"
  for allowed in ${may[$room]:-}; do [[ $included == "$allowed"/* ]] && continue 2; done
  say "$file:$line: $room must not include $included"
done < <(git grep -nE "^#include [\"<]($tops|poplar|popops|poputil|gcl|tessera)/" -- '*.h' '*.hpp' '*.cpp' '*.inl')

# systemc/ is what includes SystemC and nothing else.
while IFS= read -r file; do
  grep -qE '^#include (<(systemc|tlm)|"systemc/)' "$file" "${file%.*}.h" || say "$file includes no SystemC: not of this room"
done < <(git ls-files 'systemc/*.h' 'systemc/*.cpp')
exit $bad
