// A Poplar program run with a trace, as a user runs it.
#pragma once

#include <cstdint>
#include <string>

namespace trace_test {

constexpr unsigned kTiles = 4, kElements = 48, kTurns = 3;

struct Counters {
  uint64_t cycles = 0, compute = 0, sync = 0, exchange = 0, transfer = 0, host = 0, supersteps = 0;
  double sum = 0;  // of the results
};
// Runs it on mk2-4 of the backend; the trace goes to `path`. kTurns times: data from the host, scaled by two vertices
// a tile, moved on to the next tile and summed there. `more`: further inspection options, each after a semicolon.
// `flags`: of its codelets, which they change: -DSUM_SLOWLY, -DSUM_ONE_LESS, -DSCALE_LARGER (all addresses move).
Counters run_traced(const std::string& backend, const std::string& path, float factor, const std::string& more,
                    const std::string& flags = "");

}  // namespace trace_test
