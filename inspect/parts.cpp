#include "inspect/parts.h"

#include "inspect/check/part.h"
#include "inspect/failure/part.h"
#include "inspect/gdb/part.h"
#include "inspect/gdb/system_debugger.h"
#include "inspect/progress/part.h"
#include "inspect/trace/part.h"
#include "inspect/waves/part.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect {
namespace {

std::unique_ptr<Part> make(PartKind kind, const Options& options, const spec::Machine& machine,
                           const spec::ChipPlace& place, gdb::SystemDebugger* debugger) {
  switch (kind) {
    case PartKind::kWaves:
      return options.waves.empty() ? nullptr : waves::make_part(options, machine, place);
    case PartKind::kTrace:
      return options.trace.empty() ? nullptr : trace::make_part(options, machine, place);
    case PartKind::kCheck:
      return check::make_part(options, machine, place);
    case PartKind::kFailure:
      return failure::make_part(options, machine, place);
    case PartKind::kGdb:
      return debugger != nullptr ? debugger->make_part(options, place) : gdb::make_part(options, machine);
    case PartKind::kProgress:
      return progress::make_part(options, place);
  }
  return nullptr;
}

}  // namespace

MakePart part_maker(const spec::Machine& machine, const spec::ChipPlace& place, gdb::SystemDebugger* debugger) {
  return [machine, place, debugger](PartKind kind, const Options& options) {
    return make(kind, options, machine, place, debugger);
  };
}

}  // namespace tessera::inspect
