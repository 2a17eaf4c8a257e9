// The debugger's monitor commands: what a chip knows and a processor does not.
#pragma once

#include <string>
#include <string_view>

#include "inspect/gdb/navigator.h"

namespace tessera::inspect::gdb {

// The text to show. `thread`: what the debugger looks at. A command that cannot be carried out gives one line that says
// why.
std::string monitor(std::string_view command, Target& target, Navigator& navigator, Thread thread);

}  // namespace tessera::inspect::gdb
