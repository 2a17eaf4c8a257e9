// Supervisor code that raises an exception on purpose: every cause but those that only ports and floats raise.
#pragma once

#include "layout.h"
#include "random.h"
#include "tb/model/program.h"

namespace tessera::test {

void add_segment_fault(Program&, Random&, const Layout&);

}  // namespace tessera::test
