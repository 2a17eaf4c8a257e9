// The yardstick of simulation speeds: the calibration core, of which they are ratios in the same run.
#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

// Processor time, so that what else runs on the machine does not count: of this process, of its finished children.
inline double processor_seconds(int whose) {
  rusage usage{};
  getrusage(whose, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Cycles per second of the calibration core; 0 when it gives another result than everywhere else.
inline double calibrate() {
  constexpr double cycles = 5e6;
  const double before = processor_seconds(RUSAGE_CHILDREN);
  std::array<char, 512> line{};
  {
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen("cd " CALIBRATE_FOLDER " && ./obj_dir/Vcalibrate", "r"), pclose);
    if (!pipe || !std::fgets(line.data(), line.size(), pipe.get()))
      throw std::runtime_error("the calibration core does not run");
  }
  const auto figure = nlohmann::json::parse(line.data());
  return figure["result"] == "e228842b" ? cycles / (processor_seconds(RUSAGE_CHILDREN) - before) : 0.0;
}
