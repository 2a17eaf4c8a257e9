#include "sw/poplar/engine_options.h"

#include <poplar/exceptions.hpp>
#include <string>

#include "sw/poplar/option_table.h"

namespace tessera::runtime {
namespace {

constexpr const char* kEngineVariable = "POPLAR_ENGINE_OPTIONS";
constexpr const char* kRuntimeVariable = "POPLAR_RUNTIME_OPTIONS";

// Those of the run only, since an executable may be there already.
poplar::OptionFlags runtime_flags() {
  poplar::OptionFlags flags;
  poplar::readJSONFromEnv(kRuntimeVariable, flags);
  for (const auto& [name, value] : flags)
    if (const Option* option = find(engine_options(), name); option != nullptr && option->compiled)
      throw poplar::invalid_option(std::string(kRuntimeVariable) + ": option '" + name +
                                   "' is for the compiler; give it in " + kEngineVariable);
  return flags;
}

uint32_t stack_size(uint64_t bytes) {
  if (bytes % 16 != 0 || bytes > std::numeric_limits<uint32_t>::max())
    throw poplar::invalid_option("engine option 'target.workerStackSizeInBytes' is '" + std::to_string(bytes) +
                                 "'; a stack is a multiple of 16 bytes");
  return static_cast<uint32_t>(bytes);
}

class Flags {
 public:
  explicit Flags(const poplar::OptionFlags& flags) : flags_(flags) {}

  std::string text(const char* name) const {
    const auto found = flags_.find(name);
    return found == flags_.end() ? "" : found->second;
  }
  bool on(const char* name) const { return text(name) == "true"; }
  bool off(const char* name) const { return text(name) == "false"; }
  std::optional<uint64_t> number(const char* name) const { return parse_number(text(name)); }

 private:
  const poplar::OptionFlags& flags_;
};

CallbackMode callback_mode(const std::string& mode) {
  return mode == "dedicated"       ? CallbackMode::kDedicated
         : mode == "collaborative" ? CallbackMode::kCollaborative
                                   : CallbackMode::kSingleThread;
}

std::optional<uint32_t> callback_workers(const Flags& flags, CallbackMode mode) {
  constexpr uint64_t kMost = 1024;
  const auto number = flags.number("streamCallbacks.numWorkerThreads");
  if (!number) return {};
  const auto refuse = [&](const std::string& why) {
    throw poplar::invalid_option("engine option 'streamCallbacks.numWorkerThreads' is '" + std::to_string(*number) +
                                 "'; " + why);
  };
  if (*number > kMost) refuse("at most " + std::to_string(kMost) + " threads call callbacks; give fewer, or auto");
  if (*number != 0 && mode == CallbackMode::kSingleThread)
    refuse(
        "with streamCallbacks.multiThreadMode singleThread there is no worker thread; give dedicated or "
        "collaborative there, or auto here");
  if (*number == 0 && mode == CallbackMode::kDedicated)
    refuse(
        "with streamCallbacks.multiThreadMode dedicated one at least is needed; give collaborative or singleThread "
        "there, or auto here");
  return static_cast<uint32_t>(*number);
}

// `autoReport.all` is for those that are not given by themselves.
AutoReport auto_report(const Flags& flags) {
  const auto wants = [&](const char* name) {
    return flags.on(name) || (flags.on("autoReport.all") && !flags.off(name));
  };
  AutoReport report;
  report.graph_profile = wants("autoReport.outputGraphProfile");
  report.execution_profile = wants("autoReport.outputExecutionProfile");
  report.serialized_graph = wants("autoReport.outputSerializedGraph");
  report.archive = wants("autoReport.outputArchive");
  report.lowered_variables = wants("autoReport.outputLoweredVars");
  report.archive_file = flags.text("target.saveArchive");
  report.variables_file = flags.text("debug.loweredVarDumpFile");
  if (const std::string directory = flags.text("autoReport.directory"); !directory.empty())
    report.directory = directory;
  if (const auto runs = flags.number("autoReport.executionProfileProgramRunCount")) report.runs = *runs;
  return report;
}

}  // namespace

EngineOptions parse_engine_options(const poplar::OptionFlags& given) {
  EngineOptions options;
  options.flags = given;
  poplar::readJSONFromEnv(kEngineVariable, options.flags);
  for (const auto& [name, value] : runtime_flags()) options.flags.set(name, value);
  check(engine_options(), options.flags);

  const Flags flags(options.flags);
  options.compute_budget = flags.number("target.computeBudget");
  options.host_sync_timeout = parse_time(flags.text("target.hostSyncTimeout"));
  if (options.host_sync_timeout == 0) options.host_sync_timeout.reset();
  if (const auto most = flags.number("streamCallbacks.maxLookahead"))
    options.lookahead = static_cast<uint32_t>(std::min<uint64_t>(*most, EngineOptions::kUnlimited));
  const bool may_prefetch = flags.text("exchange.streamBufferOverlap") != "any" && options.lookahead != 0;
  options.callback_mode = callback_mode(flags.text("streamCallbacks.multiThreadMode"));
  options.callback_workers = callback_workers(flags, options.callback_mode);
  // On a thread of its own a prefetch may wait for results of the run: there it is asked for ahead without more words,
  // and when it is wanted where no thread has come to it.
  const bool threads = options.callback_mode != CallbackMode::kSingleThread;
  const bool on = flags.on("exchange.enablePrefetch"), off = flags.off("exchange.enablePrefetch");
  options.prefetch = may_prefetch && (on || (threads && !off));
  options.prefetch_at_need = may_prefetch && !off && (threads || !on);
  options.start.trap_floats = flags.on("debug.floatPointOpException");
  options.start.stochastic_rounding = flags.on("prng.enableStochasticRounding");
  if (const std::string mode = flags.text("debug.nanOverflowMode"); !mode.empty())
    options.start.half_overflow = mode == "true" ? HalfOverflow::kNan : HalfOverflow::kLargest;
  options.start.seed = flags.number("prng.seed");
  if (const auto bytes = flags.number("target.workerStackSizeInBytes")) options.worker_stack = stack_size(*bytes);
  if (const std::string mode = flags.text("target.gatewayMode"); !mode.empty()) options.gateway_mode = mode == "true";
  options.replicas = flags.number("target.numberRuntimeReplica");
  options.replicas_independent = flags.on("target.syncReplicasIndependently");
  options.executable_cache = flags.text("tessera.executableCache");
  options.optimise.share_constants = flags.text("tessera.shareConstants") != "false";
  options.optimise.share_memory = flags.text("tessera.shareMemory") != "false";
  if (const auto most = flags.number("opt.maxCompilationThreads"))
    options.compilation_threads = static_cast<unsigned>(std::min<uint64_t>(*most, EngineOptions::kUnlimited));
  options.allow_out_of_memory = flags.on("debug.allowOutOfMemory");
  options.optimise.merge_phases = !flags.off("tessera.mergePhases");
  options.optimise.merge_host_phases = !flags.off("tessera.mergeHostPhases");
  if (const std::string outline = flags.text("tessera.outlineCode"); outline != "true" && !outline.empty())
    options.optimise.outline = outline == "false" ? compiler::Outlining::kOff : compiler::Outlining::kSmallest;
  options.optimise.skip_syncs = !flags.off("opt.enableSkipSyncs");
  options.optimise.pair_transfers = !flags.off("tessera.pairTransfers");
  options.optimise.view_copies = !flags.off("tessera.viewCopies");
  options.report = auto_report(flags);
  options.optimise.tile_text = flags.text("tessera.tileText") != "false";
  return options;
}

EngineOptions engine_options_over(const EngineOptions& compiled, const poplar::OptionFlags& flags) {
  poplar::OptionFlags all = compiled.flags;
  for (const auto& [name, value] : flags) all.set(name, value);
  EngineOptions options = parse_engine_options(all);
  for (const Option& option : engine_options().options) {
    if (!option.compiled) continue;
    const std::string name(option.name);
    const std::string was = Flags(compiled.flags).text(name.c_str()), is = Flags(options.flags).text(name.c_str());
    if (was != is)
      throw poplar::invalid_option("engine option '" + name + "' is '" + is +
                                   "', but the executable was compiled with " +
                                   (was.empty() ? "none" : "'" + was + "'") + "; give it to compileGraph");
  }
  return options;
}

}  // namespace tessera::runtime
