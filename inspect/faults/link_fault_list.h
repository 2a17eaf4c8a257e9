// The lines of a list of faults that are of links: docs/reference/faults.md, Links.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rtl/spec/system.h"
#include "sim/link/link_faults.h"

namespace tessera::inspect {

// By link; of each that a line names. Lines of other sites are passed over. Throw BadFault "NAME:LINE: what is wrong"
// for the first that is no fault of the system.
std::map<uint32_t, link::LinkFaults> parse_link_faults(const std::string& text, const spec::System& system,
                                                       const std::string& name = "faults");
std::map<uint32_t, link::LinkFaults> read_link_faults(const std::string& path, const spec::System& system);

}  // namespace tessera::inspect
