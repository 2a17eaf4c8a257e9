#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

#include "sw/poplar/device_impl.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {
namespace {

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
  const unsigned id = deviceManagerId == std::numeric_limits<unsigned>::max() ? 0 : deviceManagerId;
  return detail::Access::make_device(detail::make_device_impl(id, target, "model"));
}

}  // namespace poplar
