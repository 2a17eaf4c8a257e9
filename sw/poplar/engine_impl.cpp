#include "sw/poplar/engine_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <poplar/exceptions.hpp>
#include <vector>

#include "sw/poplar/card_errors.h"
#include "sw/poplar/gateways.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/print_tensor.h"
#include "sw/poplar/profile_summary.h"
#include "sw/poplar/replica_syncs.h"
#include "sw/poplar/target_impl.h"

namespace poplar::detail {

namespace log = tessera::log;
using log::Level, log::Module;
using tessera::image::Stream;
using tessera::image::StreamUse;

namespace {

// At least one.
uint64_t cycles_of(uint64_t nanoseconds, const tessera::spec::Machine& machine) {
  constexpr uint64_t kSecond = 1000000000, kMostSeconds = 4000000000;
  const uint64_t seconds = std::min(nanoseconds / kSecond, kMostSeconds);
  return seconds * machine.clock_hz + nanoseconds % kSecond * machine.clock_hz / kSecond + 1;
}

void check_replicas(const tessera::runtime::EngineOptions& options, uint32_t replicas) {
  if (options.replicas.value_or(replicas) != replicas)
    throw invalid_option(fmt::format(
        "engine option 'target.numberRuntimeReplica' is '{}': the program has {}, and an engine runs all of them",
        *options.replicas, replicas == 1 ? "one replica" : fmt::format("{} replicas", replicas)));
}

// Options over those that hold. Reports are of the whole life of an engine.
tessera::runtime::EngineOptions with(const tessera::runtime::EngineOptions& options, const OptionFlags& flags,
                                     const char* function) {
  tessera::runtime::EngineOptions now = tessera::runtime::engine_options_over(options, flags);
  if (!(now.report == options.report))
    throw invalid_option(std::string(function) +
                         ": autoReport.*, target.saveArchive and debug.loweredVarDumpFile are read when an engine is "
                         "made; give them to Engine or compileGraph");
  return now;
}

}  // namespace

EngineImpl::EngineImpl(std::shared_ptr<const ExecutableImpl> the_executable,
                       const tessera::runtime::EngineOptions& the_options)
    : executable(std::move(the_executable)),
      options(the_options),
      in_force(the_options),
      streams(executable->image.host, 0, executable->image.replicas, executable->image.broadcasts),
      gateway_rows(executable->image),
      runner(executable->image) {
  for (uint32_t replica = 0; replica < replicas(); ++replica) {
    remote.emplace_back(executable->image.remote_buffers);
    calls.emplace_back(executable->image.host_functions);
  }
  check_replicas(options, replicas());
  tessera::runtime::report_executable(options.report, executable->image);
}

// What of the options is read while a program runs.
void EngineImpl::apply(const tessera::runtime::EngineOptions& now) {
  check_replicas(now, replicas());
  const tessera::spec::Machine& machine = Access::impl(target)->machine;
  limits.compute = now.compute_budget.value_or(machine.compute_budget);
  limits.host_sync = now.host_sync_timeout ? cycles_of(*now.host_sync_timeout, machine) : 0;
  runner.limit(limits);
  streams.ask_at_need(now.prefetch_at_need);
  streams.call_on(now.callback_mode, now.callback_workers);
  for (const std::string& handle : streams.handles()) streams.ask_ahead(handle, now.ahead(1));
  for (const auto& [handle, depth] : executable->image.buffering) streams.ask_ahead(handle, now.ahead(depth));
}

void EngineImpl::prepare(const Device& device, const OptionFlags& flags) {
  const auto& impl = Access::impl(device);
  if (!impl) throw poplar_error("Engine::prepare: the device is empty");
  if (impl->needs_attach && !impl->attached)
    throw poplar_error("Engine::prepare: device " + std::to_string(impl->id) +
                       " is not attached; call Device::attach first");
  const tessera::spec::Machine& machine = Access::impl(impl->target)->machine;
  const auto& chips = executable->image.chips;
  if (machine.hash() != chips.front().machine_hash)
    throw poplar_error("Engine::prepare: the program was compiled for machine " + chips.front().machine +
                       ", the device is a " + machine.name);
  if (const auto ipus = replicas() * chips.size(); ipus != impl->target.getNumIPUs())
    throw poplar_error("Engine::prepare: the program was compiled for " + std::to_string(ipus) +
                       " IPUs, the device has " + std::to_string(impl->target.getNumIPUs()));
  if (const std::string& why = executable->image.out_of_memory; !why.empty()) throw graph_memory_allocation_error(why);
  check_gateways(executable->image, *Access::impl(impl->target));
  check_replica_syncs(executable->image, *Access::impl(impl->target));
  card = impl->card;
  target = impl->target;
  in_force = with(options, flags, "Engine::prepare");
  in_force.start.workers = machine.workers;
  apply(in_force);
  runner.prepare(card);
  runner.explain_refusals([this](tessera::card::Client& client, const tessera::chip::Refusal& refusal) {
    return gateway_rows.refused(client, refusal);
  });
  runner.print_to(machine, [this](const std::string& text) { *print_stream << text << std::flush; });
  failed = false;
}

void EngineImpl::deploy() {
  if (!runner.prepared()) throw poplar_error("Engine::deploy: call Engine::prepare first");
  if (running) throw poplar_error("Engine::deploy: a program is running");
  failed = false;
  const log::Stopwatch watch;
  runner.deploy(in_force.start);
  gateway_rows.loaded(card, runner.owner());
  profiled.loaded();
  log::write(Module::kEngine, Level::kInfo, [&] {
    return fmt::format("loaded onto {} ({}) in {:.0f} ms, float control {:#x}{}", card->machine(), card->backend(),
                       watch.milliseconds(), in_force.start.float_control(),
                       in_force.start.seed ? fmt::format(", seed {}", *in_force.start.seed) : "");
  });
}

void EngineImpl::require_loaded(const std::string& what) const {
  if (running) throw poplar_error(what + ": a program is running");
  if (failed) throw poplar_error(what + ": the last run ended with an error; call Engine::load again");
  if (!runner.loaded()) throw poplar_error(what + ": no program is loaded; call Engine::load first");
}

void EngineImpl::run_program(unsigned index, const std::string& name,
                             const tessera::runtime::ExecutableRunner::Transfer& transfer) {
  running = true;
  failed = true;  // until the program has come to its end
  stopping = false;
  const log::Stopwatch watch;
  try {
    runner.run(index, name, [&](const Stream& stream, std::span<std::byte> window, uint32_t replica) {
      log::write(Module::kEngine, Level::kTrace,
                 [&] { return fmt::format("transfer of {} bytes of '{}'", stream.bytes, stream.handle); });
      if (!stopping) transfer(stream, window, replica);
      if (stopping) throw application_runtime_error("Engine::stop has ended " + name);
    });
  } catch (const std::exception& error) {
    log::write(Module::kEngine, Level::kErr, error.what());
    running = false;
    streams.invalidate();
    throw;
  } catch (...) {
    running = false;
    streams.invalidate();
    throw;
  }
  running = failed = false;
  log::write(Module::kEngine, Level::kDebug,
             [&] { return fmt::format("ran {} in {:.1f} ms", name, watch.milliseconds()); });
}

void EngineImpl::run(unsigned program, const std::string& name) {
  require_loaded("Engine::run");
  const auto& programs = executable->image.programs;
  const auto users = std::find_if(programs.begin(), programs.end(), [](const auto& p) { return p.internal; });
  if (const auto count = static_cast<size_t>(users - programs.begin()); program >= count)
    throw poplar_error("Engine::run: there is no program " + std::to_string(program) + "; the engine has " +
                       std::to_string(count));
  for (const std::string& handle : programs[program].streams)
    if (!streams.connected(handle))
      throw stream_connection_error("stream '" + handle + "', which program " + std::to_string(program) +
                                    " uses, is not connected; call Engine::connectStream first");
  for (const std::string& handle : programs[program].host_functions)
    for (uint32_t replica = 0; replica < replicas(); ++replica)
      if (!calls[replica].connected(handle))
        throw stream_connection_error("host function '" + handle + "', which program " + std::to_string(program) +
                                      " calls, is not connected" +
                                      (replicas() == 1 ? "" : " for replica " + std::to_string(replica)) +
                                      "; call Engine::connectHostFunction first");
  for (tessera::runtime::HostCalls& one : calls) one.begin_run();
  for (tessera::runtime::RemoteMemory& one : remote) one.begin_run();
  run_program(program, name.empty() ? "program " + std::to_string(program) : "program '" + name + "'",
              [this](const Stream& stream, std::span<std::byte> window, uint32_t replica) {
                transfer(stream, window, replica);
              });
  streams.invalidate();
  if (++runs <= in_force.report.runs && in_force.report.execution_profile)
    if (const auto counters = counted())
      tessera::runtime::report_run(in_force.report, runs, tessera::runtime::execution_profile(profiled.of(*counters)));
}

void EngineImpl::run(unsigned program, const std::string& name, const OptionFlags& flags) {
  require_loaded("Engine::run");
  const auto now = with(in_force, flags, "Engine::run");
  if (now.start.float_control() != in_force.start.float_control() || now.start.seed != in_force.start.seed)
    throw invalid_option(
        "Engine::run: options of floats and random numbers are read when a program is loaded; give them to "
        "Engine::prepare");
  apply(now);
  try {
    run(program, name);
  } catch (...) {
    apply(in_force);
    throw;
  }
  apply(in_force);
}

std::optional<tessera::chip::Counters> EngineImpl::counted() const {
  std::optional<tessera::chip::Counters> counters;
  if (runner.loaded())
    tessera::runtime::with_poplar_errors(
        [&] { card->use("counting cycles", [&](tessera::card::Client& client) { counters = client.counters(); }); });
  return counters;
}

void EngineImpl::print_tensor(const Stream& stream, std::span<const std::byte> window, uint32_t replica) const {
  std::vector<std::byte> data(stream.bytes);
  tessera::runtime::gather(stream, window, data.data());
  const std::string title = replicas() == 1 ? stream.handle : fmt::format("{} (replica {})", stream.handle, replica);
  tessera::runtime::print_tensor(*print_tensor_stream, title, stream.type, stream.shape, data.data(), stream.print);
}

void EngineImpl::transfer(const Stream& stream, std::span<std::byte> window, uint32_t replica) {
  switch (stream.use) {
    case StreamUse::kToDevice:
      streams.fill(stream, window, replica);
      return;
    case StreamUse::kFromDevice:
      streams.drain(stream, window, replica);
      return;
    case StreamUse::kPrint:
      print_tensor(stream, window, replica);
      return;
    case StreamUse::kRemoteRows:
      remote[replica].take_rows(stream, window);
      return;
    case StreamUse::kRemoteRead:
      remote[replica].fill(stream, window);
      return;
    case StreamUse::kRemoteWrite:
      remote[replica].drain(stream, window);
      return;
    case StreamUse::kCallInput:
      calls[replica].take_input(stream, window);
      return;
    case StreamUse::kCall:
      calls[replica].call(stream);
      return;
    case StreamUse::kCallOutput:
      calls[replica].give_output(stream, window);
      return;
    case StreamUse::kAbort:
      throw application_runtime_error(stream.handle.empty() ? "the program aborted" : stream.handle);
    case StreamUse::kPrintf:
      return;  // the runner has given it out, as at every stop
    case StreamUse::kHostRead:
    case StreamUse::kHostWrite:
      break;
  }
  throw unknown_runtime_error("the tiles ask for handle '" + stream.handle + "' in the middle of a program");
}

const Stream& EngineImpl::handle(const std::string& name, StreamUse use) const {
  std::string known;
  for (const Stream& stream : executable->image.host.streams) {
    if (stream.use != use) continue;
    if (stream.handle == name) return stream;
    known += (known.empty() ? "'" : ", '") + stream.handle + "'";
  }
  throw poplar_error(std::string("there is no host ") + (use == StreamUse::kHostRead ? "read" : "write") + " handle '" +
                     name + "'; the handles are " + (known.empty() ? "none" : known));
}

void EngineImpl::write_row(uint32_t replica, const std::string& handle, uint64_t row, const void* from,
                           const char* function) {
  check_replica<poplar_error>(std::string(function) + ": remote buffer '" + handle + "'", replica);
  if (gateway_rows.any()) return gateway_rows.write(replica, handle, row, from, function);
  const std::span<std::byte> to = remote[replica].row(handle, row, function);
  std::memcpy(to.data(), from, to.size());
}

void EngineImpl::read_row(uint32_t replica, const std::string& handle, uint64_t row, void* to, const char* function) {
  check_replica<poplar_error>(std::string(function) + ": remote buffer '" + handle + "'", replica);
  if (gateway_rows.any()) return gateway_rows.read(replica, handle, row, to, function);
  const std::span<std::byte> from = remote[replica].row(handle, row, function);
  std::memcpy(to, from.data(), from.size());
}

namespace {

void check_size(const Stream& stream, uint32_t replicas, const char* what, const void* begin, const void* end) {
  const auto size = static_cast<const char*>(end) - static_cast<const char*>(begin);
  if (size < 0 || static_cast<uint64_t>(size) != replicas * stream.bytes)
    throw poplar_error(std::string(what) + ": tensor '" + stream.handle + "' has " + std::to_string(stream.bytes) +
                       " bytes" + (replicas == 1 ? "" : " in each of " + std::to_string(replicas) + " replicas") +
                       ", the buffer " + std::to_string(size));
}

}  // namespace

void EngineImpl::read_tensor(const std::string& name, void* begin, const void* end) {
  const Stream& stream = handle(name, StreamUse::kHostRead);
  check_size(stream, replicas(), "Engine::readTensor", begin, end);
  require_loaded("Engine::readTensor");
  run_program(stream.program, "the reading of '" + name + "'",
              [&](const Stream& asked, std::span<std::byte> window, uint32_t replica) {
                tessera::runtime::gather(asked, window, static_cast<std::byte*>(begin) + replica * asked.bytes);
              });
}

void EngineImpl::write_tensor(const std::string& name, const void* begin, const void* end) {
  const Stream& stream = handle(name, StreamUse::kHostWrite);
  check_size(stream, replicas(), "Engine::writeTensor", begin, end);
  require_loaded("Engine::writeTensor");
  run_program(stream.program, "the writing of '" + name + "'",
              [&](const Stream& asked, std::span<std::byte> window, uint32_t replica) {
                tessera::runtime::scatter(asked, static_cast<const std::byte*>(begin) + replica * asked.bytes, window);
              });
}

}  // namespace poplar::detail
