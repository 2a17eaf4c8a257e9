// Digits training as the trace's figures need it: with or without a trace, measured.
#pragma once

#include <cstdint>
#include <string>

namespace trace_bench {

struct Run {
  double seconds = 0;  // processor time of the machine process, so that other work on this computer does not count
  uint64_t cycles = 0, compute = 0, sync = 0, exchange = 0, transfer = 0, host = 0, supersteps = 0;
};
// `trace`: path, "" for none.
Run train(const std::string& backend, const std::string& machine, unsigned digits, unsigned epochs,
          const std::string& trace);

}  // namespace trace_bench
