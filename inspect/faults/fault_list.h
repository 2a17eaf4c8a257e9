// Faults to inject into a run, and their text form, one a line: docs/reference/faults.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inspect/faults/fault_line.h"
#include "rtl/spec/tile_id.h"
#include "sim/port/flip.h"

namespace tessera::inspect {

struct Fault {
  chip::Flip flip;
  spec::ChipPlace place{};  // of its chip
  bool by_superstep = false;
  uint64_t superstep = 0;
  uint64_t cycle = 0;  // of the chip; by_superstep: from the superstep's first cycle on
};

// Those of one chip of the system; lines of links are passed over where it has several (link_fault_list.h). Throw
// BadFault "NAME:LINE: what is wrong" for the first line that is no fault of the machine, or of no chip.
std::vector<Fault> parse_faults(const std::string& text, const spec::Machine&, const std::string& name = "faults",
                                const spec::ChipPlace& place = {});
std::vector<Fault> read_faults(const std::string& path, const spec::Machine&, const spec::ChipPlace& place = {});

std::string text(const Fault&);  // its line

}  // namespace tessera::inspect
