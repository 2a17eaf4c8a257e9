// How long things take: moments, and what of the cycles the execution profile counts.
#include <fmt/format.h>

#include <chrono>
#include <poplar/Engine.hpp>

#include "sw/poplar/engine_impl.h"

namespace poplar {

Engine::TimerTimePoint Engine::getTimeStamp() const {
  TimerTimePoint now;
  if (const auto counters = impl().counted()) {
    now.loaded_ = true;
    now.cycles_ = counters->cycles;
  }
  now.host_ = std::chrono::steady_clock::now();
  return now;
}

std::string Engine::reportTiming(const TimerTimePoint& start, const TimerTimePoint& end) const {
  const std::chrono::duration<double, std::milli> host = end.host_ - start.host_;
  std::string text = fmt::format("{:.3f} ms on the host", host.count());
  if (start.loaded_ && end.loaded_ && end.cycles_ >= start.cycles_) {
    const double cycles = static_cast<double>(end.cycles_ - start.cycles_);
    text += fmt::format(", {:.0f} cycles ({:.3f} us) on the device", cycles,
                        1e6 * cycles / impl().target.getTileClockFrequency());
  }
  return text;
}

void Engine::resetExecutionProfile() { impl().profiled.reset(impl().counted().value_or(tessera::chip::Counters())); }

void Engine::disableExecutionProfiling() {
  impl().profiled.disable(impl().counted().value_or(tessera::chip::Counters()));
}

void Engine::enableExecutionProfiling() {
  impl().profiled.enable(impl().counted().value_or(tessera::chip::Counters()));
}

}  // namespace poplar
