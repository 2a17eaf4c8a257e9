// What is asked of a bench's chips: its arguments and TESSERA_INSPECT, as text for InspectedChip.
#pragma once

#include <string>

namespace tessera::inspect {

// The options that `tessera run` has too among the program's arguments, over those of TESSERA_INSPECT. They are taken
// out of argv, and so is --, behind which all is the program's. Throws BadOption (options.h), one line.
std::string take_options(int& argc, char* argv[]);
// For one chip of several: `name` stands in the names of the files, out.fst becomes out.NAME.fst.
std::string for_chip(const std::string& options, const std::string& name);

}  // namespace tessera::inspect
