#include <cstring>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <span>

#include "compiler/image/executable_summary.h"
#include "sw/poplar/engine_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/profile_summary.h"

namespace poplar {

namespace log = tessera::log;
using log::Level, log::Module;

namespace {

std::unique_ptr<detail::EngineImpl> make(std::shared_ptr<const detail::ExecutableImpl> executable) {
  const auto options = executable->options;
  return std::make_unique<detail::EngineImpl>(std::move(executable), options);
}

bool is_true(const OptionFlags& options, const char* name) {
  const auto found = options.find(name);
  return found != options.end() && found->second == "true";
}

std::unique_ptr<detail::EngineImpl> make(std::shared_ptr<const detail::ExecutableImpl> executable,
                                         const OptionFlags& flags) {
  const auto options = tessera::runtime::engine_options_over(executable->options, flags);
  return std::make_unique<detail::EngineImpl>(std::move(executable), options);
}

}  // namespace

Engine::Engine() = default;

Engine::Engine(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
               ProgressFunc progressCallBack, const DebugContext&)
    : impl_(make(detail::compile_executable(graph, programs, options, progressCallBack))) {}

Engine::Engine(const Graph& graph, program::Program program, const OptionFlags& options, ProgressFunc progressCallBack,
               const DebugContext& debugContext)
    : Engine(graph, ArrayRef<program::Program>(&program, 1), options, std::move(progressCallBack), debugContext) {}

Engine::Engine(Graph&& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
               ProgressFunc progressCallBack, const DebugContext& debugContext)
    : Engine(static_cast<const Graph&>(graph), programs, options, std::move(progressCallBack), debugContext) {}

Engine::Engine(Graph&& graph, program::Program program, const OptionFlags& options, ProgressFunc progressCallBack,
               const DebugContext& debugContext)
    : Engine(static_cast<const Graph&>(graph), std::move(program), options, std::move(progressCallBack), debugContext) {
}

Engine::Engine(const Executable& executable, const OptionFlags& options)
    : impl_(make(detail::Access::compiled(executable), options)) {}

Engine::Engine(Executable&& executable, const OptionFlags& options)
    : Engine(static_cast<const Executable&>(executable), options) {}

Engine::Engine(Engine&& other) noexcept = default;
Engine& Engine::operator=(Engine&& other) noexcept = default;
Engine::~Engine() = default;

detail::EngineImpl& Engine::impl() const {
  if (impl_ == nullptr) throw poplar_error("Use of an empty Engine: it was default-constructed or moved from");
  return *impl_;
}

void Engine::prepare(const Device& device) { impl().prepare(device); }
void Engine::prepare(const Device& device, const RuntimeOptions& options) { impl().prepare(device, options.flags()); }
void Engine::deploy() { impl().deploy(); }

void Engine::load(const Device& device) {
  impl().prepare(device);
  impl().deploy();
}

void Engine::run(unsigned prog, const std::string& debugName) { impl().run(prog, debugName); }

void Engine::run(unsigned prog, const std::string& debugName, const RuntimeOptions& options) {
  impl().run(prog, debugName, options.flags());
}
void Engine::stop() { impl().stopping = true; }

void Engine::loadAndRun(const Device& device, unsigned prog) {
  load(device);
  run(prog);
}

void Engine::readTensor(StringRef handle, void* begin, void* end) { impl().read_tensor(handle, begin, end); }

void Engine::readTensor(StringRef handle, void* begin) {
  const auto bytes = impl().handle(handle, tessera::image::StreamUse::kHostRead).bytes;
  impl().read_tensor(handle, begin, static_cast<char*>(begin) + impl().replicas() * bytes);
}

void Engine::writeTensor(StringRef handle, const void* begin, const void* end) {
  impl().write_tensor(handle, begin, end);
}

void Engine::writeTensor(StringRef handle, const void* begin) {
  const auto bytes = impl().handle(handle, tessera::image::StreamUse::kHostWrite).bytes;
  impl().write_tensor(handle, begin, static_cast<const char*>(begin) + impl().replicas() * bytes);
}

void Engine::connectStream(StringRef handle, void* begin, void* end) { impl().streams.connect(handle, begin, end); }
void Engine::connectStream(StringRef handle, void* begin) { impl().streams.connect(handle, begin); }

void Engine::connectStreamToCallback(StringRef handle, StreamCallbackHandle callback) {
  impl().streams.connect(handle, callback.release());
}

void Engine::connectStreamToCallback(StringRef handle, unsigned index, StreamCallbackHandle callback) {
  impl().streams.connect(handle, index, callback.release());
}

void Engine::connectHostFunction(StringRef handle, unsigned replica, HostCallbackHandle callback) {
  impl().check_replica<stream_connection_error>("host function '" + handle + "'", replica);
  impl().calls[replica].connect(handle, callback.release());
}

void Engine::copyToRemoteBuffer(const void* row, const std::string& handle, std::uint64_t repeatIndex,
                                unsigned replica) {
  impl().write_row(replica, handle, repeatIndex, row, "Engine::copyToRemoteBuffer");
}

void Engine::copyFromRemoteBuffer(const std::string& handle, void* row, std::uint64_t repeatIndex, unsigned replica) {
  impl().read_row(replica, handle, repeatIndex, row, "Engine::copyFromRemoteBuffer");
}

void Engine::checkRemoteRow(const std::string& handle, std::size_t bytes) const {
  if (const std::uint64_t row = impl().remote.front().row_bytes(handle); bytes != row)
    throw poplar_error("a row of remote buffer '" + handle + "' has " + std::to_string(row) + " bytes, the array " +
                       std::to_string(bytes));
}

std::vector<std::string> Engine::listStreams() const { return impl().streams.handles(); }
OptionFlags Engine::getEngineOptions() const { return impl().options.flags; }
void Engine::setPrintStream(std::ostream& stream) { impl().print_stream = &stream; }
void Engine::setPrintTensorStream(std::ostream& stream) { impl().print_tensor_stream = &stream; }

ProfileValue Engine::getGraphProfile() const { return tessera::runtime::graph_profile(impl().executable->image); }

ProfileValue Engine::getExecutionProfile() const {
  const auto counters = impl().counted();
  return counters ? tessera::runtime::execution_profile(impl().profiled.of(*counters)) : ProfileValue();
}

ProfileValue Engine::getProfile() const {
  ProfileValue out;
  out["graphProfile"] = getGraphProfile();
  out["executionProfile"] = getExecutionProfile();
  return out;
}

void Engine::printProfileSummary(std::ostream& os, const OptionFlags& options) {
  tessera::runtime::check(tessera::runtime::summary_options(), options);
  const auto counters = impl().counted();
  const tessera::image::SummaryParts parts{.execution_steps = is_true(options, "showExecutionSteps"),
                                           .ipus = is_true(options, "showPerIpuMemoryUsage"),
                                           .tiles = is_true(options, "showPerTileMemoryUsage"),
                                           .variables = is_true(options, "showVarStorage")};
  tessera::image::print_summary(os, impl().executable->image, parts);
  if (counters) tessera::runtime::print_cycles(os, impl().profiled.of(*counters));
  log::write(Module::kProfiler, Level::kInfo,
             [&] { return "printed the summary of " + impl().executable->image.chips.front().machine; });
}

}  // namespace poplar
