// What the options of Engine and compileGraph (option_table.h) come to.
#pragma once

#include <poplar/OptionFlags.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "compiler/passes/optimisations.h"
#include "sw/poplar/auto_report.h"
#include "sw/poplar/callback_threads.h"
#include "sw/poplar/worker_start.h"

namespace tessera::runtime {

struct EngineOptions {
  static constexpr uint32_t kUnlimited = std::numeric_limits<uint32_t>::max();

  poplar::OptionFlags flags;               // as given, after the environment
  std::optional<uint64_t> compute_budget;  // cycles of one compute phase, 0: none; not given: the machine description's
  std::optional<uint64_t> host_sync_timeout;  // nanoseconds of the machine's time from a mark to the next host sync
  bool prefetch = false;                      // ask stream callbacks ahead of time
  bool prefetch_at_need = false;              // ask them to prefetch a transfer when it is wanted
  uint32_t lookahead = kUnlimited;            // at most so many transfers
  CallbackMode callback_mode = CallbackMode::kSingleThread;
  std::optional<uint32_t> callback_workers;  // threads that ask ahead; not given: StreamTable chooses
  WorkerStart start;                         // float control and random numbers of the workers
  std::optional<uint32_t> worker_stack;      // bytes; not given: what the codelets need
  std::string executable_cache;              // folder; empty: none
  std::optional<bool> gateway_mode;          // remote buffers in the memory of gateways; not given: as the target says
  std::optional<uint64_t> replicas;          // that the engine is to run
  bool replicas_independent = false;         // each meets the host by itself
  unsigned compilation_threads = 0;          // at most; 0: as many as there are cores
  bool allow_out_of_memory = false;          // a program that does not fit can be looked at, not loaded
  compiler::Optimisations optimise;
  AutoReport report;

  // Transfers to ask for ahead of a stream with that `bufferingDepth`.
  uint32_t ahead(uint32_t depth) const { return prefetch ? std::min(depth, lookahead) : 0; }
};

// Checks all flags, which POPLAR_ENGINE_OPTIONS and POPLAR_RUNTIME_OPTIONS (JSON objects) override. Throws
// invalid_option naming key and value.
EngineOptions parse_engine_options(const poplar::OptionFlags& flags);

// Options of an engine made from an executable: those that it was compiled with, which `flags` override. Throws
// invalid_option for one that the compiler reads with another value.
EngineOptions engine_options_over(const EngineOptions& compiled, const poplar::OptionFlags& flags);

}  // namespace tessera::runtime
