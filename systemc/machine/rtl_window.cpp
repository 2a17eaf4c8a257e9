#include "machine/rtl_window.h"

#include <utility>

#include "chip/model_chip.h"
#include "chip/switch_chip.h"

namespace tessera::machine {

SuperstepWindow superstep_window(const inspect::Options& options, const std::string& option) {
  const bool waves = !options.waves.empty();
  if (!waves && options.trace.empty())
    throw inspect::BadOption("inspection option '" + option + "' needs the window of waves or of a trace");
  const inspect::Window& window = waves ? options.wave_window : options.trace_window;
  if (window.from.kind != inspect::Trigger::Kind::kSuperstep || window.length.kind == inspect::Length::Kind::kCycles) {
    const std::string prefix = waves ? "wave" : "trace";
    throw inspect::BadOption("inspection option '" + option + "' takes a window of supersteps, not '" + prefix +
                             "-from=" + text(window.from) + ";" + prefix + "-for=" + text(window.length) + "'");
  }
  SuperstepWindow found{window.from.number, ~0ull};
  if (window.length.kind == inspect::Length::Kind::kSupersteps) found.count = window.length.number;
  return found;
}

std::unique_ptr<chip::Chip> make_rtl_window(const inspect::Options& options, const spec::Machine& machine,
                                            std::function<std::unique_ptr<chip::Chip>()> make_rtl) {
  const SuperstepWindow window = superstep_window(options, "rtl-window=true");
  return chip::make_switch_chip(chip::make_model_chip(machine), std::move(make_rtl), window.from, window.count);
}

}  // namespace tessera::machine
