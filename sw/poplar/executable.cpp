#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <istream>
#include <limits>
#include <map>
#include <ostream>
#include <poplar/Executable.hpp>
#include <poplar/exceptions.hpp>
#include <set>

#include "compiler/codelet/codelet_error.h"
#include "compiler/image/executable_file.h"
#include "compiler/passes/compile.h"
#include "compiler/passes/executable_cache.h"
#include "compiler/passes/memory/allocate.h"
#include "compiler/passes/text/link_text.h"
#include "formats/fnv.h"
#include "formats/whole_file.h"
#include "sw/card/environment.h"
#include "sw/poplar/card_errors.h"
#include "sw/poplar/executable_impl.h"
#include "sw/poplar/gateways.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/replica_syncs.h"
#include "sw/poplar/target_impl.h"
#include "sw/poplar/tile_numbers.h"

namespace poplar {
namespace {

namespace graph = tessera::graph;
namespace log = tessera::log;
using log::Level, log::Module;

// Handles of streams that a program can reach, called functions included.
class StreamsUsed {
 public:
  explicit StreamsUsed(const graph::Graph& graph) : graph_(graph), seen_(graph.functions.size()) {}

  void visit(const graph::Program& program) {
    if (const auto* copy = std::get_if<graph::CopyFromStream>(&program.op)) {
      handles.insert(graph_.streams.at(copy->stream).handle);
    } else if (const auto* copy = std::get_if<graph::CopyToStream>(&program.op)) {
      handles.insert(graph_.streams.at(copy->stream).handle);
    } else if (const auto* call = std::get_if<graph::CallHost>(&program.op)) {
      host_functions.insert(graph_.host_functions.at(call->function).handle);
    } else if (const auto* call = std::get_if<graph::Call>(&program.op)) {
      if (!seen_.at(call->function)) {
        seen_[call->function] = true;
        visit(*graph_.functions[call->function].program);
      }
    }
    for (const graph::ProgramRef& child : graph::children(program)) visit(*child);
  }

  std::set<std::string> handles, host_functions;

 private:
  const graph::Graph& graph_;
  std::vector<bool> seen_;
};

// A stream is connected whether or not the compiler leaves its copies out, as in Repeat(0, ...): then it is one that
// never has a transfer.
void add_without_transfers(const graph::Graph& graph, const std::set<std::string>& used,
                           tessera::image::Executable& executable) {
  using tessera::image::StreamUse;
  std::vector<tessera::image::Stream>& streams = executable.host.streams;
  for (const graph::Stream& stream : graph.streams) {
    const StreamUse use = stream.to_device ? StreamUse::kToDevice : StreamUse::kFromDevice;
    const auto same = [&](const tessera::image::Stream& s) { return s.handle == stream.handle && s.use == use; };
    if (used.count(stream.handle) == 0 || std::any_of(streams.begin(), streams.end(), same)) continue;
    tessera::image::Stream silent{.handle = stream.handle, .use = use, .type = stream.type};
    silent.elements = stream.num_elements;
    silent.bytes = stream.num_elements * graph::size_of(stream.type);
    streams.push_back(std::move(silent));
  }
}

void add_host_side(const graph::Graph& graph, tessera::image::Executable& executable) {
  if (executable.remote_buffers.empty())  // else the compiler has placed them in a gateway's memory
    for (const graph::RemoteBuffer& b : graph.remote_buffers)
      executable.remote_buffers.push_back(
          {.handle = b.handle, .row_bytes = b.num_elements * graph::size_of(b.type), .rows = b.repeats});
  const auto bytes = [](const std::vector<graph::HostFunctionArgument>& arguments) {
    std::vector<std::uint64_t> all;
    for (const graph::HostFunctionArgument& a : arguments) all.push_back(a.num_elements * graph::size_of(a.type));
    return all;
  };
  for (const graph::HostFunction& f : graph.host_functions)
    executable.host_functions.push_back({f.handle, bytes(f.inputs), bytes(f.outputs)});
}

std::uint32_t buffering_depth(const std::string& text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min(tessera::runtime::parse_number(text).value_or(1), kMost));
}

[[noreturn]] void rethrow(const tessera::compiler::CodeletError& error) {
  using Kind = tessera::compiler::CodeletError::Kind;
  switch (error.kind()) {
    case Kind::kLink:
      throw link_error(error.what());
    case Kind::kNoTool:
      throw no_environment(error.what());
    case Kind::kFile:
    case Kind::kCompilation:
      break;
  }
  throw graph_program_compilation_error(error.what());
}

// In a checked program, bytes behind each variable that are nobody's.
constexpr std::uint32_t kCheckedGuard = 16;

// What a compilation depends on besides graph and programs: values of the options that the compiler reads, in the order
// of their table, chips, gateways and estimates.
std::vector<std::string> compiler_options(const OptionFlags& flags, bool checked,
                                          const tessera::compiler::GraphCompileOptions& options) {
  std::vector<std::string> values = {checked ? "checked" : "", std::to_string(options.chips),
                                     options.replica_syncs ? "syncs" : ""};
  std::string& gateways = values.emplace_back();
  for (const auto& [gateway, bytes, seen] : options.gateways)
    gateways += fmt::format("{} {} {},", gateway, bytes, fmt::join(seen, " "));
  std::string& estimated = values.emplace_back();
  for (const auto& [vertex, estimate] : options.estimates) estimated += fmt::format("{} {},", vertex, estimate.cycles);
  for (const tessera::runtime::Option& option : tessera::runtime::engine_options().options) {
    if (!option.compiled) continue;
    const auto given = flags.find(std::string(option.name));
    values.push_back(given == flags.end() ? "" : "=" + given->second);
  }
  return values;
}

tessera::image::Executable compile(const graph::Graph& graph, const std::vector<graph::ProgramRef>& programs,
                                   graph::Estimates estimates, const tessera::spec::Machine& machine,
                                   std::uint32_t chips, bool replica_syncs,
                                   std::vector<tessera::compiler::GatewayMemory> gateways, const ProgressFunc& progress,
                                   const tessera::runtime::EngineOptions& given, std::string& out_of_memory) {
  tessera::compiler::GraphCompileOptions options;
  options.estimates = std::move(estimates);
  options.chips = chips;
  options.replica_syncs = replica_syncs;
  options.replicas_independent = given.replicas_independent;
  options.gateways = std::move(gateways);
  int passes = 1;
  log::Stopwatch watch;
  options.progress = [&](unsigned done, unsigned total, const std::string&) {
    watch.start();
    if (progress) progress(static_cast<int>(done), passes = static_cast<int>(total));
  };
  if (log::wants(Module::kGraph, Level::kDebug))
    options.finished = [&](const std::string& pass, const std::string& result) {
      log::write(Module::kGraph, Level::kDebug, fmt::format("{}: {} ({:.1f} ms)", pass, result, watch.milliseconds()));
    };
  options.worker_stack = given.worker_stack;
  options.optimise = given.optimise;
  const bool checked = tessera::runtime::with_poplar_errors(tessera::card::check);
  if (checked) {
    options.optimise.share_memory = false;  // what others have left would count as written
    options.guard = kCheckedGuard;
  }
  options.threads = given.compilation_threads;
  if (given.allow_out_of_memory || given.report.graph_profile) options.out_of_memory = &out_of_memory;
  if (const char* folder = std::getenv("TESSERA_DUMP"); folder != nullptr) options.dump_directory = folder;
  try {
    // Dumps are made by the passes: who wants them compiles.
    if (given.executable_cache.empty() || !options.dump_directory.empty()) {
      auto executable = tessera::compiler::compile(graph, programs, machine, options);
      if (progress) progress(passes, passes);
      return executable;
    }
    const tessera::compiler::ExecutableCache cache(given.executable_cache);
    const std::string key = cache.key(graph, programs, machine, compiler_options(given.flags, checked, options));
    auto executable = cache.find(key);
    log::write(Module::kGraph, Level::kInfo,
               [&] { return fmt::format("{} {} the cache", key, executable ? "stands in" : "is not in"); });
    if (!executable) {
      executable = tessera::compiler::compile(graph, programs, machine, options);
      if (out_of_memory.empty()) cache.store(key, *executable);
    }
    if (progress) progress(passes, passes);
    return std::move(*executable);
  } catch (const graph::GraphError& error) {
    detail::rethrow(error);
  } catch (const tessera::compiler::CodeletError& error) {
    rethrow(error);
  } catch (const tessera::compiler::StackTooSmall& error) {
    throw invalid_option(std::string("engine option 'target.workerStackSizeInBytes': ") + error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    throw poplar_error("TESSERA_DUMP is '" + options.dump_directory +
                       "', where nothing can be written: " + error.code().message());
  } catch (const tessera::compiler::OutOfTileMemory& error) {
    throw graph_memory_allocation_error(error.what());
  } catch (const tessera::compiler::OutOfHostMemory& error) {
    throw stream_memory_allocation_error(error.what());
  } catch (const tessera::compiler::OutOfGatewayMemory& error) {
    throw stream_memory_allocation_error(error.what());
  }
}

// The executable for `tessera compile`, which wants no more of the program.
[[noreturn]] void leave_in(const std::string& file, const tessera::image::Executable& image) {
  try {
    tessera::formats::write_whole_file(file, tessera::image::serialize(image));
  } catch (const tessera::formats::CannotWrite& error) {
    throw poplar_error(std::string("TESSERA_COMPILE: ") + error.what());
  }
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace

namespace detail {

std::shared_ptr<const ExecutableImpl> compile_executable(const Graph& graph, ArrayRef<program::Program> programs,
                                                         const OptionFlags& flags, const ProgressFunc& progress) {
  auto impl = std::make_shared<ExecutableImpl>();
  impl->options = tessera::runtime::parse_engine_options(flags);
  const char* leave = std::getenv("TESSERA_COMPILE");
  if (leave != nullptr) impl->options.allow_out_of_memory = true;  // there is a report of it
  const auto& target = Access::impl(graph.getTarget());
  if (!target) throw poplar_error("the graph has no target; make it from a Device or a Target");
  const graph::Graph& plain = Access::graph(graph);
  std::vector<graph::ProgramRef> trees;
  for (const program::Program& program : programs) {
    Access::impl(graph).check_own(program, "Engine");
    trees.push_back(Access::program(program));
  }
  log::Stopwatch watch;
  tessera::image::Executable& image = impl->image;
  std::string out_of_memory;
  // The IPUs of a replica, whatever virtual graph it is.
  const TargetImpl& whole = *Access::impl(Access::impl(graph).state->target);
  const TargetImpl& device = *Access::impl(Access::impl(graph).state->device);
  const bool renumbered = whole.num_ipus > 1 && whole.tiles_per_ipu != whole.machine.tiles();
  image = compile(
      renumbered ? tessera::runtime::numbered_by_machine(plain, whole.tiles_per_ipu, whole.machine.tiles()) : plain,
      trees, detail::estimated(graph), whole.machine, whole.num_ipus,
      detail::have_replica_syncs(device, plain.replicas),
      detail::gateways_of_replicas(device, plain.replicas, impl->options.gateway_mode), progress, impl->options,
      out_of_memory);
  image.out_of_memory = std::move(out_of_memory);
  log::write(Module::kGraph, Level::kInfo, [&] {
    return fmt::format("compiled {} vertices and {} programs for {} ({} tiles) in {:.0f} ms", plain.vertices.size(),
                       trees.size(), target->machine.name, target->machine.tiles(), watch.milliseconds());
  });
  if (!image.out_of_memory.empty()) {
    log::write(Module::kGraph, Level::kWarn, image.out_of_memory);
    if (!impl->options.allow_out_of_memory) {
      const std::string profile = tessera::runtime::report_graph_profile(impl->options.report, image);
      throw graph_memory_allocation_error(image.out_of_memory + "\n  the graph profile is " + profile, profile);
    }
  }
  std::map<std::string, std::uint32_t> depths;
  for (const graph::Stream& stream : plain.streams)
    if (const auto depth = stream.options.find("bufferingDepth"); depth != stream.options.end())
      depths[stream.handle] = buffering_depth(depth->second);
  for (const auto& [handle, depth] : depths) image.buffering.push_back({handle, depth});
  const std::set<std::string>& broadcasts = Access::impl(graph).state->broadcasts;
  image.broadcasts.assign(broadcasts.begin(), broadcasts.end());
  add_host_side(plain, image);
  for (const auto& [name, value] : impl->options.flags) image.settings.push_back({name, value});
  for (std::size_t i = 0; i < trees.size(); ++i) {
    StreamsUsed used(plain);
    used.visit(*trees[i]);
    add_without_transfers(plain, used.handles, image);
    image.programs.at(i).streams.assign(used.handles.begin(), used.handles.end());
    image.programs.at(i).host_functions.assign(used.host_functions.begin(), used.host_functions.end());
  }
  if (leave != nullptr) leave_in(leave, image);
  tessera::runtime::report_graph(impl->options.report, graph);
  for (std::size_t i = 0; i < trees.size(); ++i)
    log::write(Module::kProgram, Level::kDebug, [&] {
      return fmt::format(
          "program {} uses streams: {}", i,
          image.programs[i].streams.empty() ? "none" : fmt::format("{}", fmt::join(image.programs[i].streams, ", ")));
    });
  std::map<uint32_t, std::string> steps;  // by id: each stands once for every tile that has a part in it
  for (const tessera::image::ChipImage& chip : impl->image.chips) {
    const tessera::names::ProgramInfo& info = chip.info;
    if (!log::wants(Module::kProgram, Level::kTrace)) break;
    for (const tessera::names::Step& step : info.steps) steps.emplace(step.id, info.name(step.what));
    for (const tessera::names::StepCall& call : info.calls) steps.emplace(call.id, info.name(call.what));
  }
  for (const auto& [id, what] : steps) log::write(Module::kProgram, Level::kTrace, [&] { return "step: " + what; });
  return impl;
}

}  // namespace detail

Executable::Executable(std::shared_ptr<const detail::ExecutableImpl> impl) : impl_(std::move(impl)) {}
Executable::Executable() = default;
Executable::Executable(const Executable& other) = default;
Executable::Executable(Executable&& other) noexcept = default;
Executable& Executable::operator=(const Executable& other) = default;
Executable& Executable::operator=(Executable&& other) noexcept = default;
Executable::~Executable() = default;

const std::shared_ptr<const detail::ExecutableImpl>& detail::Access::compiled(const Executable& e) {
  if (e.impl_ == nullptr) throw poplar_error("Use of an empty Executable: it was default-constructed or moved from");
  return e.impl_;
}

void Executable::serialize(std::ostream& out) const {
  const std::vector<std::uint8_t> bytes = tessera::image::serialize(detail::Access::compiled(*this)->image);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out)
    throw poplar_error("Executable::serialize: the stream does not take the executable's " +
                       std::to_string(bytes.size()) + " bytes");
}

std::uint64_t Executable::getHash() const {
  return tessera::formats::digest(tessera::image::serialize(detail::Access::compiled(*this)->image));
}

Executable Executable::deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash) {
  if (in == nullptr) throw poplar_error("Executable::deserialize: no stream");
  return deserialize(*in, checkPackageHash);
}

Executable Executable::deserialize(std::istream& in, bool) {
  auto impl = std::make_shared<detail::ExecutableImpl>();
  try {
    impl->image = tessera::image::deserialize(in, "Executable::deserialize");
  } catch (const tessera::image::BadExecutable& error) {
    throw poplar_error(error.what());
  }
  tessera::runtime::EngineOptions compiled;
  for (const auto& [name, value] : impl->image.settings) compiled.flags.set(name, value);
  impl->options = tessera::runtime::engine_options_over(compiled, {});
  return detail::Access::make_executable(std::move(impl));
}

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
                        ProgressFunc progressCallBack, const DebugContext&) {
  return detail::Access::make_executable(detail::compile_executable(graph, programs, options, progressCallBack));
}

Executable compileGraph(const Graph& graph, ArrayRef<program::Program> programs, bool checkOptionFlags,
                        const OptionFlags& options, ProgressFunc progressCallBack, const DebugContext& debugContext) {
  OptionFlags known;
  for (const auto& [name, value] : options) {
    if (checkOptionFlags || tessera::runtime::find(tessera::runtime::engine_options(), name) != nullptr) {
      known.set(name, value);
    } else {
      log::write(Module::kGraph, Level::kWarn, [&] { return "engine option '" + name + "' is not known; left out"; });
    }
  }
  return compileGraph(graph, programs, known, std::move(progressCallBack), debugContext);
}

Executable compileGraph(Graph&& graph, ArrayRef<program::Program> programs, const OptionFlags& options,
                        ProgressFunc progressCallBack, const DebugContext& debugContext) {
  return compileGraph(static_cast<const Graph&>(graph), programs, options, progressCallBack, debugContext);
}

}  // namespace poplar
