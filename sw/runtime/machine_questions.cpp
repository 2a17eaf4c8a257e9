#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

#include "sw/api/impl.h"
#include "sw/runtime/device_impl.h"
#include "sw/runtime/target_impl.h"

namespace tessera {
namespace {

const poplar::detail::DeviceImpl& impl_of(const poplar::Device& device) {
  const auto& impl = poplar::detail::Access::impl(device);
  if (!impl) throw poplar::poplar_error("the device is empty");
  if (impl->needs_attach && !impl->attached) throw poplar::poplar_error("the device is not attached");
  return *impl;
}

}  // namespace

std::string machineName(const poplar::Device& device) { return device.getTarget().getTargetSystemString(); }

std::string machineBackend(const poplar::Device& device) { return impl_of(device).card->backend(); }

MachineCounters machineCounters(const poplar::Device& device) {
  MachineCounters result;
  impl_of(device).card->use("counting cycles", [&](machine::Client& client) {
    const chip::Counters c = client.counters();
    result = {c.cycles, c.compute, c.sync, c.exchange, c.host, c.supersteps, c.evaluated, c.skipped};
  });
  return result;
}

std::uint64_t memoryHash(const poplar::Device& device) {
  std::uint64_t hash = 0;
  impl_of(device).card->use("hashing memory", [&](machine::Client& client) { hash = client.memory_hash(); });
  return hash;
}

void recordSupersteps(const poplar::Device& device, bool on) {
  impl_of(device).card->use("recording supersteps", [&](machine::Client& client) { client.record(on); });
}

std::vector<Superstep> takeSupersteps(const poplar::Device& device) {
  std::vector<Superstep> result;
  impl_of(device).card->use("taking supersteps", [&](machine::Client& client) {
    for (const machine::SuperstepRecord& record : client.take_record())
      result.push_back({record.index, record.cycle, record.hash});
  });
  return result;
}

void leaveWaves(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles,
                std::uint64_t fromSuperstep, std::uint64_t supersteps) {
  const unsigned have = device.getTarget().getNumTiles();
  for (unsigned tile : tiles)
    if (tile >= have) throw poplar::poplar_error("waves: the device has no tile " + std::to_string(tile));
  impl_of(device).card->leave_waves({path, tiles, fromSuperstep, supersteps});
}

}  // namespace tessera
