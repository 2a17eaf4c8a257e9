#include "machine/parts.h"

#include "rtl/spec/machine.h"
#ifdef TESSERA_HAS_WAVES
#include "inspect/waves/part.h"
#endif
#ifdef TESSERA_HAS_TRACE
#include "inspect/trace/part.h"
#endif
#ifdef TESSERA_HAS_GDB
#include "inspect/gdb/part.h"
#endif
#ifdef TESSERA_HAS_FAILURE
#include "inspect/failure/part.h"
#endif

namespace tessera::machine {
namespace {

using inspect::Options;
using inspect::PartKind;

using Made = std::unique_ptr<inspect::Part>;

[[maybe_unused]] Made lacking(const std::string& value, const char* key) {
  if (!value.empty())
    throw inspect::BadOption("inspection option '" + std::string(key) + "=" + value +
                             "': this machine was built without it");
  return nullptr;
}

Made make(PartKind kind, const Options& options, [[maybe_unused]] const spec::Machine& machine) {
  switch (kind) {
    case PartKind::kWaves:
#ifdef TESSERA_HAS_WAVES
      return options.waves.empty() ? nullptr : inspect::waves::make_part(options, machine);
#else
      return lacking(options.waves, "waves");
#endif
    case PartKind::kTrace:
#ifdef TESSERA_HAS_TRACE
      return options.trace.empty() ? nullptr : inspect::trace::make_part(options, machine);
#else
      return lacking(options.trace, "trace");
#endif
    case PartKind::kFailure:
#ifdef TESSERA_HAS_FAILURE
      return inspect::failure::make_part(options, machine);
#else
      return lacking(options.on_failure, "on-failure");
#endif
    case PartKind::kGdb:
#ifdef TESSERA_HAS_GDB
      return options.gdb.empty() ? nullptr : inspect::gdb::make_part(options, machine);
#else
      return lacking(options.gdb, "gdb");
#endif
  }
  return nullptr;
}

}  // namespace

inspect::MakePart part_maker(const spec::Machine& machine) {
  return [machine](PartKind kind, const Options& options) { return make(kind, options, machine); };
}

}  // namespace tessera::machine
