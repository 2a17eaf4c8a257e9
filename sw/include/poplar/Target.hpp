// Properties of a kind of device: numbers of chips and tiles, memory, widths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include <poplar/IpuLinkConfiguration.hpp>
#include <poplar/IpuLinkTopology.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/TargetType.hpp>
#include <poplar/Type.hpp>

namespace poplar {

namespace detail {
struct TargetImpl;
struct Access;
}  // namespace detail

class Target {
 public:
  Target();
  Target(const Target& other);
  Target(Target&& other) noexcept;
  Target& operator=(const Target& other);
  Target& operator=(Target&& other) noexcept;
  ~Target();

  TargetType getTargetType() const;
  StringRef getTargetArchString() const;    // "ipu1" (the tile of mk1), "ipu2", or the version asked for
  StringRef getTargetSystemString() const;  // of the machine description, "mk2-16"; of several IPUs of the system
  unsigned getNumIPUs() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumTiles() const;
  unsigned getNumWorkerContexts() const;
  unsigned getBytesPerTile() const;
  std::uint64_t getMemoryBytes() const;
  double getTileClockFrequency() const;  // Hz
  unsigned getExchangeBytesPerCycle() const;
  unsigned getMemcpyBytesPerCycle() const;  // of a copy inside a tile
  unsigned getMinIPUSyncDelay() const;      // cycles: sync_request + sync_acknowledge of the machine
  unsigned getMaxIPUSyncDelay() const { return getMinIPUSyncDelay(); }  // all tiles leave a sync in the same cycle
  // Of a sync with the host: external_request + external_acknowledge, and of several IPUs the way from the first to the
  // last and back.
  unsigned getGlobalSyncCycles() const;
  // Bytes from the start of a tile's memory to each of its elements. From getInterleavedMemoryElementIndex() on, two
  // elements share the bytes of both: 8 of one, 8 of the other.
  std::vector<unsigned> getMemoryElementOffsets() const;
  unsigned getInterleavedMemoryElementIndex() const;
  unsigned getDataPathWidth() const;           // bits
  unsigned getAtomicStoreGranularity() const;  // bytes
  unsigned getRptCountMax() const;
  unsigned getNumStrideBits() const;
  unsigned getTilesPerSharedExchangeBus() const;  // 2: those of a pair, t and t xor 2; 1: each has its own
  bool supportsExchangeBusSharing() const { return getTilesPerSharedExchangeBus() > 1; }
  std::size_t getTypeSize(const Type& type) const;  // bytes of one element in tile memory
  unsigned getVectorWidth(const Type& type) const;  // elements in a register of the data path
  unsigned getFloatVectorWidth() const { return getVectorWidth(FLOAT); }
  unsigned getHalfVectorWidth() const { return getVectorWidth(HALF); }
  unsigned getQuarterVectorWidth() const { return getVectorWidth(QUARTER); }
  // Of an element type, as T. Throws overflow_error if T does not hold it.
  template <class T>
  T getTypeLimitsMaxAs(const Type& type) const {
    return limitAs<T>(typeLimit(type, true), type);
  }
  template <class T>
  T getTypeLimitsLowestAs(const Type& type) const {
    return limitAs<T>(typeLimit(type, false), type);
  }

  // The matrix engine of a tile (docs/reference/arithmetic.md). A unit makes one output; its depth is the steps it
  // takes for one, and it takes as many inputs a step. Throws type_error for types that it does not compute with.
  unsigned getFp8InFp16OutConvUnitsPerTile() const { return 16; }
  unsigned getFp16InFp16OutConvUnitsPerTile() const { return 16; }
  unsigned getFp16InFp32OutConvUnitsPerTile() const { return 8; }
  unsigned getFp32InFp32OutConvUnitsPerTile() const { return 16; }
  unsigned getFp8ConvUnitMaxPipelineDepth() const { return 4; }
  unsigned getFp16ConvUnitMaxPipelineDepth() const { return 4; }
  unsigned getFp32ConvUnitMaxPipelineDepth() const { return 8; }
  unsigned getFp8ConvUnitInputLoadElemsPerCycle() const { return 8; }
  unsigned getFp16ConvUnitInputLoadElemsPerCycle() const { return 4; }
  unsigned getFp32ConvUnitInputLoadElemsPerCycle() const { return 1; }
  unsigned getNumConvUnits(const Type& input, const Type& partial) const;  // 0: not these two together
  unsigned getConvUnitMaxPipelineDepth(const Type& type) const;
  unsigned getConvUnitInputLoadElemsPerCycle(const Type& type) const;
  unsigned getConvUnitCoeffLoadBytesPerCycle() const { return 16; }  // of ld128putcs
  unsigned getWeightsPerConvUnit(const Type& type) const;            // depth times inputs a step

  // Exchange blocks, through which tiles reach the host, numbered in each IPU; each is one context. Throws
  // invalid_tile_mapping for a tile that there is not.
  unsigned getNumTilesPerXBContext() const;
  unsigned getNumContextsPerXB() const { return 1; }
  unsigned getTileHostExchangeXB(unsigned tile) const;
  unsigned getTileHostExchangeContext(unsigned tile) const;
  unsigned getTileHostExchangeContextPosition(unsigned tile) const;

  // CSR xfpictl of a tile, and its number: traps for invalid operations, division by zero and overflow, stochastic
  // rounding, NaN for a half that overflows.
  unsigned makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const;
  unsigned getFpIctlRegIndex() const;
  // Links between IPUs are those that the system describes; they join all IPUs, between which no gateway stands.
  IpuLinkConfiguration getIpuLinkConfiguration() const { return IpuLinkConfiguration::Default; }
  IpuLinkTopology getIpuLinkTopology() const;
  unsigned getIpuLinkDomainSize() const;  // IPUs that links may join: as the option says, else all of the target
  unsigned getInstanceSize() const { return 1; }
  bool getGatewayMode() const;  // remote buffers are in the memory of gateways: as the option says, else if there are

  // The same kind of device with other numbers of chips and tiles.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;
  // The first IPUs of a system, by name (docs/reference/systems.md); of a machine's name, or of a version, "ipu1",
  // "ipu2" or "ipu21", the standard system of so many. "IPU-M2000" and "IPU-POD4" to "IPU-POD256" are of "ipu2". Throws
  // invalid_machine_model if there are not as many.
  static Target createIPUTarget(StringRef system, const OptionFlags& options = {});  // one IPU
  static Target createIPUTarget(unsigned numIPUs, StringRef system, const OptionFlags& options = {});
  static Target createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef system,
                                const OptionFlags& options = {});
  static Target createCPUTarget(bool accurateHalf = false, unsigned numIPUs = 1);

  std::size_t hash() const;
  bool operator==(const Target& other) const;
  bool operator!=(const Target& other) const { return !(*this == other); }
  bool operator<(const Target& other) const;

 private:
  explicit Target(std::shared_ptr<const detail::TargetImpl> impl);
  static long double typeLimit(const Type& type, bool largest);
  [[noreturn]] static void limitDoesNotFit(const Type& type);
  template <class T>
  static T limitAs(long double limit, const Type& type) {
    const long double most = static_cast<long double>(std::numeric_limits<T>::max());
    if (limit > most || limit < static_cast<long double>(std::numeric_limits<T>::lowest())) limitDoesNotFit(type);
    return static_cast<T>(limit);
  }
  friend struct detail::Access;
  std::shared_ptr<const detail::TargetImpl> impl_;
};

}  // namespace poplar

namespace std {
template <>
struct hash<poplar::Target> {
  size_t operator()(const poplar::Target& target) const { return target.hash(); }
};
}  // namespace std
