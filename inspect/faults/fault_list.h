// Faults to inject into a run, and their text form, one a line: docs/reference/faults.md.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/port/flip.h"

namespace tessera::inspect {

struct Fault {
  chip::Flip flip;
  bool by_superstep = false;
  uint64_t superstep = 0;
  uint64_t cycle = 0;  // of the chip; by_superstep: from the superstep's first cycle on
};

struct BadFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throw BadFault "NAME:LINE: what is wrong" for the first line that is no fault of the machine.
std::vector<Fault> parse_faults(const std::string& text, const spec::Machine&, const std::string& name = "faults");
std::vector<Fault> read_faults(const std::string& path, const spec::Machine&);

std::string text(const Fault&);  // its line

}  // namespace tessera::inspect
