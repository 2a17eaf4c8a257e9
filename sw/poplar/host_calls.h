// Functions of the host that programs call: what is connected, and the host's part of a call.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <poplar/HostFunctionCallback.hpp>
#include <span>
#include <string>
#include <vector>

#include "compiler/image/executable.h"

namespace tessera::runtime {

class HostCalls {
 public:
  explicit HostCalls(const std::vector<image::HostFunction>& functions);

  void connect(const std::string& handle, std::unique_ptr<poplar::HostCallback> callback);  // throws
                                                                                            // stream_connection_error
  bool connected(const std::string& handle) const;

  // Transfers with use kCallInput, then kCall, then kCallOutput. Exceptions of the function pass through.
  void take_input(const image::Stream& stream, std::span<const std::byte> window);
  void call(const image::Stream& stream);
  void give_output(const image::Stream& stream, std::span<std::byte> window);
  void begin_run() { inputs_.clear(), outputs_.clear(); }  // what a run that failed has left

 private:
  struct Function {
    std::vector<uint64_t> output_bytes;
    std::unique_ptr<poplar::HostCallback> callback;
  };
  std::map<std::string, Function> functions_;
  std::vector<std::vector<std::byte>> inputs_, outputs_;  // of the call that is under way
  size_t given_ = 0;                                      // of its outputs
};

}  // namespace tessera::runtime
