#include "sw/poplar/host_calls.h"

#include <poplar/exceptions.hpp>
#include <utility>

#include "sw/poplar/stream_table.h"

namespace tessera::runtime {

HostCalls::HostCalls(const std::vector<image::HostFunction>& functions) {
  for (const image::HostFunction& function : functions)
    functions_[function.handle].output_bytes = function.output_bytes;
}

void HostCalls::connect(const std::string& handle, std::unique_ptr<poplar::HostCallback> callback) {
  const auto found = functions_.find(handle);
  if (found == functions_.end()) throw poplar::stream_connection_error("there is no host function '" + handle + "'");
  found->second.callback = std::move(callback);
}

bool HostCalls::connected(const std::string& handle) const {
  const auto found = functions_.find(handle);
  return found != functions_.end() && found->second.callback != nullptr;
}

void HostCalls::take_input(const image::Stream& stream, std::span<const std::byte> window) {
  inputs_.emplace_back(stream.bytes);
  gather(stream, window, inputs_.back().data());
}

void HostCalls::call(const image::Stream& stream) {
  Function& function = functions_.at(stream.handle);
  const std::vector<std::vector<std::byte>> inputs = std::exchange(inputs_, {});
  outputs_.clear();
  given_ = 0;
  std::vector<const void*> in;
  std::vector<void*> out;
  for (const std::vector<std::byte>& input : inputs) in.push_back(input.data());
  for (const uint64_t bytes : function.output_bytes) outputs_.emplace_back(bytes);
  for (std::vector<std::byte>& output : outputs_) out.push_back(output.data());
  (*function.callback)(in, out);
}

void HostCalls::give_output(const image::Stream& stream, std::span<std::byte> window) {
  scatter(stream, outputs_.at(given_++).data(), window);
}

}  // namespace tessera::runtime
