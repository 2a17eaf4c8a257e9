// What targets, devices and models say of themselves: every number that programs plan by, on a machine whose
// description and specification say the same.
#include <catch2/catch.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

using namespace poplar;
using Catch::Matchers::ContainsText;

namespace {

IPUModel small_model() {
  IPUModel model;
  model.tilesPerIPU = 4;
  return model;
}

}  // namespace

TEST_CASE("the data path is 64 bits wide, and vectors fill it") {
  const Target target = Target::createIPUTarget(1, "mk2-4");
  CHECK(target.getDataPathWidth() == 64);
  CHECK(target.getFloatVectorWidth() == 64 / 32);
  CHECK(target.getHalfVectorWidth() == 64 / 16);
  CHECK(target.getQuarterVectorWidth() == 64 / 8);
  CHECK(target.getVectorWidth(INT) == 2);
  CHECK(target.getAtomicStoreGranularity() == 4);
}

TEST_CASE("the matrix engine's units, depths and loads, by types of input and output") {
  const Target target = Target::createIPUTarget(1, "mk2-4");
  // arithmetic.md, matrix step: outputs and phases of each kind, and what a phase takes.
  CHECK(target.getFp8InFp16OutConvUnitsPerTile() == 16);
  CHECK(target.getFp16InFp16OutConvUnitsPerTile() == 16);
  CHECK(target.getFp16InFp32OutConvUnitsPerTile() == 8);
  CHECK(target.getFp32InFp32OutConvUnitsPerTile() == 16);
  CHECK(target.getFp8ConvUnitMaxPipelineDepth() == 4);
  CHECK(target.getFp16ConvUnitMaxPipelineDepth() == 4);
  CHECK(target.getFp32ConvUnitMaxPipelineDepth() == 8);
  CHECK(target.getFp8ConvUnitInputLoadElemsPerCycle() == 8);
  CHECK(target.getFp16ConvUnitInputLoadElemsPerCycle() == 4);
  CHECK(target.getFp32ConvUnitInputLoadElemsPerCycle() == 1);
  CHECK(target.getConvUnitCoeffLoadBytesPerCycle() == 128 / 8);  // ld128putcs
}

TEST_CASE("an IPU alone has no links") {
  const Target target = Target::createIPUTarget(1, "mk2-4");
  CHECK(target.getIpuLinkConfiguration() == IpuLinkConfiguration::Default);
  CHECK(target.getIpuLinkTopology() == IpuLinkTopology::Mesh);
  CHECK(target.getIpuLinkDomainSize() == target.getNumIPUs());
  CHECK(target.getInstanceSize() == 1);
  CHECK(target.getNumContextsPerXB() == 1);
  std::ostringstream os;
  os << IpuLinkTopology::Mesh << IpuLinkTopology::Torus << IpuLinkTopology::Line << IpuLinkConfiguration::Default
     << IpuLinkConfiguration::BarleyTwist << IpuLinkConfiguration::SlidingWindow;
  CHECK(os.str() == "MeshTorusLineDefaultBarleyTwistSlidingWindow");
}

TEST_CASE("kinds of targets and devices have names") {
  CHECK(toString(TargetType::IPU) == "IPU");
  CHECK(toString(TargetType::CPU) == "CPU");
  std::ostringstream os;
  os << TargetType::IPU_MODEL;
  CHECK(os.str() == "IPU_MODEL");
  CHECK(Device::createCPUDevice().getTarget().getTargetType() == TargetType::CPU);
  CHECK(Target::createCPUTarget().getTargetType() == TargetType::CPU);
  CHECK(Target::createCPUTarget().getTargetArchString() == StringRef("cpu"));
  CHECK(std::hash<Target>()(Target::createIPUTarget(1, "mk2-4")) == Target::createIPUTarget(1, "mk2-4").hash());
}

TEST_CASE("a device says what it can do and where it is") {
  const Device model = small_model().createDevice({}, false, 5);
  CHECK(model.getId() == 5);
  CHECK(model.getDriverIDs() == std::vector<int>{5});
  unsigned major = 0, minor = 7, point = 7;
  model.getDriverVersion(major, minor, point);
  CHECK(major > 0);
  CHECK((minor == 0 && point == 0));
  CHECK(model.supportsRemoteBuffers());
  CHECK_FALSE(model.hasGateway());
  CHECK(model.getNumaTopology() == std::vector<int>{-1});
  CHECK(model.getNumaNodesUsedForIPUs() == std::vector<int>{-1});
  CHECK(model.getAttributes().at("machine") == "mk2-4");
  CHECK_THROWS_AS(Device().getNumaTopology(), poplar_error);
  CHECK_THROWS_AS(Device().supportsRemoteBuffers(), poplar_error);
  CHECK_THROWS_AS(Device().hasGateway(), poplar_error);
  CHECK_THROWS_AS(Device().getDriverIDs(), poplar_error);
}

TEST_CASE("a simulator is the machine of its target, and one's own") {
  const Device device = Device::createSimulatorDevice(Target::createIPUTarget(1, "mk2-4"));
  CHECK(device.getTarget().getNumTiles() == 4);
  CHECK(device.isAttached());
  CHECK_THROWS_AS(Device::createSimulatorDevice(Target()), poplar_error);
}

TEST_CASE("a model's fields are those of its target, and those of the tile stay") {
  const IPUModel model;
  const Target target = Target::createIPUTarget(1, "ipu2");
  CHECK(model.IPUVersion == "ipu2");
  CHECK(model.numIPUs == 1);
  CHECK(model.numWorkerContexts == target.getNumWorkerContexts());
  CHECK(model.memoryBytesPerTile == target.getBytesPerTile());
  CHECK(model.tileClockFrequency == target.getTileClockFrequency());
  CHECK(model.exchangeBytesPerCycle == target.getExchangeBytesPerCycle());
  CHECK(model.memcpyBytesPerCycle == target.getMemcpyBytesPerCycle());
  CHECK(model.tilesPerSuperTile == target.getTilesPerSharedExchangeBus());
  CHECK(model.supportsSuperTileSendReceive == target.supportsExchangeBusSharing());
  CHECK(model.instructionBytes == 4);
  CHECK(model.interleavedMemoryElementIndex == target.getInterleavedMemoryElementIndex());
  CHECK(model.globalSyncCycles == target.getGlobalSyncCycles());
  const auto refused = [](const char* field, auto change) {
    IPUModel changed = small_model();
    change(changed);
    CHECK_THROWS_WITH(changed.createDevice(), ContainsText(field));
  };
  refused("tilesPerSuperTile", [](IPUModel& m) { m.tilesPerSuperTile = 8; });
  refused("supportsSuperTileSendReceive", [](IPUModel& m) { m.supportsSuperTileSendReceive = false; });
  refused("instructionBytes", [](IPUModel& m) { m.instructionBytes = 8; });
  refused("interleavedMemoryElementIndex", [](IPUModel& m) { m.interleavedMemoryElementIndex = 1; });
  refused("globalSyncCycles", [](IPUModel& m) { m.globalSyncCycles = 1; });
  refused("numWorkerContexts", [](IPUModel& m) { m.numWorkerContexts = 5; });
  refused("tileClockFrequency", [](IPUModel& m) { m.tileClockFrequency = 1; });
  refused("exchangeBytesPerCycle", [](IPUModel& m) { m.exchangeBytesPerCycle = 1; });
  refused("memcpyBytesPerCycle", [](IPUModel& m) { m.memcpyBytesPerCycle = 1; });
}

TEST_CASE("models are equal when all their fields are") {
  IPUModel a, b;
  CHECK(a == b);
  b.tilesPerIPU = 16;
  CHECK(a != b);
  b = a;
  b.relativeSyncDelay = IPUModel::RelativeSyncDelayType::AUTO;
  CHECK(a != b);
}
