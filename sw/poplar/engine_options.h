// The options of Engine and compileGraph: a table of known keys with the values they take, and the few that change what
// is done.
#pragma once

#include <poplar/OptionFlags.hpp>

#include <cstdint>
#include <optional>

namespace tessera::runtime {

struct EngineOptions {
  poplar::OptionFlags flags;               // as given, after POPLAR_ENGINE_OPTIONS
  std::optional<uint64_t> compute_budget;  // cycles of one compute phase, 0: none; not given: the machine description's
  bool prefetch = false;                   // ask stream callbacks ahead of time
  bool trap_floats = false;                // invalid, division by zero and overflow are exceptions
};

// Checks all flags, which POPLAR_ENGINE_OPTIONS (a JSON object) overrides. Throws invalid_option naming key and value.
EngineOptions parse_engine_options(const poplar::OptionFlags& flags);

}  // namespace tessera::runtime
