#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>
#include <tuple>

#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {
namespace {

constexpr unsigned kInstructionBytes = 4;

// Fields that describe the tile follow from the machine description; a model of another tile would be another machine.
template <class T>
void require(const char* field, T value, T machine) {
  if (value != machine)
    throw invalid_machine_model(std::string("IPUModel: ") + field + " cannot be changed; edit a machine description");
}

}  // namespace

IPUModel::IPUModel(const char* version) : IPUVersion(version), numIPUs(1) {
  const Target target = Target::createIPUTarget(1, IPUVersion);
  tilesPerIPU = target.getTilesPerIPU();
  numWorkerContexts = target.getNumWorkerContexts();
  memoryBytesPerTile = target.getBytesPerTile();
  tileClockFrequency = target.getTileClockFrequency();
  exchangeBytesPerCycle = target.getExchangeBytesPerCycle();
  memcpyBytesPerCycle = target.getMemcpyBytesPerCycle();
  tilesPerSuperTile = target.getTilesPerSharedExchangeBus();
  instructionBytes = kInstructionBytes;
  supportsSuperTileSendReceive = target.supportsExchangeBusSharing();
  interleavedMemoryElementIndex = target.getInterleavedMemoryElementIndex();
  minIPUSyncDelay = target.getMinIPUSyncDelay();
  globalSyncCycles = target.getGlobalSyncCycles();
  relativeSyncDelay = RelativeSyncDelayType::NO_DELAY;
}

bool IPUModel::operator==(const IPUModel& other) const {
  const auto all = [](const IPUModel& m) {
    return std::tie(m.IPUVersion, m.numIPUs, m.tilesPerIPU, m.numWorkerContexts, m.memoryBytesPerTile,
                    m.tileClockFrequency, m.exchangeBytesPerCycle, m.memcpyBytesPerCycle, m.tilesPerSuperTile,
                    m.instructionBytes, m.supportsSuperTileSendReceive, m.interleavedMemoryElementIndex,
                    m.minIPUSyncDelay, m.globalSyncCycles, m.relativeSyncDelay);
  };
  return all(*this) == all(other);
}

Device IPUModel::createDevice(OptionFlags options, bool accurateHalf, unsigned deviceManagerId) const {
  tessera::runtime::check(tessera::runtime::model_options(), options);
  if (tilesPerIPU == 0) throw invalid_machine_model("IPUModel: tilesPerIPU is 0");
  auto impl = detail::make_target_impl(TargetType::IPU_MODEL, numIPUs, tilesPerIPU, IPUVersion);
  impl->accurate_half = accurateHalf;
  const Target target = detail::Access::make_target(impl);
  require("numWorkerContexts", numWorkerContexts, target.getNumWorkerContexts());
  require("memoryBytesPerTile", memoryBytesPerTile, target.getBytesPerTile());
  require("tileClockFrequency", tileClockFrequency, target.getTileClockFrequency());
  require("exchangeBytesPerCycle", exchangeBytesPerCycle, target.getExchangeBytesPerCycle());
  require("memcpyBytesPerCycle", memcpyBytesPerCycle, target.getMemcpyBytesPerCycle());
  require("instructionBytes", instructionBytes, kInstructionBytes);
  require("interleavedMemoryElementIndex", interleavedMemoryElementIndex, target.getInterleavedMemoryElementIndex());
  // Left as they were, these are those of the machine with all its tiles.
  const IPUModel whole(IPUVersion.c_str());
  require("tilesPerSuperTile", tilesPerSuperTile, whole.tilesPerSuperTile);
  require("supportsSuperTileSendReceive", supportsSuperTileSendReceive, whole.supportsSuperTileSendReceive);
  require("globalSyncCycles", globalSyncCycles, whole.globalSyncCycles);
  const bool changed = minIPUSyncDelay != whole.minIPUSyncDelay;
  if (changed && minIPUSyncDelay > target.getMinIPUSyncDelay())
    throw invalid_machine_model("IPUModel: minIPUSyncDelay is " + std::to_string(minIPUSyncDelay) + ", and a sync of " +
                                IPUVersion + " takes " + std::to_string(target.getMinIPUSyncDelay()) +
                                " cycles; edit a machine description");
  const unsigned id = deviceManagerId == std::numeric_limits<unsigned>::max() ? 0 : deviceManagerId;
  return detail::Access::make_device(detail::make_device_impl(id, target, "model"));
}

}  // namespace poplar
