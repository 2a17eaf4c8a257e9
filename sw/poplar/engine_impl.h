// What stands behind poplar::Engine.
#pragma once

#include <poplar/Engine.hpp>

#include <atomic>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/card/card.h"
#include "sw/poplar/device_impl.h"
#include "sw/poplar/executable_impl.h"
#include "sw/poplar/executable_runner.h"
#include "sw/poplar/gateway_rows.h"
#include "sw/poplar/host_calls.h"
#include "sw/poplar/profiled_cycles.h"
#include "sw/poplar/remote_memory.h"
#include "sw/poplar/stream_table.h"

namespace poplar::detail {

struct EngineImpl {
  EngineImpl(std::shared_ptr<const ExecutableImpl> executable, const tessera::runtime::EngineOptions& options);

  void prepare(const Device& device, const OptionFlags& flags = {});
  void deploy();
  void run(unsigned program, const std::string& name);
  void run(unsigned program, const std::string& name, const OptionFlags& flags);
  void read_tensor(const std::string& handle, void* begin, const void* end);
  void write_tensor(const std::string& handle, const void* begin, const void* end);
  void write_row(uint32_t replica, const std::string& handle, uint64_t row, const void* from, const char* function);
  void read_row(uint32_t replica, const std::string& handle, uint64_t row, void* to, const char* function);
  // Of a tensor with a read or write handle, of one replica. Throws poplar_error if there is no such handle.
  const tessera::image::Stream& handle(const std::string& name, tessera::image::StreamUse use) const;

  std::shared_ptr<const ExecutableImpl> executable;
  tessera::runtime::EngineOptions options;
  tessera::runtime::EngineOptions in_force;  // since the last prepare
  tessera::runtime::StreamTable streams;
  // By replica.
  std::vector<tessera::runtime::RemoteMemory> remote;  // in host memory
  std::vector<tessera::runtime::HostCalls> calls;
  tessera::runtime::GatewayRows gateway_rows;  // of remote buffers that are there
  tessera::runtime::ExecutableRunner runner;
  std::shared_ptr<tessera::card::Card> card;
  Target target;  // of the last prepare
  tessera::runtime::RunLimits limits;
  tessera::runtime::ProfiledCycles profiled;
  std::ostream* print_stream = &std::cerr;
  std::ostream* print_tensor_stream = &std::cerr;
  std::atomic<bool> stopping = false;
  bool running = false, failed = false;
  uint64_t runs = 0;  // of user's programs that came to their end

  uint32_t replicas() const { return executable->image.replicas; }
  // Throws `Error` saying that the object, "stream 'in'", has no such replica.
  template <class Error>
  void check_replica(const std::string& object, unsigned replica) const {
    if (replica >= replicas())
      throw Error(object + " has no replica " + std::to_string(replica) + "; there are " + std::to_string(replicas()) +
                  ", from 0 on");
  }
  // Cycles since the load, of the first chip, if a program is loaded.
  std::optional<tessera::chip::Counters> counted() const;

 private:
  void apply(const tessera::runtime::EngineOptions& options);
  void require_loaded(const std::string& what) const;
  void run_program(unsigned index, const std::string& name,
                   const tessera::runtime::ExecutableRunner::Transfer& transfer);
  void transfer(const tessera::image::Stream& stream, std::span<std::byte> window, uint32_t replica);
  void print_tensor(const tessera::image::Stream& stream, std::span<const std::byte> window, uint32_t replica) const;
};

}  // namespace poplar::detail
