#include <algorithm>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>
#include <span>
#include <tuple>

#include "formats/fnv.h"
#include "rtl/spec/standard_system.h"
#include "rtl/spec/system.h"
#include "rtl/spec/system_part.h"
#include "sw/poplar/impl.h"
#include "sw/poplar/log.h"
#include "sw/poplar/option_table.h"
#include "sw/poplar/target_impl.h"

namespace poplar {

namespace log = tessera::log;

namespace {

// Machines of each generation from small to large; a number of tiles is served by the first of the smallest that has as
// many.
constexpr const char* kMk1[] = {"mk1-4", "mk1"};
constexpr const char* kMk2[] = {"mk2-4", "mk2-16", "mk2-64", "mk2"};
constexpr const char* kMk1Version = "ipu1";
// Systems that others sell by the number of their IPUs, all of generation ipu2: a target takes IPUs out of one.
struct Pod {
  const char* name;
  unsigned ipus;
};
constexpr Pod kPods[] = {{"IPU-M2000", 4},  {"IPU-POD4", 4},     {"IPU-POD16", 16},  {"IPU-POD32", 32},
                         {"IPU-POD64", 64}, {"IPU-POD128", 128}, {"IPU-POD256", 256}};
constexpr unsigned kDataPathBits = 64;
constexpr unsigned kExchangeBytesPerCycle = 4;
// compiler/passes/control/copy_routine.cpp: 8 in a slot of a worker, less what it takes to begin.
constexpr unsigned kMemcpyBytesPerCycle = 7;
constexpr unsigned kAtomicStoreBytes = 4;
constexpr unsigned kRptCountMax = 4095;  // of rpti
constexpr unsigned kStrideBits = 18;     // of CSRs xstride1..3

const detail::TargetImpl& impl_of(const Target& target) {
  const auto& impl = detail::Access::impl(target);
  if (!impl) throw poplar_error("this Target is empty: take one from a Device or from Target::createIPUTarget");
  return *impl;
}

template <class Make>
auto checked(const Make& make) {
  try {
    return make();
  } catch (const tessera::spec::MachineError& error) {
    throw invalid_machine_model(error.what());
  }
}
tessera::spec::Machine load(const std::string& machine) {
  return checked([&] { return tessera::spec::load_machine(machine); });
}
tessera::spec::System load_system(const std::string& system) {
  return checked([&] { return tessera::spec::load_system(system); });
}

std::string ipus(std::size_t n) { return std::to_string(n) + (n == 1 ? " IPU" : " IPUs"); }

// The standard system of so many chips of a machine, by name.
std::string several(const std::string& machine, unsigned num_ipus) {
  if (num_ipus == 1) return machine;
  const std::string name = machine + "x" + std::to_string(num_ipus);
  if (!checked([&] { return tessera::spec::standard_system(name); }))
    throw invalid_machine_model("no system of " + machine + " has " + ipus(num_ipus) + "; there may be 1, " +
                                tessera::spec::standard_sizes());
  return name;
}

// The first chips of a system, or so many of a machine.
std::string first_of(const std::string& system, unsigned num_ipus) {
  const std::size_t size = load_system(system).chips.size();
  if (num_ipus == size) return system;
  if (num_ipus < size) return tessera::spec::part_text(system, 0, num_ipus - 1);
  const std::vector<std::string> machines = tessera::spec::machine_names();
  if (std::find(machines.begin(), machines.end(), system) != machines.end()) return several(system, num_ipus);
  throw invalid_machine_model("system " + system + " has " + ipus(size) + ", not " + std::to_string(num_ipus));
}

// From the first chip to the last and back.
unsigned group_sync_cycles(const tessera::spec::System& system) {
  for (const tessera::spec::SyncGroup& group : system.groups)
    if (group.members.size() == system.chips.size())
      return 2 * static_cast<unsigned>(group.members.size() - 1) * group.hop_latency;
  return 0;
}

}  // namespace

namespace detail {

std::string machine_with_tiles(unsigned tiles, const std::string& version) {
  const std::span<const char* const> machines = version == kMk1Version ? std::span<const char* const>(kMk1) : kMk2;
  for (const char* name : machines)
    if (tiles <= load(name).tiles()) return name;
  throw invalid_machine_model("no machine has " + std::to_string(tiles) + " tiles; the largest, " + machines.back() +
                              ", has " + std::to_string(load(machines.back()).tiles()));
}

bool has_gateways(const TargetImpl& target) {
  std::size_t chips = 0;  // a chip has at most one
  for (const tessera::spec::Gateway& gateway : target.gateways) chips += gateway.chips.size();
  return chips == target.num_ipus;
}

std::shared_ptr<TargetImpl> make_target_impl(TargetType type, unsigned num_ipus, unsigned tiles,
                                             const std::string& of) {
  if (num_ipus == 0) throw invalid_machine_model("a target has one IPU at least");
  const auto pod = std::find_if(std::begin(kPods), std::end(kPods), [&](const Pod& p) { return of == p.name; });
  if (pod != std::end(kPods) && num_ipus > pod->ipus)
    throw invalid_machine_model("system " + of + " has " + ipus(pod->ipus) + ", not " + std::to_string(num_ipus));
  const std::string version = pod != std::end(kPods) ? "ipu2" : of;
  auto impl = std::make_shared<TargetImpl>();
  impl->type = type;
  impl->arch = version;
  impl->num_ipus = num_ipus;
  const bool by_version = version == kMk1Version || version == "ipu2" || version == "ipu21";
  if (by_version && tiles == 0) tiles = load(version == kMk1Version ? "mk1" : "mk2").tiles();
  impl->system = by_version ? several(machine_with_tiles(tiles, version), num_ipus) : first_of(version, num_ipus);
  const tessera::spec::System system = load_system(impl->system);
  impl->machine = system.chips.front();
  impl->name = num_ipus == 1 ? impl->machine.name : system.name;
  impl->group_sync_cycles = group_sync_cycles(system);
  impl->torus = system.grid && system.grid->torus;
  impl->gateways = system.gateways;
  impl->sync_groups = system.groups;
  impl->gateway_mode = has_gateways(*impl);
  if (tiles > impl->machine.tiles())
    throw invalid_machine_model("machine " + impl->machine.name + " has " + std::to_string(impl->machine.tiles()) +
                                " tiles, not " + std::to_string(tiles));
  if (!by_version) impl->arch = impl->machine.geometry() == load("mk1").geometry() ? kMk1Version : "ipu2";
  impl->tiles_per_ipu = tiles == 0 ? impl->machine.tiles() : tiles;
  log::write(log::Module::kTarget, log::Level::kDebug, [&] {
    return "target '" + of + "' is the first " + std::to_string(impl->tiles_per_ipu) + " of " +
           std::to_string(impl->machine.tiles()) + " tiles of machine " + impl->machine.name;
  });
  return impl;
}

void take_link_options(TargetImpl& target, const OptionFlags& options, const tessera::runtime::OptionTable& table) {
  const auto refuse = [&](const char* name, const std::string& why) {
    throw invalid_option(std::string(table.noun) + " '" + name + "' is '" + options.at(name) + "': " + why);
  };
  const auto given = [&](const char* name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
  };
  const std::string domain = given("ipuLinkDomainSize");
  target.link_domain = static_cast<unsigned>(tessera::runtime::parse_number(domain).value_or(0));
  if (const std::string mode = given("gatewayMode"); !mode.empty()) {
    target.gateway_mode = mode == "true";
    if (target.gateway_mode && !has_gateways(target))
      refuse("gatewayMode", "system " + target.name + " has no gateway for every IPU; leave it out");
  }
  if (target.num_ipus == 1) return;
  if (target.link_domain != 0 && target.link_domain < target.num_ipus)
    refuse("ipuLinkDomainSize",
           "links join all " + std::to_string(target.num_ipus) + " IPUs of system " + target.name + "; leave it out");
  const std::string configuration = given("ipuLinkConfiguration"), topology = given("ipuLinkTopology");
  if (!configuration.empty() && configuration != "default" && configuration != "Default")
    refuse("ipuLinkConfiguration",
           "links are as system " + target.name + " describes them; leave it out or give default");
  if (!topology.empty() && (topology == "torus") != target.torus)
    refuse("ipuLinkTopology",
           "system " + target.name + " is a " + (target.torus ? "torus" : "mesh") + "; leave it out");
  if (const std::string sync = given("syncConfiguration"); !sync.empty() && sync != "intraReplicaAndAll")
    refuse("syncConfiguration",
           "sync groups are as system " + target.name + " describes them; leave it out or give intraReplicaAndAll");
}

}  // namespace detail

Target::Target() = default;
Target::Target(const Target& other) = default;
Target::Target(Target&& other) noexcept = default;
Target& Target::operator=(const Target& other) = default;
Target& Target::operator=(Target&& other) noexcept = default;
Target::~Target() = default;
Target::Target(std::shared_ptr<const detail::TargetImpl> impl) : impl_(std::move(impl)) {}

TargetType Target::getTargetType() const { return impl_of(*this).type; }
StringRef Target::getTargetArchString() const { return impl_of(*this).arch; }
StringRef Target::getTargetSystemString() const { return impl_of(*this).name; }
unsigned Target::getNumIPUs() const { return impl_of(*this).num_ipus; }
unsigned Target::getTilesPerIPU() const { return impl_of(*this).tiles_per_ipu; }
unsigned Target::getNumTiles() const { return getNumIPUs() * getTilesPerIPU(); }
unsigned Target::getNumWorkerContexts() const { return impl_of(*this).machine.workers; }
unsigned Target::getBytesPerTile() const { return impl_of(*this).machine.memory_bytes; }
std::uint64_t Target::getMemoryBytes() const { return std::uint64_t{getBytesPerTile()} * getNumTiles(); }
double Target::getTileClockFrequency() const { return impl_of(*this).machine.clock_hz; }
unsigned Target::getExchangeBytesPerCycle() const { return kExchangeBytesPerCycle; }
unsigned Target::getMemcpyBytesPerCycle() const { return kMemcpyBytesPerCycle; }
unsigned Target::getMinIPUSyncDelay() const {
  const tessera::spec::Machine& machine = impl_of(*this).machine;
  return machine.sync_request + machine.sync_acknowledge;
}
unsigned Target::getDataPathWidth() const { return kDataPathBits; }
unsigned Target::getAtomicStoreGranularity() const { return kAtomicStoreBytes; }
unsigned Target::getRptCountMax() const { return kRptCountMax; }
unsigned Target::getNumStrideBits() const { return kStrideBits; }
unsigned Target::getTilesPerSharedExchangeBus() const { return impl_of(*this).machine.pairs() ? 2 : 1; }

std::size_t Target::getTypeSize(const Type& type) const { return tessera::graph::size_of(detail::element_type(type)); }

unsigned Target::getVectorWidth(const Type& type) const {
  return static_cast<unsigned>(kDataPathBits / 8 / getTypeSize(type));
}

Target Target::createVirtualTarget(unsigned numIPUs, unsigned tilesPerIPU) const {
  const detail::TargetImpl& mine = impl_of(*this);
  if (numIPUs == mine.num_ipus && tilesPerIPU != 0 && tilesPerIPU <= mine.machine.tiles()) {
    auto impl = std::make_shared<detail::TargetImpl>(mine);
    impl->tiles_per_ipu = tilesPerIPU;
    return detail::Access::make_target(std::move(impl));
  }
  const bool fits = tilesPerIPU <= mine.machine.tiles();
  const std::string system = fits && numIPUs <= mine.num_ipus ? mine.system : mine.machine.name;
  auto impl = detail::make_target_impl(mine.type, numIPUs, tilesPerIPU,
                                       fits ? system : detail::machine_with_tiles(tilesPerIPU, mine.arch));
  impl->arch = mine.arch;
  impl->accurate_half = mine.accurate_half;
  impl->gateway_mode &= mine.gateway_mode;
  return detail::Access::make_target(impl);
}

bool Target::getGatewayMode() const { return impl_of(*this).gateway_mode; }

IpuLinkTopology Target::getIpuLinkTopology() const {
  return impl_of(*this).torus ? IpuLinkTopology::Torus : IpuLinkTopology::Mesh;
}

unsigned Target::getIpuLinkDomainSize() const {
  const detail::TargetImpl& mine = impl_of(*this);
  return mine.link_domain == 0 ? mine.num_ipus : mine.link_domain;
}

Target Target::createIPUTarget(StringRef system, const OptionFlags& options) {
  return createIPUTarget(1, system, options);
}

Target Target::createIPUTarget(unsigned numIPUs, StringRef system, const OptionFlags& options) {
  return createIPUTarget(numIPUs, 0, system, options);
}

Target Target::createIPUTarget(unsigned numIPUs, unsigned tilesPerIPU, StringRef system, const OptionFlags& options) {
  OptionFlags all = options;
  readJSONFromEnv("POPLAR_TARGET_OPTIONS", all);
  tessera::runtime::check(tessera::runtime::target_options(), all);
  auto impl = detail::make_target_impl(TargetType::IPU, numIPUs, tilesPerIPU, system);
  detail::take_link_options(*impl, all, tessera::runtime::target_options());
  return detail::Access::make_target(std::move(impl));
}

Target Target::createCPUTarget(bool accurateHalf, unsigned numIPUs) {
  auto impl = detail::make_target_impl(TargetType::CPU, numIPUs, 1, detail::machine_with_tiles(1, "ipu2"));
  impl->arch = "cpu";
  impl->accurate_half = accurateHalf;
  return detail::Access::make_target(impl);
}

namespace {

auto key(const detail::TargetImpl& t) {
  return std::make_tuple(static_cast<int>(t.type), t.arch, t.system, t.num_ipus, t.tiles_per_ipu, t.accurate_half,
                         t.gateway_mode);
}

}  // namespace

std::size_t Target::hash() const {
  if (!impl_) return 0;
  tessera::formats::Fnv hash;
  hash.text(impl_->system).number(static_cast<int>(impl_->type));
  return hash.number(impl_->num_ipus).number(impl_->tiles_per_ipu).value();
}

bool Target::operator==(const Target& other) const {
  if (!impl_ || !other.impl_) return impl_ == other.impl_;
  return key(*impl_) == key(*other.impl_);
}

bool Target::operator<(const Target& other) const {
  if (!impl_ || !other.impl_) return !impl_ && other.impl_;
  return key(*impl_) < key(*other.impl_);
}

}  // namespace poplar
