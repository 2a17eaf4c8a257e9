// What of the host a graph names: remote buffers and functions.
#include <algorithm>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/impl.h"

namespace poplar {

namespace g = tessera::graph;

using detail::Access;

namespace {

constexpr std::uint64_t kMostRemoteBytes = std::uint64_t{1} << 40;

template <class Thing>
void check_handle(const std::vector<Thing>& things, const std::string& handle, const char* what) {
  if (std::any_of(things.begin(), things.end(), [&](const Thing& thing) { return thing.handle == handle; }))
    throw poplar_error(std::string("There is already a ") + what + " '" + handle + "'");
}

std::vector<g::HostFunctionArgument> plain(ArrayRef<HostFunctionArgument> arguments) {
  std::vector<g::HostFunctionArgument> out;
  for (const HostFunctionArgument& argument : arguments)
    out.push_back({detail::element_type(std::get<0>(argument)), std::get<1>(argument)});
  return out;
}

}  // namespace

RemoteBuffer detail::Access::make_remote_buffer(GraphNumber graph, unsigned id, const g::RemoteBuffer& plain,
                                                const Type& type, bool rearrange, bool optimise, unsigned replicas) {
  RemoteBuffer out;
  out.handle_ = plain.handle;
  out.numElements_ = plain.num_elements;
  out.repeats_ = plain.repeats;
  out.elementType_ = type;
  out.rearrangeOnHost_ = rearrange;
  out.optimisedForMemory_ = optimise;
  out.graph_ = graph;
  out.id_ = id;
  out.replicas_ = replicas;
  return out;
}

HostFunction detail::Access::make_host_function(GraphNumber graph, unsigned id, std::string handle) {
  HostFunction out;
  out.graph_ = graph;
  out.id_ = id;
  out.handle_ = std::move(handle);
  return out;
}

RemoteBuffer Graph::addRemoteBuffer(StringRef handle, const Type& elementType, std::size_t numElements,
                                    std::size_t repeats, bool rearrangeOnHost, bool optimiseMemory) {
  std::vector<g::RemoteBuffer>& buffers = impl_->state->graph.remote_buffers;
  check_handle(buffers, handle, "remote buffer");
  const g::RemoteBuffer plain{handle, detail::element_type(elementType), numElements, repeats};
  if (numElements == 0 || repeats == 0) throw poplar_error("Remote buffer '" + handle + "' has no elements");
  if (numElements > kMostRemoteBytes / g::size_of(plain.type) / repeats)
    throw poplar_error("Remote buffer '" + handle + "': " + std::to_string(repeats) + " rows of " +
                       std::to_string(numElements) + " elements are more than 2^40 bytes");
  buffers.push_back(plain);
  return Access::make_remote_buffer(impl_->state->number, static_cast<unsigned>(buffers.size() - 1), plain, elementType,
                                    rearrangeOnHost, optimiseMemory, impl_->state->graph.replicas);
}

HostFunction Graph::addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                                    ArrayRef<HostFunctionArgument> outputs) {
  std::vector<g::HostFunction>& functions = impl_->state->graph.host_functions;
  check_handle(functions, handle, "host function");
  functions.push_back({handle, plain(inputs), plain(outputs)});
  return Access::make_host_function(impl_->state->number, static_cast<unsigned>(functions.size() - 1), handle);
}

}  // namespace poplar
