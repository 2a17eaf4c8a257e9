// What compiler and runtime say while they work, for whoever sets POPLAR_LOG_LEVEL (docs/user/options.md). Off unless
// asked for; nothing that reaches results depends on it.
//
// spdlog stands behind it and is seen by log.cpp only: a program may use a spdlog of its own.
#pragma once

#include <chrono>
#include <string>
#include <type_traits>

namespace tessera::log {

enum class Module { kCodelets, kEngine, kGraph, kProfiler, kProgram, kTarget, kTensor };
enum class Level { kTrace, kDebug, kInfo, kWarn, kErr };

// Throws poplar::invalid_option, naming the variable, if a level is none or the destination cannot be written.
[[gnu::visibility("default")]] bool wants(Module module, Level level);
[[gnu::visibility("default")]] void write(Module module, Level level, const std::string& line);
// `line` is called when somebody wants it.
template <class Line>
  requires(!std::is_convertible_v<Line, std::string>)
void write(Module module, Level level, const Line& line) {
  if (wants(module, level)) write(module, level, std::string(line()));
}

// Time on the host's clock: for log lines only.
class Stopwatch {
 public:
  void start() { start_ = Clock::now(); }
  double milliseconds() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace tessera::log
