// The debugger's part of a run under inspection: a server for gdb that stands still between two cycles while somebody
// looks. docs/user/debugging.md, docs/reference/gdb.md.
#pragma once

#include <memory>

#include "inspect/options.h"
#include "inspect/run.h"

namespace tessera::spec {
struct Machine;
}

namespace tessera::inspect::gdb {

// Of a chip that is alone; of several: system_debugger.h. Null when options.gdb is empty. Listens at once and writes
// the port to options.gdb_file. Throws BadOption or std::runtime_error, one line.
std::unique_ptr<Part> make_part(const Options&, const spec::Machine&);

}  // namespace tessera::inspect::gdb
