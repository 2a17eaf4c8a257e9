// What a tile is made of, for programs that plan by it.
#include <limits>
#include <poplar/HalfFloat.hpp>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>

#include "rtl/spec/instructions.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/target_impl.h"
#include "sw/poplar/worker_start.h"

namespace poplar {
namespace {

using tessera::graph::ElementType;
using tessera::runtime::HalfOverflow;
using tessera::runtime::WorkerStart;

const tessera::spec::Machine& machine_of(const Target& target) {
  const auto& impl = detail::Access::impl(target);
  if (!impl) throw poplar_error("this Target is empty: take one from a Device or from Target::createIPUTarget");
  return impl->machine;
}

unsigned checked(const Target& target, unsigned tile) {
  if (tile < target.getNumTiles()) return tile;
  throw invalid_tile_mapping("Tile " + std::to_string(tile) + ", but the target has " +
                             std::to_string(target.getNumTiles()) + " tiles");
}

template <class T>
long double limit_of(bool largest) {
  using Limits = std::numeric_limits<T>;
  return static_cast<long double>(largest ? Limits::max() : Limits::lowest());
}

// One of two values, for halves and for floats.
unsigned by_type(const Type& type, unsigned of_half, unsigned of_float) {
  if (type == HALF) return of_half;
  if (type == FLOAT) return of_float;
  throw type_error("the matrix engine takes no " + std::string(type.toString()));
}

}  // namespace

unsigned Target::getGlobalSyncCycles() const {
  const tessera::spec::Machine& machine = machine_of(*this);
  return machine.external_request + detail::Access::impl(*this)->group_sync_cycles + machine.external_acknowledge;
}

std::vector<unsigned> Target::getMemoryElementOffsets() const {
  const tessera::spec::Machine& machine = machine_of(*this);
  std::vector<unsigned> offsets;
  for (unsigned i = 0; i < machine.elements(); ++i) offsets.push_back(i * machine.element_bytes);
  return offsets;
}

unsigned Target::getInterleavedMemoryElementIndex() const {
  const tessera::spec::Machine& machine = machine_of(*this);
  return (machine.region1_base - machine.memory_base) / machine.element_bytes;
}

unsigned Target::getNumConvUnits(const Type& input, const Type& partial) const {
  by_type(partial, 0, 0);
  if (input == partial) return by_type(input, getFp16InFp16OutConvUnitsPerTile(), getFp32InFp32OutConvUnitsPerTile());
  return by_type(input, getFp16InFp32OutConvUnitsPerTile(), 0);
}

unsigned Target::getConvUnitMaxPipelineDepth(const Type& type) const {
  return by_type(type, getFp16ConvUnitMaxPipelineDepth(), getFp32ConvUnitMaxPipelineDepth());
}

unsigned Target::getConvUnitInputLoadElemsPerCycle(const Type& type) const {
  return by_type(type, getFp16ConvUnitInputLoadElemsPerCycle(), getFp32ConvUnitInputLoadElemsPerCycle());
}

unsigned Target::getWeightsPerConvUnit(const Type& type) const {
  return getConvUnitMaxPipelineDepth(type) * getConvUnitInputLoadElemsPerCycle(type);
}

unsigned Target::getNumTilesPerXBContext() const { return machine_of(*this).block_tiles(); }
unsigned Target::getTileHostExchangeXB(unsigned tile) const {
  return machine_of(*this).block_of(checked(*this, tile) % getTilesPerIPU());
}
unsigned Target::getTileHostExchangeContext(unsigned tile) const {
  checked(*this, tile);
  return 0;
}
unsigned Target::getTileHostExchangeContextPosition(unsigned tile) const {
  return checked(*this, tile) % getTilesPerIPU() % getNumTilesPerXBContext();
}

unsigned Target::makeFpIctlValue(bool inv, bool div0, bool oflo, bool esr, bool nanoo) const {
  const auto overflow = static_cast<unsigned>(nanoo ? HalfOverflow::kNan : HalfOverflow::kLargest);
  return (inv ? WorkerStart::kTrapInvalid : 0) | (div0 ? WorkerStart::kTrapDivision : 0) |
         (oflo ? WorkerStart::kTrapOverflow : 0) | (esr ? WorkerStart::kStochastic : 0) |
         overflow << WorkerStart::kHalfOverflowShift;
}

unsigned Target::getFpIctlRegIndex() const { return static_cast<unsigned>(tessera::spec::Csr::Xfpictl); }

long double Target::typeLimit(const Type& type, bool largest) {
  switch (detail::element_type(type)) {
    case ElementType::kBool:
      return largest ? 1 : 0;
    case ElementType::kUnsignedChar:
      return limit_of<std::uint8_t>(largest);
    case ElementType::kChar:
    case ElementType::kSignedChar:
      return limit_of<std::int8_t>(largest);
    case ElementType::kShort:
      return limit_of<std::int16_t>(largest);
    case ElementType::kUnsignedShort:
      return limit_of<std::uint16_t>(largest);
    case ElementType::kInt:
    case ElementType::kLong:
      return limit_of<std::int32_t>(largest);
    case ElementType::kUnsignedInt:
    case ElementType::kUnsignedLong:
      return limit_of<std::uint32_t>(largest);
    case ElementType::kLongLong:
      return limit_of<std::int64_t>(largest);
    case ElementType::kUnsignedLongLong:
      return limit_of<std::uint64_t>(largest);
    case ElementType::kHalf:
      return largest ? 65504 : -65504;
    case ElementType::kFloat:
      return limit_of<float>(largest);
    case ElementType::kQuarter:  // the format of each tensor's metadata says
    case ElementType::kQuarterMetadata:
      break;
  }
  throw type_error(std::string(type.toString()) + " has no limits of its own");
}

void Target::limitDoesNotFit(const Type& type) {
  throw overflow_error("the limits of " + std::string(type.toString()) + " do not fit the type they are asked as");
}

}  // namespace poplar
