// A recorded run as its options want it: the chip that they need, with the faults that they name, and the parts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "inspect/recorded_run.h"
#include "rtl/spec/system.h"
#include "sim/link/link_faults.h"
#include "sim/port/backend_request.h"

namespace tessera::inspect {
namespace gdb {
class SystemDebugger;
}

// `options`: text form. Both throw BadOption, BadFault or std::runtime_error, one line; nothing is written then.
// `place`: of the chip in its system; of several chips each has its part of the options (options_of_chip.h), and all
// one debugger (gdb/system_debugger.h), which is not owned and stays longer than they.
std::unique_ptr<RecordedRun> make_run(const chip::MakeBackend& make_backend, const std::string& backend,
                                      const spec::Machine& machine, const std::string& options,
                                      const spec::ChipPlace& place = {}, gdb::SystemDebugger* debugger = nullptr);
// What its options say of the links of the system, by link; links that are left out have no faults. Throws BadOption or
// BadFault, one line.
std::map<uint32_t, link::LinkFaults> link_faults(const std::string& options, const spec::System& system);
// The file of what passes on them (links/link_trace.h); empty: none.
std::string link_trace(const std::string& options, const spec::System& system);
// Of a chip that is there already, so it cannot be what wave-depth=all and rtl-window=true need.
std::unique_ptr<RecordedRun> make_run(std::unique_ptr<chip::Chip> chip, const std::string& options);

}  // namespace tessera::inspect
