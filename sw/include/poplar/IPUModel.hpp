// Description of a device run by the fast model; change the fields, then create the device.
#pragma once

#include <limits>
#include <string>

#include <poplar/Device.hpp>

namespace poplar {

struct IPUModel {
  // "ipu1", "ipu2", "ipu21" or the name of a machine description. Throws invalid_machine_model.
  explicit IPUModel(const char* version = "ipu2");

  // How much later a tile leaves a sync than the first one. AUTO: as the machine does, where all leave in the same
  // cycle.
  enum class RelativeSyncDelayType { AUTO, NO_DELAY };

  std::string IPUVersion;
  unsigned numIPUs;
  unsigned tilesPerIPU;  // any number up to the largest machine: the first tiles of the next larger one
  unsigned numWorkerContexts;
  unsigned memoryBytesPerTile;
  double tileClockFrequency;  // Hz
  unsigned exchangeBytesPerCycle;
  unsigned memcpyBytesPerCycle;
  unsigned tilesPerSuperTile;  // that share an exchange bus
  unsigned instructionBytes;
  bool supportsSuperTileSendReceive;       // a tile can have the bus of its neighbour too
  unsigned interleavedMemoryElementIndex;  // Target::getInterleavedMemoryElementIndex
  unsigned minIPUSyncDelay;                // cycles, at most those a sync takes by the machine description
  unsigned globalSyncCycles;               // Target::getGlobalSyncCycles
  RelativeSyncDelayType relativeSyncDelay;

  bool operator==(const IPUModel& other) const;  // all fields are equal
  bool operator!=(const IPUModel& other) const { return !(*this == other); }
  // Throws invalid_machine_model if no machine fits the fields.
  Device createDevice(OptionFlags options = {}, bool accurateHalf = false,
                      unsigned deviceManagerId = std::numeric_limits<unsigned>::max()) const;
};

}  // namespace poplar
