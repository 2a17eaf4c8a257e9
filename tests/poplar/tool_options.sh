#!/usr/bin/env bash
# tool_options.sh POPC TESSERA CODELETS FOLDER: an option of a tool that could not be heeded is refused in one line.
set -euo pipefail
popc=$1 tessera=$2 codelets=$3 folder=$4

refused() { # part of the message, command...
  local part=$1 said
  shift
  if said=$("$@" 2>&1); then
    echo "accepted: $*" >&2
    exit 1
  fi
  grep -qF -- "$part" <<<"$said" || {
    echo "$* says: $said" >&2
    exit 1
  }
}

"$popc" --target ipu2,cpu "$codelets" -o "$folder/targets.gp"
refused "toaster" "$popc" --target ipu2,toaster "$codelets" -o "$folder/none.gp"
refused "toaster" "$popc" -target=toaster "$codelets" -o "$folder/none.gp"
"$popc" --version | grep -q '^popc of Tessera [0-9.]*, with .*clang version'
echo '#define FIRST 1' >"$folder/first.h"
printf '#ifndef FIRST\n#error not included\n#endif\n' | cat - "$codelets" >"$folder/needs_first.cpp"
"$popc" -target=ipu2 -include "$folder/first.h" "$folder/needs_first.cpp" -o "$folder/first.gp"
refused "not included" "$popc" "$folder/needs_first.cpp" -o "$folder/none.gp"

# A half that becomes a float is no promotion to double, and costs nothing.
cat >"$folder/promotes.cpp" <<'END'
#include <poplar/Vertex.hpp>
class Promotes : public poplar::Vertex {
 public:
  poplar::Input<half> in;
  poplar::Output<float> out;
  bool compute() {
    *out = *in * FACTOR;
    return true;
  }
};
END
said=$("$popc" -Werror -Wdouble-promotion -DFACTOR=1.5f "$folder/promotes.cpp" -o "$folder/promotes.gp" 2>&1)
[ -z "$said" ] || {
  echo "popc -Wdouble-promotion says: $said" >&2
  exit 1
}
# Where the source asks for the warning itself it gets it, once.
sed 's/^class/#pragma clang diagnostic warning "-Wdouble-promotion"\nclass/' "$folder/promotes.cpp" >"$folder/asks.cpp"
for from in compiler cache; do
  said=$(XDG_CACHE_HOME="$folder/cache" "$popc" -DFACTOR=1.5f "$folder/asks.cpp" -o "$folder/asks.gp" 2>&1)
  [ "$(grep -c -- '-Wdouble-promotion' <<<"$said")" = 1 ] || {
    echo "popc does not give the warning that the source asks for once, from the $from: $said" >&2
    exit 1
  }
done
refused "-Wdouble-promotion" "$popc" -Werror -Wdouble-promotion -DFACTOR=1.5 "$folder/promotes.cpp" -o "$folder/none.gp"

refused "--kind is not for the view vertices" "$tessera" trace run.trace vertices --kind stores
refused "-o is not for the view text" "$tessera" trace run.trace -o out.json
refused "--tiles is not for the view supersteps" "$tessera" trace run.trace supersteps --tiles 3
refused "--run is not for the view summary" "$tessera" trace run.trace summary --run 2
# What a view heeds goes on to the file, which is not there.
refused "run.trace" "$tessera" trace run.trace vertices --tiles 3
# Options of firmware, given for a program of the host.
refused "--cycles is for firmware" "$tessera" run /bin/true --cycles 5

# What the checks of a checked build cost is told, and a library without them is not taken for one.
said=$("$popc" --check "$codelets" -o "$folder/checked.gp" 2>&1)
grep -qE 'bytes of code and constants, [0-9]+ without checks' <<<"$said" || {
  echo "popc --check says: $said" >&2
  exit 1
}
"$popc" --check "$folder/checked.gp" --list | grep -q -- --check
refused "targets.gp was compiled without --check" "$popc" --check "$folder/targets.gp" -o "$folder/none.gp"
