#!/usr/bin/env bash
# Every rule is shown to fail: rules_fail_when_broken.sh SOURCE SCRATCH
# In a copy of the sources a rule holds; with one line planted it fails and names the file; without the line it holds again.
set -u
source=$1 scratch=$2
rm -rf "$scratch" && mkdir -p "$scratch" || exit 2
# The tracked files as they stand, as a repository of their own: rules ask git for files.
(cd "$source" && git ls-files -z | xargs -0 -r ls -d 2>/dev/null | tar cf - --no-recursion -T -) | tar xf - -C "$scratch" || exit 2
cd "$scratch" || exit 2
git init -q . && git add -A . || exit 2
bad=0 cases=0

holds() { # rule
  tests/rules/"$1".sh "$scratch" >"$scratch.log" 2>&1 || { echo "$1 does not hold in the sources as they are:"; cat "$scratch.log"; bad=1; }
}
fails() { # rule, file to which a line is added, the line
  local rule=$1 file=$2 line=$3
  cases=$((cases + 1))
  cp "$file" "$scratch.kept" || { bad=1; return; }
  echo "$line" >>"$file"
  if tests/rules/"$rule".sh "$scratch" >"$scratch.log" 2>&1; then
    echo "$rule does not see in $file: $line"
    bad=1
  elif ! grep -qF "$file" "$scratch.log"; then
    echo "$rule fails without naming $file:"
    cat "$scratch.log"
    bad=1
  fi
  cp "$scratch.kept" "$file"
}

# words: shifts, masks and slices of words of the table.
holds words
fails words sim/model/packet_port.cpp 'unsigned kind_of(unsigned header) { return header >> 28; }'
fails words sim/engine/packet_edge.cpp 'unsigned kind_of(const Packet& packet) { return packet[0] >> 28; }'
fails words inspect/failure/event_list.cpp 'unsigned count_of(uint64_t bits) { return bits >> 34 & 0x3fff; }'
fails words inspect/failure/event_list.cpp 'bool is_last(uint64_t event) { return event & 1; }'
fails words compiler/passes/vertices/emit_state.cpp 'unsigned header_of(unsigned kind, unsigned tile) { return kind << 28 | tile << 17 | 3; }'
fails words compiler/passes/exchange/schedule_exchange.cpp 'uint64_t at(uint64_t a, uint64_t n) { return a << 16 | n << 34; }'
fails words systemc/pcie/pcie_endpoint.cpp 'unsigned space_of(unsigned value) { return value >> 16 & 7; }'
fails words systemc/pcie/pcie_endpoint.cpp 'bool excepted(unsigned status) { return (status & 4) != 0; }'
fails words sw/card/client.cpp 'unsigned select(unsigned tile, unsigned space, unsigned context) { return tile | space << 16 | context << 20; }'
fails words sw/firmware/include/tessera/packets.h 'static inline unsigned kind_of(unsigned header) { return (header) >> 28; }'
fails words sim/engine/rtl_tile.h 'bool valid(const uint32_t* o) { return o[9] >> 31; }'
fails words tb/tile/exchange_test.cpp 'uint64_t source(uint64_t value) { return value >> 48 & 2047; }'
fails words rtl/tile/exchange_sequencer.sv 'assign delay = present[15:4];'
fails words rtl/tile/packet_port.sv 'assign mine = packet_data_i[27:17] == tile_id_i;'
fails words rtl/edge/host_port.sv 'assign context = mmio_wdata_i[22:20];'
holds words

# duplicates: a run of lines of another file.
holds duplicates
fails duplicates sim/model/memory.cpp "$(grep -v '^#include' inspect/trigger.cpp | head -30)"

# arrows: an include of a room above, or beside.
holds arrows
fails arrows sim/port/flip.cpp '#include "sim/model/memory.h"'
fails arrows sim/model/issue.cpp '#include "sim/engine/lockstep.h"'
fails arrows inspect/trigger.cpp '#include "sim/engine/model_chip.h"'
fails arrows compiler/graph/types.cpp '#include "compiler/passes/compile.h"'
fails arrows compiler/passes/lower/storage.cpp '#include "sim/port/chip.h"'
fails arrows sw/card/client.cpp '#include <poplar/exceptions.hpp>'
fails arrows systemc/pcie/pcie_link.cpp '#include "systemc/machine/card.h"'

# names: one module a file, none but of the file's name; no waivers; what only a simulation has is marked.
holds names
fails names rtl/tile/alu.sv 'module another; endmodule'
fails names rtl/tile/alu.sv '// verilator lint_off WIDTH'
fails names rtl/tile/alu.sv '(* keep *)'
fails names rtl/tile/alu.sv $'`ifdef SYNTHESIS\n`endif'
fails names tests/compiler/lives_test.cpp 'const auto part = Catch::Contains("part");'

# formatting: of C++, and blanks at the end of a line.
holds formatting
fails formatting sim/port/flip.cpp 'int  unformatted ;'
fails formatting rtl/tile/alu.sv '// a blank follows '

echo "$cases planted lines seen"
[ "$cases" -ge 29 ] || bad=1
exit $bad
