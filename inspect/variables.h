// The environment's variables that say of every run how it is looked into (docs/user/options.md). Each throws BadOption
// naming the variable for a value that it cannot have. "": not given.
#pragma once

#include <string>

namespace tessera::inspect {

std::string variable(const char* name);
bool flag_variable(const char* name);  // 0 or 1
std::string options_variable();        // TESSERA_INSPECT, in text form
bool quiet_variable();                 // TESSERA_QUIET

}  // namespace tessera::inspect
