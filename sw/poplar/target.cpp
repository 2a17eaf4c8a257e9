#include <algorithm>
#include <poplar/Target.hpp>
#include <poplar/exceptions.hpp>
#include <span>
#include <tuple>

#include "formats/fnv.h"
#include "rtl/spec/system.h"
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
constexpr const char* kPods[] = {"IPU-M2000", "IPU-POD4",   "IPU-POD16", "IPU-POD32",
                                 "IPU-POD64", "IPU-POD128", "IPU-POD256"};
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

tessera::spec::Machine load(const std::string& system) {
  try {
    return tessera::spec::load_runnable(system);
  } catch (const tessera::spec::MachineError& error) {
    throw invalid_machine_model(error.what());
  }
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

std::shared_ptr<TargetImpl> make_target_impl(TargetType type, unsigned num_ipus, unsigned tiles,
                                             const std::string& of) {
  const bool pod = std::find(std::begin(kPods), std::end(kPods), of) != std::end(kPods);
  const std::string system = pod ? "ipu2" : of;
  if (num_ipus != 1) throw invalid_machine_model("a machine has one IPU, not " + std::to_string(num_ipus));
  auto impl = std::make_shared<TargetImpl>();
  impl->type = type;
  impl->arch = system;
  const bool by_version = system == kMk1Version || system == "ipu2" || system == "ipu21";
  if (by_version && tiles == 0) tiles = load(system == kMk1Version ? "mk1" : "mk2").tiles();
  impl->system = by_version ? machine_with_tiles(tiles, system) : system;
  impl->machine = load(impl->system);
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
StringRef Target::getTargetSystemString() const { return impl_of(*this).machine.name; }
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
  const bool fits = tilesPerIPU <= mine.machine.tiles();
  auto impl = detail::make_target_impl(mine.type, numIPUs, tilesPerIPU,
                                       fits ? mine.system : detail::machine_with_tiles(tilesPerIPU, mine.arch));
  impl->arch = mine.arch;
  impl->accurate_half = mine.accurate_half;
  return detail::Access::make_target(impl);
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
  return detail::Access::make_target(detail::make_target_impl(TargetType::IPU, numIPUs, tilesPerIPU, system));
}

Target Target::createCPUTarget(bool accurateHalf, unsigned numIPUs) {
  auto impl = detail::make_target_impl(TargetType::CPU, numIPUs, 1, detail::machine_with_tiles(1, "ipu2"));
  impl->arch = "cpu";
  impl->accurate_half = accurateHalf;
  return detail::Access::make_target(impl);
}

namespace {

auto key(const detail::TargetImpl& t) {
  return std::make_tuple(static_cast<int>(t.type), t.arch, t.system, t.num_ipus, t.tiles_per_ipu, t.accurate_half);
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
