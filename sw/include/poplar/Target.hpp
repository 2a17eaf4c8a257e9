// Properties of a kind of device: numbers of chips and tiles, memory, widths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

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
  StringRef getTargetSystemString() const;  // name of the machine description, such as "mk2-16"
  unsigned getNumIPUs() const;
  unsigned getTilesPerIPU() const;
  unsigned getNumTiles() const;
  unsigned getNumWorkerContexts() const;
  unsigned getBytesPerTile() const;
  std::uint64_t getMemoryBytes() const;
  double getTileClockFrequency() const;  // Hz
  unsigned getExchangeBytesPerCycle() const;
  unsigned getMemcpyBytesPerCycle() const;     // of a copy inside a tile
  unsigned getMinIPUSyncDelay() const;         // cycles: sync_request + sync_acknowledge of the machine
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

  // The same kind of device with other numbers of chips and tiles.
  Target createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const;
  // system: "ipu1", "ipu2", "ipu21" or the name of a machine description.
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
