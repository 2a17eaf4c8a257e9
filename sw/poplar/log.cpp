#include "sw/poplar/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <poplar/exceptions.hpp>
#include <vector>

namespace tessera::log {
namespace {

struct NamedLevel {
  const char* name;
  spdlog::level::level_enum level;
};
constexpr NamedLevel kLevels[] = {{"OFF", spdlog::level::off},     {"ERR", spdlog::level::err},
                                  {"WARN", spdlog::level::warn},   {"INFO", spdlog::level::info},
                                  {"DEBUG", spdlog::level::debug}, {"TRACE", spdlog::level::trace}};
constexpr std::array kModules = {"CODELETS", "ENGINE", "GRAPH", "PROFILER", "PROGRAM", "TARGET", "TENSOR"};

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

spdlog::level::level_enum level_of(const std::string& name, spdlog::level::level_enum otherwise) {
  const std::string value = variable(name);
  if (value.empty()) return otherwise;
  for (const NamedLevel& known : kLevels)
    if (value == known.name) return known.level;
  throw poplar::invalid_option(name + " is '" + value + "'; it can be OFF, ERR, WARN, INFO, DEBUG or TRACE");
}

spdlog::sink_ptr destination() {
  const std::string value = variable("POPLAR_LOG_DEST");
  if (value.empty() || value == "stderr") return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  if (value == "stdout") return std::make_shared<spdlog::sinks::stdout_sink_mt>();
  try {
    return std::make_shared<spdlog::sinks::basic_file_sink_mt>(value, true);
  } catch (const spdlog::spdlog_ex& error) {
    throw poplar::invalid_option("POPLAR_LOG_DEST is '" + value +
                                 "'; it can be stdout, stderr or a file that can be written (" + error.what() + ")");
  }
}

// One for each module, on one destination, opened only if some module is on. spdlog's registry is left alone.
struct Loggers {
  Loggers() {
    const auto usual = level_of("POPLAR_LOG_LEVEL", spdlog::level::off);
    std::array<spdlog::level::level_enum, kModules.size()> levels;
    for (size_t i = 0; i < kModules.size(); ++i)
      levels[i] = level_of(std::string("POPLAR_") + kModules[i] + "_LOG_LEVEL", usual);
    if (std::all_of(levels.begin(), levels.end(), [](auto level) { return level == spdlog::level::off; })) return;
    const spdlog::sink_ptr sink = destination();
    for (size_t i = 0; i < kModules.size(); ++i) {
      auto logger = std::make_unique<spdlog::logger>(kModules[i], sink);
      logger->set_formatter(std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%fZ PO:%n [%l] %v",
                                                                        spdlog::pattern_time_type::utc));
      logger->set_level(levels[i]);
      logger->flush_on(spdlog::level::trace);
      all.push_back(std::move(logger));
    }
  }
  std::vector<std::unique_ptr<spdlog::logger>> all;  // by module, or none when all are off
};

spdlog::logger* logger_of(Module module) {
  static const Loggers loggers;
  return loggers.all.empty() ? nullptr : loggers.all[static_cast<size_t>(module)].get();
}

spdlog::level::level_enum as_spdlog(Level level) {
  constexpr spdlog::level::level_enum kAll[] = {spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                                spdlog::level::warn, spdlog::level::err};
  return kAll[static_cast<size_t>(level)];
}

}  // namespace

bool wants(Module module, Level level) {
  const spdlog::logger* logger = logger_of(module);
  return logger != nullptr && logger->should_log(as_spdlog(level));
}

void write(Module module, Level level, const std::string& line) {
  if (spdlog::logger* logger = logger_of(module); logger != nullptr) logger->log(as_spdlog(level), line);
}

}  // namespace tessera::log
