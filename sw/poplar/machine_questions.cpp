#include <fstream>
#include <functional>
#include <map>
#include <poplar/exceptions.hpp>
#include <tessera/machine.hpp>

#include "compiler/codelet/scratch_directory.h"
#include "formats/fnv.h"
#include "rtl/spec/tile_id.h"
#include "sw/poplar/card_errors.h"
#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/target_impl.h"

namespace tessera {
namespace {

using runtime::with_poplar_errors;

const poplar::detail::DeviceImpl& impl_of(const poplar::Device& device) {
  const auto& impl = poplar::detail::Access::impl(device);
  if (!impl) throw poplar::poplar_error("the device is empty");
  if (impl->needs_attach && !impl->attached) throw poplar::poplar_error("the device is not attached");
  return *impl;
}

// Tiles are numbered through the chips, as the program numbers them.
spec::TileId tile_id(const poplar::Device& device, const std::string& what, unsigned tile) {
  const unsigned each = device.getTarget().getTilesPerIPU();
  if (tile >= device.getTarget().getNumTiles())
    throw poplar::poplar_error(what + ": the device has no tile " + std::to_string(tile));
  return {tile / each, tile % each};
}

// As options write them; {}: all.
std::string tile_list(const poplar::Device& device, const std::string& what, const std::vector<unsigned>& tiles) {
  if (tiles.empty()) return "all";
  std::string list;
  for (const unsigned tile : tiles)
    list += (list.empty() ? "" : ",") + spec::number_text(tile_id(device, what, tile), device.getTarget().getNumIPUs());
  return list;
}

void use(const poplar::Device& device, const std::string& what, const std::function<void(card::Client&)>& body) {
  with_poplar_errors([&] { impl_of(device).card->use(what, body); });
}

// The same of each chip, in their order.
void use_chips(const poplar::Device& device, const std::string& what, const std::function<void(card::Client&)>& body) {
  use(device, what, [&](card::Client& client) {
    for (uint32_t chip = 0; chip < client.identity().chips.size(); ++chip) {
      client.choose(chip);
      body(client);
    }
    client.choose(0);
  });
}

void look_at(const poplar::Device& device, const std::string& options) {
  with_poplar_errors([&] { impl_of(device).card->inspect(options); });
}

}  // namespace

std::string machineName(const poplar::Device& device) { return device.getTarget().getTargetSystemString(); }

std::string machineBackend(const poplar::Device& device) { return impl_of(device).card->backend(); }

MachineCounters machineCounters(const poplar::Device& device) {
  MachineCounters result;
  use_chips(device, "counting cycles", [&](card::Client& client) {
    const chip::Counters c = client.counters();
    if (client.chosen() == 0)
      result = {c.cycles, c.compute, c.sync, c.exchange, c.transfer, c.host, c.supersteps, 0, 0};
    result.evaluated += c.evaluated;
    result.skipped += c.skipped;
  });
  return result;
}

std::uint64_t memoryHash(const poplar::Device& device) {
  std::vector<std::uint64_t> hashes;
  use_chips(device, "hashing memory", [&](card::Client& client) { hashes.push_back(client.memory_hash()); });
  if (hashes.size() == 1) return hashes.front();
  formats::Fnv all;
  for (const std::uint64_t hash : hashes) all.number(hash);
  return all.value();
}

void recordSupersteps(const poplar::Device& device, bool on) {
  use_chips(device, "recording supersteps", [&](card::Client& client) { client.record(on); });
}

std::vector<Superstep> takeSupersteps(const poplar::Device& device) {
  std::vector<Superstep> result;
  use_chips(device, "taking supersteps", [&](card::Client& client) {
    for (const chip::SuperstepRecord& record : client.take_record())
      result.push_back({record.index, record.cycle, record.hash});
  });
  return result;
}

void setInspection(const poplar::Device& device, const std::string& options) { look_at(device, options); }

void leaveWaves(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles,
                std::uint64_t fromSuperstep, std::uint64_t supersteps, bool allSignals) {
  const poplar::detail::DeviceImpl& impl = impl_of(device);
  if (allSignals && impl.card->backend() != "rtl")
    throw poplar::poplar_error("waves of all signals show the RTL; this device is run by " + impl.card->backend());
  look_at(device, "waves=" + path + ";wave-tiles=" + tile_list(device, "waves", tiles) + ";wave-from=superstep:" +
                      std::to_string(fromSuperstep) + ";wave-for=" + std::to_string(supersteps) +
                      ";wave-depth=" + (allSignals ? "all" : "architecture"));
}

void leaveTrace(const poplar::Device& device, const std::string& path, const std::vector<unsigned>& tiles) {
  look_at(device, "trace=" + path + ";trace-tiles=" + tile_list(device, "trace", tiles));
}

unsigned startDebugger(const poplar::Device& device, unsigned port, bool halt) {
  const compiler::ScratchDirectory scratch;
  const std::string file = scratch.file("port");
  look_at(device, "gdb=" + std::to_string(port) + ";gdb-halt=" + (halt ? "true" : "false") + ";gdb-file=" + file);
  with_poplar_errors([&] { impl_of(device).card->start(); });
  unsigned got = 0;
  std::ifstream(file) >> got;
  if (got == 0) throw poplar::poplar_error("startDebugger: the machine did not say at which port it listens");
  return got;
}

std::string failedCheck(const poplar::Device& device, const std::string& what, const std::vector<unsigned>& tiles) {
  std::string text;
  std::map<uint32_t, std::vector<uint32_t>> by_chip;
  for (const unsigned tile : tiles) {
    const spec::TileId id = tile_id(device, "failed check", tile);
    by_chip[id.chip].push_back(id.tile);
  }
  if (by_chip.empty()) by_chip[0];
  use(device, "telling a failed check", [&](card::Client& client) {
    for (const auto& [chip, own] : by_chip) {
      client.choose(chip);
      text += client.failed_check(what, own);
    }
    client.choose(0);
  });
  return text;
}

void finishFiles(const poplar::Device& device) {
  with_poplar_errors([&] { impl_of(device).card->finish_files(); });
}

}  // namespace tessera
