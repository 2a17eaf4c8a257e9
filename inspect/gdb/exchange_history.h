// What the tiles have exchanged in the superstep in which a stopped run stands, as text.
#pragma once

#include <string>

#include "inspect/gdb/navigator.h"

namespace tessera::inspect::gdb {

std::string exchange_history(Target& target, Navigator& navigator);

}  // namespace tessera::inspect::gdb
