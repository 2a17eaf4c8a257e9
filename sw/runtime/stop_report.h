// Says why a chip stopped, in the words of the user's program: tile, context, cause, vertex, codelet, compute set,
// step, superstep.
#pragma once

#include <string>

#include "compiler/image/executable.h"
#include "machine/client.h"

namespace tessera::runtime {

// `stop` is an exception, a deadlock, a passed budget or a halt. Reads the chip through its debug registers.
std::string describe_stop(machine::Client& client, const image::Executable& executable, const chip::Stop& stop,
                          uint64_t budget);

}  // namespace tessera::runtime
