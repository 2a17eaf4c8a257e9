// The tables themselves. A row whose value is read by code names no test here: docs/user/options.md does.
#include <span>

#include "sw/poplar/option_table.h"

namespace tessera::runtime {
namespace {

constexpr std::string_view kEither = "true, false";
constexpr std::string_view kNoReports =
    "no such report is written; autoReport.outputGraphProfile and outputExecutionProfile are, as JSON, and "
    "`tessera run --trace` records where cycles go";
constexpr std::string_view kNoBranchRecord =
    "branches are not recorded; `tessera run --trace` records every instruction";
constexpr std::string_view kNoTraceFile = "the engine writes no trace; `tessera run --trace FILE` does";
constexpr std::string_view kAllReplicas = "an engine runs all replicas, from number 0 on";
constexpr std::string_view kOneWayToWait = "the machine's process answers by itself; there is nothing to poll";

constexpr Option kEngine[] = {
    {"autoReport.all", kEither, "false", ""},
    {"autoReport.directory", "<text>", ".", ""},
    {"autoReport.executionProfileProgramRunCount", "<number>", "2", ""},
    {"autoReport.outputArchive", kEither, "false", ""},
    {"autoReport.outputDebugInfo", "false", "false", "true", kNoReports},
    {"autoReport.outputExecutionProfile", kEither, "false", ""},
    {"autoReport.outputGraphProfile", kEither, "false", ""},
    {"autoReport.outputLoweredVars", kEither, "false", ""},
    {"autoReport.outputSerializedGraph", kEither, "false", ""},
    {"autoReport.streamAtEachRun", "false", "false", "true", kNoReports},
    {"debug.allowOutOfMemory", kEither, "false", "", {}, true},
    {"debug.branchRecordFlush", "false", "false", "true", kNoBranchRecord},
    {"debug.branchRecordTile", "", "", "<number>", kNoBranchRecord},
    {"debug.computeInstrumentationLevel", "device, ipu, tile, vertex", "vertex", ""},
    {"debug.executionProfile", "", "", "<text>", kNoReports},
    {"debug.externalInstrumentationLevel", "device, ipu, tile", "tile", ""},
    {"debug.floatPointOpException", kEither, "false", ""},
    {"debug.instrument", kEither, "true", ""},
    {"debug.instrumentCompute", kEither, "true", ""},
    {"debug.instrumentControlFlow", kEither, "true", ""},
    {"debug.instrumentExternalExchange", kEither, "true", ""},
    {"debug.loweredVarDumpFile", "<text>", "", ""},
    {"debug.nanOverflowMode", kEither, "infinity", ""},
    {"debug.outputAllSymbols", kEither, "true", ""},
    {"debug.retainDebugInformation", kEither, "true", ""},
    {"debug.runtimeVerify", kEither, "true", ""},
    {"debug.trace", "false", "false", "true", kNoTraceFile},
    {"debug.traceFile", "", "", "<text>", kNoTraceFile},
    {"debug.verify", kEither, "true", ""},
    {"exchange.enablePrefetch", kEither, "at need", ""},
    {"exchange.multicastPolicy", "", "", "<text>", "multicast is planned in one way only"},
    {"exchange.streamBufferOverlap", "any, hostRearrangeOnly, none", "hostRearrangeOnly", ""},
    {"opt.enableInlining", kEither, "true", ""},
    {"opt.enableMultiAccessCopies", kEither, "true", ""},
    {"opt.enableSkipSyncs", kEither, "true", "", {}, true},
    {"opt.internalExchangeOptimisationTarget", "cycles", "cycles", "memory, balanced",
     "exchanges are scheduled for cycles, and never slower to save memory"},
    {"opt.maxCompilationThreads", "<number>", "0", ""},
    {"opt.maxComputeSetsPerLoweredCopy", "<number>", "0", ""},
    {"opt.useAutoloader", "false", "false", "true", "the host loads the tiles by itself"},
    {"prng.enableStochasticRounding", kEither, "false", ""},
    {"prng.seed", "<number>", "", ""},
    {"profiler.blocks.filter", "<text>", "", ""},
    {"profiler.blocks.implicitFlush", "false", "false", "true", kNoReports},
    {"profiler.format", "v1, v3, experimental, unstable", "", ""},
    {"profiler.includeCycleEstimates", "false", "false", "true", kNoReports},
    {"profiler.includeFlopEstimates", "false", "false", "true", kNoReports},
    {"profiler.programs.filter", "<text>", "", ""},
    {"profiler.replicaToProfile", "<text>", "", ""},
    {"streamCallbacks.maxLookahead", "unlimited, <number>", "unlimited", ""},
    {"streamCallbacks.multiThreadMode", "singleThread, dedicated, collaborative", "singleThread", ""},
    {"streamCallbacks.numWorkerThreads", "auto, <number>", "auto", ""},
    {"streamCallbacks.numaAware", kEither, "true", ""},
    {"target.computeBudget", "<number>", "the machine's", ""},
    {"target.deterministicWorkers", "true, false, portable", "true", ""},
    {"target.exceptionPollPeriodUs", "<number>", "0", ""},
    {"target.extendedMemory", "false", "false", "true", "tiles reach the memory of streams only"},
    {"target.firstRuntimeReplica", "0", "0", "<number from 1>", kAllReplicas},
    {"target.gatewayMode", kEither, "the target's", "", {}, true},
    {"target.hostSyncTimeout", "<time>", "none", ""},
    {"target.numberRuntimeReplica", "<number from 1>", "all", "0", kAllReplicas},
    {"target.saveArchive", "<text>", "", ""},
    {"target.syncMethod", "default", "default", "polling, hybrid", kOneWayToWait},
    {"target.syncPollPeriodUs", "<number>", "0", ""},
    {"target.syncReplicasIndependently", kEither, "false", "", {}, true},
    {"target.workerStackSizeInBytes", "<number from 16>", "what the codelets need", "", {}, true},
    {"tessera.executableCache", "<text>", "none", ""},
    {"tessera.mergeHostPhases", kEither, "true", "", {}, true},
    {"tessera.mergePhases", kEither, "true", "", {}, true},
    {"tessera.outlineCode", "true, false, smallest", "true", "", {}, true},
    {"tessera.pairTransfers", kEither, "true", "", {}, true},
    {"tessera.shareConstants", kEither, "true", "", {}, true},
    {"tessera.shareMemory", kEither, "true", "", {}, true},
    {"tessera.tileText", kEither, "true", "", {}, true},
    {"tessera.viewCopies", kEither, "true", "", {}, true},
};

constexpr Option kStream[] = {
    {"bufferingDepth", "<number from 1>", "1", "0", "a transfer needs one buffer at least"},
    {"splitLimit", "<number>", "0", ""},
};

constexpr Option kSummary[] = {
    {"showExecutionSteps", kEither, "false", ""},
    {"showOptimizations", "false", "false", "true",
     "the summary tells no optimizations; TESSERA_DUMP=FOLDER leaves a text after each pass of the compiler"},
    {"showPerIpuMemoryUsage", kEither, "false", ""},
    {"showPerTileMemoryUsage", kEither, "false", ""},
    {"showVarStorage", kEither, "false", ""},
};

constexpr std::string_view kLinkConfigurations =
    "default, none, barleyTwist, slidingWindow, Default, None, BarleyTwist, SlidingWindow";

// All but the first are those of a manager too.
constexpr Option kTarget[] = {
    {"instanceSize", "<number from 1>", "1", "0", "an instance has one IPU at least"},
    {"gatewayMode", kEither, "true where every IPU has a gateway", ""},
    {"ipuLinkConfiguration", kLinkConfigurations, "default", ""},
    {"ipuLinkDomainSize", "<number from 1>", "all IPUs", "0", "a domain has one IPU at least"},
    {"ipuLinkTopology", "mesh, torus", "the system's", ""},
    {"syncConfiguration", "intraReplicaAndAll, intraReplicaAndLadder, ipuAndAll", "intraReplicaAndAll", ""},
};
constexpr std::span<const Option> kManager = std::span(kTarget).subspan(1);

}  // namespace

const OptionTable& engine_options() {
  static constexpr OptionTable table{"Engine", "engine option", kEngine};
  return table;
}

const OptionTable& stream_options() {
  static constexpr OptionTable table{"Streams", "stream option", kStream};
  return table;
}

const OptionTable& summary_options() {
  static constexpr OptionTable table{"printProfileSummary", "summary option", kSummary};
  return table;
}

const OptionTable& manager_options() {
  static constexpr OptionTable table{"DeviceManager", "DeviceManager option", kManager};
  return table;
}

const OptionTable& target_options() {
  static constexpr OptionTable table{"createIPUTarget", "option of Target::createIPUTarget", kTarget};
  return table;
}

const OptionTable& simulator_options() {
  static constexpr OptionTable table{"createSimulatorDevice", "option of Device::createSimulatorDevice", {}};
  return table;
}

const OptionTable& model_options() {
  static constexpr OptionTable table{"IPUModel", "option of IPUModel::createDevice", {}};
  return table;
}

}  // namespace tessera::runtime
