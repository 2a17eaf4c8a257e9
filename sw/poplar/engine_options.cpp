#include "sw/poplar/engine_options.h"

#include <algorithm>
#include <iterator>
#include <poplar/exceptions.hpp>
#include <string>
#include <string_view>

namespace tessera::runtime {
namespace {

// What a value may be. A kChoice lists its words, separated by '|'.
enum class Form { kText, kBool, kNumber, kNumberOrAuto, kChoice };

struct Option {
  std::string_view name;
  Form form;
  std::string_view choices = {};
};

// Options of Poplar that a program may set. Those that no code below asks for tune or report on things this machine
// does otherwise, and change nothing about results.
constexpr Option kOptions[] = {
    {"autoReport.all", Form::kBool},
    {"autoReport.directory", Form::kText},
    {"autoReport.executionProfileProgramRunCount", Form::kNumber},
    {"autoReport.outputArchive", Form::kBool},
    {"autoReport.outputDebugInfo", Form::kBool},
    {"autoReport.outputExecutionProfile", Form::kBool},
    {"autoReport.outputGraphProfile", Form::kBool},
    {"autoReport.outputLoweredVars", Form::kBool},
    {"autoReport.outputSerializedGraph", Form::kBool},
    {"autoReport.streamAtEachRun", Form::kBool},
    {"debug.allowOutOfMemory", Form::kBool},
    {"debug.branchRecordFlush", Form::kBool},
    {"debug.branchRecordTile", Form::kNumber},
    {"debug.computeInstrumentationLevel", Form::kChoice, "device|ipu|tile|vertex"},
    {"debug.executionProfile", Form::kText},
    {"debug.externalInstrumentationLevel", Form::kChoice, "device|ipu|tile"},
    {"debug.floatPointOpException", Form::kBool},
    {"debug.instrument", Form::kBool},
    {"debug.instrumentCompute", Form::kBool},
    {"debug.instrumentControlFlow", Form::kBool},
    {"debug.instrumentExternalExchange", Form::kBool},
    {"debug.loweredVarDumpFile", Form::kText},
    {"debug.nanOverflowMode", Form::kBool},
    {"debug.outputAllSymbols", Form::kBool},
    {"debug.retainDebugInformation", Form::kBool},
    {"debug.runtimeVerify", Form::kBool},
    {"debug.trace", Form::kBool},
    {"debug.traceFile", Form::kText},
    {"debug.verify", Form::kBool},
    {"exchange.enablePrefetch", Form::kBool},
    {"exchange.multicastPolicy", Form::kText},
    {"exchange.streamBufferOverlap", Form::kChoice, "any|hostRearrangeOnly|none"},
    {"opt.enableInlining", Form::kBool},
    {"opt.enableMultiAccessCopies", Form::kBool},
    {"opt.enableSkipSyncs", Form::kBool},
    {"opt.internalExchangeOptimisationTarget", Form::kChoice, "cycles|memory|balanced"},
    {"opt.maxCompilationThreads", Form::kNumber},
    {"opt.maxComputeSetsPerLoweredCopy", Form::kNumber},
    {"opt.useAutoloader", Form::kBool},
    {"prng.enableStochasticRounding", Form::kBool},
    {"prng.seed", Form::kText},
    {"profiler.blocks.filter", Form::kText},
    {"profiler.blocks.implicitFlush", Form::kBool},
    {"profiler.format", Form::kChoice, "v1|v3|experimental|unstable"},
    {"profiler.includeCycleEstimates", Form::kBool},
    {"profiler.includeFlopEstimates", Form::kBool},
    {"profiler.programs.filter", Form::kText},
    {"profiler.replicaToProfile", Form::kText},
    {"streamCallbacks.maxLookahead", Form::kText},
    {"streamCallbacks.multiThreadMode", Form::kChoice, "singleThread|collaborative|dedicated"},
    {"streamCallbacks.numaAware", Form::kBool},
    {"streamCallbacks.numWorkerThreads", Form::kNumberOrAuto},
    {"target.computeBudget", Form::kNumber},
    {"target.deterministicWorkers", Form::kChoice, "true|false|portable"},
    {"target.exceptionPollPeriodUs", Form::kNumber},
    {"target.extendedMemory", Form::kText},
    {"target.firstRuntimeReplica", Form::kNumber},
    {"target.gatewayMode", Form::kBool},
    {"target.hostSyncTimeout", Form::kText},
    {"target.numberRuntimeReplica", Form::kNumber},
    {"target.saveArchive", Form::kText},
    {"target.syncMethod", Form::kChoice, "polling|hybrid|default"},
    {"target.syncPollPeriodUs", Form::kNumber},
    {"target.syncReplicasIndependently", Form::kBool},
    {"target.workerStackSizeInBytes", Form::kNumber},
};

std::optional<uint64_t> number(const std::string& text) {
  size_t used = 0;
  try {
    if (text.empty() || text[0] == '-') return {};
    const uint64_t value = std::stoull(text, &used, 0);
    if (used == text.size()) return value;
  } catch (const std::exception&) {
    // Not a number, or too large: told below.
  }
  return {};
}

bool is_choice(std::string_view choices, std::string_view value) {
  for (size_t at = 0; at <= choices.size();) {
    const size_t end = std::min(choices.find('|', at), choices.size());
    if (choices.substr(at, end - at) == value) return true;
    at = end + 1;
  }
  return false;
}

void check(const Option& option, const std::string& value) {
  const auto refuse = [&](const std::string& wanted) {
    throw poplar::invalid_option("option '" + std::string(option.name) + "' is '" + value + "'; it takes " + wanted);
  };
  switch (option.form) {
    case Form::kText:
      return;
    case Form::kBool:
      if (value != "true" && value != "false") refuse("true or false");
      return;
    case Form::kNumberOrAuto:
      if (value == "auto") return;
      [[fallthrough]];
    case Form::kNumber:
      if (!number(value)) refuse("a whole number");
      return;
    case Form::kChoice:
      if (!is_choice(option.choices, value)) refuse("one of " + std::string(option.choices));
      return;
  }
}

// The known key that is most like a mistyped one shares the most leading characters.
std::string_view nearest(const std::string& name) {
  std::string_view best;
  size_t most = 0;
  for (const Option& option : kOptions) {
    const size_t same = static_cast<size_t>(
        std::mismatch(name.begin(), name.end(), option.name.begin(), option.name.end()).first - name.begin());
    if (same > most) {
      most = same;
      best = option.name;
    }
  }
  return best;
}

}  // namespace

EngineOptions parse_engine_options(const poplar::OptionFlags& flags) {
  EngineOptions options;
  options.flags = flags;
  poplar::readJSONFromEnv("POPLAR_ENGINE_OPTIONS", options.flags);
  for (const auto& [name, value] : options.flags) {
    const auto* option = std::find_if(std::begin(kOptions), std::end(kOptions),
                                      [&name = name](const Option& known) { return known.name == name; });
    if (option == std::end(kOptions)) {
      const std::string_view like = nearest(name);
      throw poplar::invalid_option("there is no engine option '" + name + "'" +
                                   (like.empty() ? "" : "; is '" + std::string(like) + "' meant?"));
    }
    check(*option, value);
  }
  const auto text = [&](const char* name) -> std::string {
    const auto found = options.flags.find(name);
    return found == options.flags.end() ? "" : found->second;
  };
  if (const auto budget = number(text("target.computeBudget"))) options.compute_budget = *budget;
  options.prefetch = text("exchange.enablePrefetch") == "true" && text("exchange.streamBufferOverlap") == "none";
  options.trap_floats = text("debug.floatPointOpException") == "true";
  return options;
}

}  // namespace tessera::runtime
