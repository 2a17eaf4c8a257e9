// Targets, devices and models, without a running machine.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poplar/exceptions.hpp>

namespace {

using namespace poplar;
using Catch::Matchers::ContainsText;

// An environment variable for the time of a test.
struct Environment {
  Environment(const char* name, const char* value) : name(name) { ::setenv(name, value, 1); }
  ~Environment() { ::unsetenv(name); }
  const char* name;
};

TEST_CASE("the IPU of a manager is the machine that TESSERA_MACHINE names, mk2-16 if none") {
  const DeviceManager manager = DeviceManager::createDeviceManager();
  CHECK(manager.getDevices(TargetType::IPU, 1).at(0).getTarget().getNumTiles() == 16);
  const Environment machine("TESSERA_MACHINE", "mk2-64");
  const Target target = manager.getDevice(3).getTarget();
  CHECK(target.getNumTiles() == 64);
  CHECK(target.getTargetType() == TargetType::IPU);
  CHECK(target.getNumWorkerContexts() == 6);
  CHECK(target.getBytesPerTile() == 638976);
  CHECK(target.getTargetSystemString() == StringRef("mk2-64"));
}

TEST_CASE("a machine that does not exist is named") {
  const Environment machine("TESSERA_MACHINE", "mk7");
  CHECK_THROWS_WITH(DeviceManager().getDevice(0), Catch::Matchers::ContainsText("mk7"));
}

TEST_CASE("the IPU of a system of one chip is that chip") {
  const Environment machine("TESSERA_MACHINE", "card-16");
  CHECK(DeviceManager().getDevice(0).getTarget().getNumTiles() == 16);
  CHECK(DeviceManager().getDevices(TargetType::IPU, 2).empty());
  CHECK(DeviceManager().getDevices(TargetType::IPU_MODEL, 1).size() == 1);
  CHECK(DeviceManager().getDevices().size() == DeviceManager().getNumDevices());
  CHECK_THROWS_AS(DeviceManager().getDevice(1000), poplar_error);
}

TEST_CASE("a system's devices are its chips, then pairs, fours and so on, each a system of its own") {
  const Environment machine("TESSERA_MACHINE", "mk2-4x4");
  const DeviceManager manager;
  REQUIRE(manager.getNumDevices() == 7);
  CHECK(manager.getDevices().size() == 7);
  const auto ids = [&](unsigned ipus) {
    std::vector<unsigned> all;
    for (const Device& device : manager.getDevices(TargetType::IPU, ipus)) {
      CHECK(device.getTarget().getNumIPUs() == ipus);
      CHECK(device.getTarget().getTilesPerIPU() == 4);
      CHECK(device.getTarget().getNumTiles() == 4 * ipus);
      all.push_back(device.getId());
    }
    return all;
  };
  CHECK(ids(1) == std::vector<unsigned>{0, 1, 2, 3});
  CHECK(ids(2) == std::vector<unsigned>{4, 5});
  CHECK(ids(4) == std::vector<unsigned>{6});
  for (const unsigned none : {0, 3, 8}) CHECK(ids(none).empty());
  CHECK(manager.getDevice(2).getTarget().getTargetSystemString() == StringRef("mk2-4"));
  CHECK(manager.getDevice(5).getTarget().getTargetSystemString() == StringRef("mk2-4x4:2-3"));
  CHECK(manager.getDevice(5).getDriverIDs() == std::vector<int>{2, 3});
  CHECK(manager.getDevice(5).getNumaTopology() == std::vector<int>{-1, -1});
  CHECK(manager.getDevice(6).getAttributes().at("machine") == "mk2-4x4");
  CHECK_THROWS_WITH(manager.getDevice(7), "there is no device 7; ids go from 0 to 6");
  CHECK(manager.getChildDeviceIds(5) == std::vector<unsigned>{2, 3});
  CHECK(manager.getChildDeviceIds(6, 2) == std::vector<unsigned>{4, 5});
  CHECK(manager.getChildDeviceIds(4, 4).empty());
}

TEST_CASE("chips that no links join are no device") {
  const Environment machine("TESSERA_MACHINE", "mk2-4x16");
  CHECK(DeviceManager().getDevices(TargetType::IPU, 2).size() == 8);
  CHECK(DeviceManager().getDevices(TargetType::IPU, 16).at(0).getTarget().getIpuLinkTopology() ==
        IpuLinkTopology::Torus);
}

TEST_CASE("a model has all tiles of mk2, or the first of the next larger machine") {
  IPUModel model;
  CHECK(model.tilesPerIPU == 1472);
  CHECK(IPUModel("ipu1").tilesPerIPU == 1216);
  model.tilesPerIPU = 5;
  const Device device = model.createDevice();
  CHECK(device.getTarget().getTilesPerIPU() == 5);
  CHECK(device.getTarget().getTargetSystemString() == StringRef("mk2-16"));
  CHECK(device.getTarget().getTargetType() == TargetType::IPU_MODEL);
  CHECK(device.isAttached());
  model.numIPUs = 4;
  const Device four = model.createDevice();
  CHECK(four.getTarget().getNumTiles() == 20);
  CHECK(four.getTarget().getTargetSystemString() == StringRef("mk2-16x4"));
}

TEST_CASE("a model that no machine can be is refused") {
  CHECK_THROWS_AS(IPUModel("ipu9"), invalid_machine_model);
  IPUModel model;
  model.tilesPerIPU = 2000;
  CHECK_THROWS_WITH(model.createDevice(), Catch::Matchers::ContainsText("2000"));
  model = IPUModel();
  model.numIPUs = 3;
  CHECK_THROWS_WITH(model.createDevice(), "no system of mk2 has 3 IPUs; there may be 1, 2, 4, 8, 16, 32 or 64");
  model = IPUModel();
  model.memoryBytesPerTile = 1;
  CHECK_THROWS_WITH(model.createDevice(), Catch::Matchers::ContainsText("memoryBytesPerTile"));
  model = IPUModel();
  CHECK(model.minIPUSyncDelay == 96);
  CHECK(model.createDevice().getTarget().getMinIPUSyncDelay() == 96);
  model.minIPUSyncDelay = 0;
  for (const auto delay : {IPUModel::RelativeSyncDelayType::NO_DELAY, IPUModel::RelativeSyncDelayType::AUTO}) {
    model.relativeSyncDelay = delay;
    CHECK_NOTHROW(model.createDevice());
  }
  model.minIPUSyncDelay = 97;
  CHECK_THROWS_WITH(model.createDevice(), ContainsText("minIPUSyncDelay is 97") && ContainsText("96 cycles"));
}

TEST_CASE("targets of an IPU by version and by machine") {
  CHECK(Target::createIPUTarget(1, "ipu2").getNumTiles() == 1472);
  CHECK(Target::createIPUTarget(1, 4, "ipu2").getTargetSystemString() == StringRef("mk2-4"));
  CHECK(Target::createIPUTarget(1, "mk2-64").getNumTiles() == 64);
  const Target mk1 = Target::createIPUTarget(1, "ipu1");
  CHECK(mk1.getTargetSystemString() == StringRef("mk1"));
  CHECK(mk1.getNumTiles() == 1216);
  CHECK(mk1.getBytesPerTile() == 256 * 1024);
  CHECK(mk1.getMemoryBytes() == 304 * 1024 * 1024);
  CHECK(mk1.getTileClockFrequency() == 1.6e9);
  CHECK(Target::createIPUTarget(1, 4, "ipu1").getTargetSystemString() == StringRef("mk1-4"));
  CHECK(Target::createIPUTarget(1, "mk1-4").getTargetArchString() == StringRef("ipu1"));
  CHECK(mk1.createVirtualTarget(1, 2).getBytesPerTile() == 256 * 1024);
  const Target bow = Target::createIPUTarget(1, "bow");
  CHECK(bow.getNumTiles() == 1472);
  CHECK(bow.getTileClockFrequency() == 1.85e9);
  CHECK(Target::createIPUTarget(1, "small-4").getBytesPerTile() == 64 * 1024);
  CHECK_THROWS_AS(Target::createIPUTarget(1, 17, "mk2-16"), invalid_machine_model);
  const Target pod = Target::createIPUTarget(1, "IPU-POD16");
  CHECK(pod.getNumTiles() == 1472);
  CHECK(pod.getTargetArchString() == StringRef("ipu2"));
  CHECK(Target::createIPUTarget(1, 16, "IPU-POD64").getTargetSystemString() == StringRef("mk2-16"));
  CHECK(Target::createIPUTarget(16, "IPU-POD16").getNumIPUs() == 16);
  CHECK_THROWS_WITH(Target::createIPUTarget(16, "IPU-POD4"), "system IPU-POD4 has 4 IPUs, not 16");
  CHECK_THROWS_AS(Target::createIPUTarget(1, "IPU-POD17"), invalid_machine_model);
  CHECK(Target::createCPUTarget().getNumTiles() == 1);
}

TEST_CASE("targets of several IPUs are the first of a system, or so many of a machine") {
  const Target pair = Target::createIPUTarget(2, "mk2-4");
  CHECK(pair.getNumIPUs() == 2);
  CHECK(pair.getTilesPerIPU() == 4);
  CHECK(pair.getNumTiles() == 8);
  CHECK(pair.getMemoryBytes() == 8 * std::uint64_t{pair.getBytesPerTile()});
  CHECK(pair.getTargetSystemString() == StringRef("mk2-4x2"));
  CHECK(pair.getTargetArchString() == StringRef("ipu2"));
  CHECK(pair.getIpuLinkDomainSize() == 2);
  CHECK(pair.getIpuLinkTopology() == IpuLinkTopology::Mesh);
  CHECK(pair.getMinIPUSyncDelay() == Target::createIPUTarget("mk2-4").getMinIPUSyncDelay());
  CHECK(pair.getGlobalSyncCycles() == Target::createIPUTarget("mk2-4").getGlobalSyncCycles() + 2 * 20);
  CHECK(pair.getTileHostExchangeXB(5) == pair.getTileHostExchangeXB(1));
  CHECK(Target::createIPUTarget(2, "mk2-4x4").getTargetSystemString() == StringRef("mk2-4x4:0-1"));
  CHECK(Target::createIPUTarget("mk2-4x4").getNumTiles() == 4);
  CHECK(Target::createIPUTarget(2, "pair-4").getNumTiles() == 8);
  CHECK(Target::createIPUTarget(2, 16, "ipu2").getTargetSystemString() == StringRef("mk2-16x2"));
  CHECK(pair.createVirtualTarget(2, 3).getNumTiles() == 6);
  CHECK(pair.createVirtualTarget(1, 4).getNumIPUs() == 1);
  CHECK(pair != Target::createIPUTarget("mk2-4"));
  CHECK(Target::createCPUTarget(true, 2).getNumIPUs() == 2);
  CHECK_THROWS_WITH(Target::createIPUTarget(4, "pair-4"), "system pair-4 has 2 IPUs, not 4");
  CHECK_THROWS_WITH(Target::createIPUTarget(5, "mk2-4"),
                    "no system of mk2-4 has 5 IPUs; there may be 1, 2, 4, 8, 16, 32 or 64");
  CHECK_THROWS_WITH(Target::createIPUTarget(0, "mk2-4"), "a target has one IPU at least");
}

TEST_CASE("options of links and syncs hold for one IPU, and for several as their system has them") {
  const auto with = [](unsigned ipus, const char* name, const char* value) {
    return Target::createIPUTarget(ipus, "mk2-4", {{name, value}});
  };
  struct Row {
    const char *name, *fits, *refused, *why;
  };
  const Row rows[] = {
      {"ipuLinkConfiguration", "default", "BarleyTwist", "links are as system mk2-4x2 describes them"},
      {"ipuLinkTopology", "mesh", "torus", "system mk2-4x2 is a mesh"},
      {"ipuLinkDomainSize", "64", "1", "links join all 2 IPUs of system mk2-4x2"},
      {"syncConfiguration", "intraReplicaAndAll", "ipuAndAll", "sync groups are as system mk2-4x2 describes them"}};
  for (const Row& row : rows) {
    CHECK_NOTHROW(with(1, row.name, row.fits));
    CHECK_NOTHROW(with(1, row.name, row.refused));
    CHECK_NOTHROW(with(2, row.name, row.fits));
    CHECK_THROWS_WITH(with(2, row.name, row.refused),
                      ContainsText(std::string("'") + row.name + "' is '" + row.refused + "': " + row.why));
  }
  CHECK(with(2, "ipuLinkDomainSize", "64").getIpuLinkDomainSize() == 64);
  const Environment machine("TESSERA_MACHINE", "mk2-4x2");
  CHECK_THROWS_WITH(DeviceManager().getDevices(TargetType::IPU, 2, {{"ipuLinkTopology", "torus"}}),
                    ContainsText("system mk2-4x2 is a mesh"));
}

TEST_CASE("targets compare by what they describe") {
  const Target a = Target::createIPUTarget(1, 4, "ipu2"), b = Target::createIPUTarget(1, 4, "ipu2");
  const Target c = a.createVirtualTarget(1, 2);
  CHECK(a == b);
  CHECK(a.hash() == b.hash());
  CHECK(a != c);
  CHECK((a < c) != (c < a));
  CHECK(c.getNumTiles() == 2);
  CHECK(Target() == Target());
  CHECK(Target() != a);
}

TEST_CASE("vector widths and sizes are those of the data path") {
  const Target target = Target::createIPUTarget(1, "ipu2");
  CHECK(target.getVectorWidth(FLOAT) == 2);
  CHECK(target.getVectorWidth(HALF) == 4);
  CHECK(target.getTypeSize(HALF) == 2);
  CHECK(target.getExchangeBytesPerCycle() == 4);
  CHECK(target.getTileClockFrequency() > 1e9);
}

TEST_CASE("an empty device or target says that it is empty") {
  CHECK_THROWS_WITH(Device().getId(), Catch::Matchers::ContainsText("empty"));
  CHECK_THROWS_WITH(Target().getNumTiles(), Catch::Matchers::ContainsText("empty"));
}

TEST_CASE("TESSERA_BACKEND overrides every kind of device, and is checked") {
  const Environment backend("TESSERA_BACKEND", "lockstep");
  IPUModel model;
  model.tilesPerIPU = 4;
  CHECK(model.createDevice().getAttributes().at("backend") == "lockstep");
  CHECK(Device::createCPUDevice().getAttributes().at("backend") == "lockstep");
  const Environment wrong("TESSERA_BACKEND", "silicon");
  CHECK_THROWS_WITH(model.createDevice(), Catch::Matchers::ContainsText("silicon"));
}

TEST_CASE("TESSERA_THREADS is a number of threads") {
  const Device device = DeviceManager().getDevice(0);
  for (const char* wrong : {"0", "two", "1025", "-1", "2 "}) {
    const Environment threads("TESSERA_THREADS", wrong);
    CHECK_THROWS_WITH(device.attach(), ContainsText("TESSERA_THREADS is '" + std::string(wrong) +
                                                    "'; it can be a number from 1 to 1024"));
  }
  const Environment threads("TESSERA_THREADS", "3");
  CHECK(device.attach());
  device.detach();
}

TEST_CASE("options of a manager and of a target are those that one IPU can have") {
  const auto devices = [](const OptionFlags& options) {
    return DeviceManager().getDevices(TargetType::IPU, 1, options);
  };
  for (const auto& [name, value] : {std::pair("ipuLinkConfiguration", "BarleyTwist"),
                                    std::pair("ipuLinkTopology", "torus"), std::pair("ipuLinkDomainSize", "64"),
                                    std::pair("gatewayMode", "false"), std::pair("syncConfiguration", "ipuAndAll")}) {
    CHECK_FALSE(devices({{name, value}}).empty());
    CHECK_NOTHROW(Target::createIPUTarget(1, "mk2-4", {{name, value}}));
  }
  CHECK_NOTHROW(
      Target::createIPUTarget(1, "mk2-4", {{"instanceSize", "4"}, {"ipuLinkConfiguration", "slidingWindow"}}));
  CHECK_THROWS_WITH(Target::createIPUTarget(1, "mk2-4", {{"gatewayMode", "true"}}), ContainsText("no gateway"));
  CHECK_THROWS_WITH(devices({{"gatewayMode", "true"}}),
                    ContainsText("'gatewayMode' is 'true'") && ContainsText("no gateway"));
  CHECK_THROWS_WITH(devices({{"ipuLinkTopology", "star"}}), ContainsText("it takes mesh, torus"));
  CHECK_THROWS_WITH(devices({{"ipuLinkTopologies", "mesh"}}), ContainsText("'ipuLinkTopology' meant"));
}

TEST_CASE("what a target says of itself is so") {
  const Target target = Target::createIPUTarget(1, "mk2");
  CHECK(target.supportsExchangeBusSharing());  // exchange.md, Paired transfers
  CHECK(target.getTilesPerSharedExchangeBus() == 2);
  CHECK_FALSE(Target::createIPUTarget(1, "mk1-4").supportsExchangeBusSharing());
  CHECK(target.getRptCountMax() == 4095);  // instructions.def: rpti
  // csrs.def: strides are signed numbers of 18 bits.
  CHECK(target.getNumStrideBits() == 18);
}

TEST_CASE("a device says what board it is") {
  CHECK(DeviceManager().getDevice(0).getAttribute(IPUAttributes::AttributeId::BoardVariant) == "mk2-16");
  CHECK_THROWS_AS(Device().getAttribute(IPUAttributes::AttributeId::BoardVariant), poplar_error);
}

TEST_CASE("the only child of a device of one IPU is itself") {
  const DeviceManager manager;
  CHECK(manager.getChildDeviceIds(2) == std::vector<unsigned>{2});
  CHECK(manager.getChildDeviceIds(2, 2).empty());
  CHECK_THROWS_WITH(manager.getChildDeviceIds(1000), ContainsText("no device 1000"));
}

TEST_CASE("a target's memory, syncs and exchange blocks are those of its machine description") {
  const Target target = Target::createIPUTarget("mk2");
  CHECK(target.getNumIPUs() == 1);
  const std::vector<unsigned> offsets = target.getMemoryElementOffsets();  // tile.md: 39 elements of 16 KiB
  REQUIRE(offsets.size() == 39);
  CHECK(offsets.front() == 0);
  CHECK(offsets.back() == 38 * 16384);
  CHECK(target.getInterleavedMemoryElementIndex() == 13);
  CHECK(Target::createIPUTarget("small-4").getMemoryElementOffsets()[7] == 7 * 8192);
  CHECK(target.getMaxIPUSyncDelay() == 96);
  CHECK(target.getGlobalSyncCycles() == 192);
  CHECK(target.getNumTilesPerXBContext() == 92);  // 1472 tiles in 16 blocks
  CHECK(target.getTileHostExchangeXB(91) == 0);
  CHECK(target.getTileHostExchangeXB(92) == 1);
  CHECK(target.getTileHostExchangeContextPosition(100) == 8);
  CHECK(target.getTileHostExchangeContext(100) == 0);
  CHECK_THROWS_AS(target.getTileHostExchangeXB(1472), invalid_tile_mapping);
  CHECK_FALSE(target.getGatewayMode());
}

TEST_CASE("limits of element types, as what they fit") {
  const Target target = Target::createIPUTarget("mk2-4");
  CHECK(target.getTypeLimitsMaxAs<std::uint64_t>(UNSIGNED_INT) == 4294967295u);
  CHECK(target.getTypeLimitsMaxAs<std::uint64_t>(UNSIGNED_SHORT) == 65535u);
  CHECK(target.getTypeLimitsMaxAs<std::uint64_t>(UNSIGNED_LONGLONG) == ~std::uint64_t{0});
  CHECK(target.getTypeLimitsMaxAs<float>(HALF) == 65504.0f);
  CHECK_THROWS_AS(target.getTypeLimitsMaxAs<float>(QUARTER), type_error);
  CHECK(target.getTypeLimitsLowestAs<double>(FLOAT) == -3.4028234663852886e38);
  CHECK(target.getTypeLimitsLowestAs<std::int64_t>(LONGLONG) == std::numeric_limits<std::int64_t>::min());
  CHECK(target.getTypeLimitsLowestAs<int>(SIGNED_CHAR) == -128);
  CHECK(target.getTypeLimitsMaxAs<int>(BOOL) == 1);
  CHECK_THROWS_AS(target.getTypeLimitsMaxAs<int>(UNSIGNED_INT), overflow_error);
  CHECK_THROWS_WITH(target.getTypeLimitsLowestAs<unsigned>(INT), ContainsText("int"));
}

TEST_CASE("the matrix engine is that of arithmetic.md, and float control that of csrs.def") {
  const Target target = Target::createIPUTarget("mk2-4");
  CHECK(target.getNumConvUnits(HALF, HALF) == 16);
  CHECK(target.getNumConvUnits(HALF, FLOAT) == 8);
  CHECK(target.getNumConvUnits(FLOAT, FLOAT) == 16);
  CHECK(target.getNumConvUnits(FLOAT, HALF) == 0);
  // A unit has four weight words of 64 bits.
  CHECK(target.getWeightsPerConvUnit(HALF) == 4 * 4);
  CHECK(target.getWeightsPerConvUnit(FLOAT) == 4 * 2);
  CHECK(target.getConvUnitMaxPipelineDepth(FLOAT) == 8);
  CHECK(target.getConvUnitInputLoadElemsPerCycle(HALF) == 4);
  CHECK_THROWS_WITH(target.getNumConvUnits(INT, FLOAT), ContainsText("int"));
  CHECK(target.makeFpIctlValue(true, false, false, true, true) == (1 | 8 | 2 << 4));
  CHECK(target.makeFpIctlValue(false, true, true, false, false) == (2 | 4 | 1 << 4));
  CHECK(target.getFpIctlRegIndex() == 0x802);
}

TEST_CASE("unknown options of devices are refused") {
  CHECK_THROWS_AS(DeviceManager().getDevices(TargetType::IPU, 1, {{"noSuch", "1"}}), invalid_option);
  CHECK_NOTHROW(DeviceManager().getDevices(TargetType::IPU, 1, {{"gatewayMode", "false"}}));
  CHECK_THROWS_AS(IPUModel().createDevice({{"noSuch", "1"}}), invalid_option);
  const Target target = Target::createIPUTarget(1, "mk2-4");
  CHECK_THROWS_WITH(Device::createSimulatorDevice(target, {{"noSuch", "1"}}), ContainsText("'noSuch'"));
  CHECK_THROWS_WITH(Target::createIPUTarget(1, "mk2-4", {{"noSuch", "1"}}), ContainsText("'noSuch'"));
  {
    const Environment simulator("POPLAR_SIMULATOR_OPTIONS", R"({"fast": true})");
    CHECK_THROWS_WITH(Device::createSimulatorDevice(target), ContainsText("'fast'"));
  }
  const Environment targets("POPLAR_TARGET_OPTIONS", R"({"gatewayMode": true})");
  CHECK_THROWS_WITH(Target::createIPUTarget(1, "mk2-4"), ContainsText("'gatewayMode'"));
}

TEST_CASE("a virtual device has fewer tiles of the same machine") {
  IPUModel model;
  model.tilesPerIPU = 16;
  Device device = model.createDevice();
  Device part = device.createVirtualDevice(3);
  CHECK(part.getTarget().getNumTiles() == 3);
  CHECK(part.getTarget().getTargetSystemString() == StringRef("mk2-16"));
  CHECK_THROWS_AS(device.createVirtualDevice(17), poplar_error);
}

TEST_CASE("a machine executable that is not there is named when the device is attached") {
  const Environment bin("TESSERA_MACHINE_BIN", "/nowhere/tessera-machine");
  const Device device = DeviceManager().getDevice(0);
  CHECK_THROWS_AS(device.attach(), system_runtime_error);
  CHECK_THROWS_WITH(device.attach(), Catch::Matchers::ContainsText("/nowhere/tessera-machine"));
  CHECK_FALSE(device.isAttached());
}

}  // namespace
