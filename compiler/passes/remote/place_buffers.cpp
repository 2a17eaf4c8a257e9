#include "compiler/passes/remote/place_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/ir/block.h"

namespace tessera::compiler {
namespace {

constexpr std::uint64_t kRowAlign = 32;

}  // namespace

std::vector<ir::RemoteBuffer> place_buffers(const std::vector<graph::RemoteBuffer>& buffers,
                                            const std::vector<GatewayMemory>& gateways) {
  std::vector<ir::RemoteBuffer> placed;
  std::uint64_t end = 0;  // of what one replica has
  for (const graph::RemoteBuffer& b : buffers) {
    ir::RemoteBuffer buffer{
        .handle = b.handle, .row_bytes = b.num_elements * graph::size_of(b.type), .rows = b.repeats};
    buffer.stride = ir::round_up(buffer.row_bytes, kRowAlign);
    buffer.base = {end};
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(buffer.stride, buffer.rows, &bytes) || __builtin_add_overflow(end, bytes, &end))
      end = ~std::uint64_t{0};
    for (const GatewayMemory& memory : gateways) {
      const auto sharing =
          static_cast<std::uint64_t>(std::ranges::count(gateways, memory.gateway, &GatewayMemory::gateway));
      if (end <= memory.bytes / sharing) continue;
      throw OutOfGatewayMemory(fmt::format(
          "Remote buffer '{}' does not fit in the memory of the gateway, which has {} bytes: {} rows of {} bytes{}{}",
          b.handle, memory.bytes, b.repeats, buffer.stride,
          placed.empty() ? "" : fmt::format(" behind {} bytes of other remote buffers", buffer.base[0]),
          sharing == 1 ? "" : fmt::format(", {} times, for each replica", sharing)));
    }
    placed.push_back(std::move(buffer));
  }
  std::vector<std::uint64_t> first;             // by replica
  std::map<std::uint32_t, std::uint64_t> next;  // by gateway
  for (const GatewayMemory& memory : gateways) {
    first.push_back(next[memory.gateway]);
    next[memory.gateway] += end;
  }
  std::size_t chips = 1;  // that see it at an address of their own
  for (const GatewayMemory& memory : gateways) chips = std::max(chips, memory.seen.size());
  for (ir::RemoteBuffer& buffer : placed) {
    const std::uint64_t offset = buffer.base[0];
    buffer.base.clear();
    for (std::size_t replica = 0; replica < gateways.size(); ++replica) {
      std::vector<std::uint64_t> seen = gateways[replica].seen;
      seen.resize(chips);
      for (const std::uint64_t by_chip : seen) buffer.base.push_back(by_chip + first[replica] + offset);
    }
  }
  return placed;
}

}  // namespace tessera::compiler
