#include "inspect/superstep_window.h"

namespace tessera::inspect {

SuperstepWindow superstep_window(const Options& options, const std::string& option) {
  const bool waves = !options.waves.empty();
  if (!waves && options.trace.empty())
    throw BadOption("inspection option '" + option + "' needs the window of waves or of a trace");
  const Window& window = waves ? options.wave_window : options.trace_window;
  if (window.from.kind != Trigger::Kind::kSuperstep || window.length.kind == Length::Kind::kCycles) {
    const std::string prefix = waves ? "wave" : "trace";
    throw BadOption("inspection option '" + option + "' takes a window of supersteps, not '" + prefix +
                    "-from=" + text(window.from) + ";" + prefix + "-for=" + text(window.length) + "'");
  }
  SuperstepWindow found{window.from.number, ~0ull};
  if (window.length.kind == Length::Kind::kSupersteps) found.count = window.length.number;
  return found;
}

}  // namespace tessera::inspect
